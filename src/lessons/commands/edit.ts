import { SentinelError } from "../../ground/core/errors.ts";
import { type TextOptions, withTextOptions } from "../../ground/terminal/text-options.ts";
import { whenOf } from "../format/when.ts";
import { correct } from "../terminal/correct.ts";
import type { AddLessonCommand, LessonCommandContext } from "../terminal/lesson-command.ts";

export const addEdit: AddLessonCommand = (program, open) => {
  const command = program
    .command("edit")
    .description("correct texts of a lesson; restore brings the old ones back")
    .argument("<ref>", "its id, the first 6 or more digits, or a reference as show prints it");
  withTextOptions(command, { isNew: false }).action((ref, options) => edit(open(), ref, options));
};

async function edit(context: LessonCommandContext, ref: string, options: TextOptions): Promise<void> {
  const { topic, missing, lesson, ask, path, word, when } = options;
  if (when !== false && [topic, missing, lesson, ask, path, word].every((given) => given === undefined)) {
    throw new SentinelError("bad_argument", "Nothing was said to change.", "Give one of the options of edit --help.");
  }
  if (ask?.trim() === "") throw blankQuestion();
  await correct(context, ref, (version) => {
    const known = whenOf(version);
    return {
      ...(topic !== undefined && { topic }),
      ...(missing !== undefined && { missing_context: missing }),
      ...(lesson !== undefined && { lesson }),
      ...(ask !== undefined && { ask_next_time: ask }),
      ...((path || word) && { when: { paths: path ?? known.paths ?? [], words: word ?? known.words ?? [] } }),
      ...(when === false && { when: "none" as const }),
    };
  });
}

function blankQuestion(): SentinelError {
  const fix = 'Give the question to ask first, or "none" to take away the one that is there.';
  return new SentinelError("blank_field", "--ask is blank. Nothing was changed.", fix);
}
