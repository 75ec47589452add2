import type { AddCommand } from "../command.ts";
import { addPush } from "./lessons/push.ts";

export const addLessons: AddCommand = (program, open, here) => {
  const lessons = program.command("lessons").description("give lessons to agents without a clone");
  addPush(lessons, open, here);
};
