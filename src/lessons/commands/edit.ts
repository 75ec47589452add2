import { SentinelError } from "../../ground/core/errors.ts";
import { whenOf } from "../format/when.ts";
import { correct } from "../terminal/correct.ts";
import type { AddLessonCommand } from "../terminal/read-memory.ts";
import { type TextOptions, whenSaid, withTextOptions } from "../terminal/text-options.ts";

export const addEdit: AddLessonCommand = (program, open) => {
  const command = program
    .command("edit")
    .description("correct the texts of a lesson")
    .argument("<ref>", "its id, the first 6 or more digits, or a reference as show prints it");
  withTextOptions(command, { isNew: false }).action(async (ref: string, options: TextOptions) => {
    const { topic, missing, lesson, ask } = options;
    if (Object.keys(options).length === 0) {
      throw new SentinelError(
        "bad_argument",
        "Nothing was said to change.",
        "Give one of the options of edit --help.",
      );
    }
    if (ask?.trim() === "") {
      const fix = 'Give the question to ask first, or "none" to take away the one that is there.';
      throw new SentinelError("blank_field", "--ask is blank. Nothing was changed.", fix);
    }
    await correct(open(), ref, (version) => {
      const when = whenSaid(options, whenOf(version));
      return {
        ...(topic !== undefined && { topic }),
        ...(missing !== undefined && { missing_context: missing }),
        ...(lesson !== undefined && { lesson }),
        ...(ask !== undefined && { ask_next_time: ask }),
        ...(when !== undefined && { when }),
        ...(options.block !== undefined && { hold: options.block }),
      };
    });
  });
};
