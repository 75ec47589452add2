import { correct } from "../correct.ts";
import type { AddLessonCommand } from "../lesson-command.ts";

export const addMove: AddLessonCommand = (program, open) => {
  program
    .command("move")
    .description("give a record another topic; restore brings it back under the old one")
    .argument("<ref>", "its id, the first 6 or more digits, or a reference as show prints it")
    .argument("<topic>", "the topic; one that there is keeps its spelling")
    .action((ref, topic) => correct(open(), ref, () => ({ topic })));
};
