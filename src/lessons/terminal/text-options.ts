import type { Command } from "commander";
import type { DraftTexts } from "../changes/draft.ts";
import type { When } from "../format/when.ts";

export interface TextOptions {
  readonly topic?: string;
  readonly missing?: string;
  readonly lesson?: string;
  readonly ask?: string;
  readonly path?: readonly string[];
  readonly word?: readonly string[];
  /** False with --no-when. */
  readonly when?: string | false;
  readonly block?: boolean;
}

/** Adds them to a command; a new lesson needs those without which it says nothing. */
export function withTextOptions(command: Command, { isNew }: { isNew: boolean }): Command {
  const needed = (flags: string, description: string) =>
    isNew ? command.requiredOption(flags, description) : command.option(flags, description);
  needed("--topic <topic>", "module or feature, 64 bytes at most");
  needed("--missing <text>", "what the instructions left out, 1,024 bytes at most");
  needed("--lesson <text>", "the rule to apply next time, 1,024 bytes at most");
  command.option(
    "--ask <text>",
    `the question to ask first, 512 bytes at most${isNew ? "" : ', or "none" to remove it'}`,
  );
  const anyWork = command.createOption(
    "--when <text>",
    `the work in which it comes up, like "command: npm publish; path: src/**"${isNew ? "" : ', or "none" to remove it'}`,
  );
  command.addOption(anyWork.conflicts(["path", "word"]));
  command.option("--path <glob>", "files with which it comes up (repeatable)", another);
  command.option("--word <word>", "a word of tasks with which it comes up (repeatable)", another);
  command.option(
    "--block",
    "block the first call in a session that it comes up with, if settings allow it",
  );
  if (isNew) return command;
  command.option("--no-block", "block no call any more");
  return command.option("--no-when", "remove its files and words");
}

const another = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/** @param known what stays of it beside other paths or words. */
export function whenSaid({ when, path, word }: TextOptions, known: When): DraftTexts["when"] {
  if (when !== undefined) return when === false ? "none" : when;
  if (path === undefined && word === undefined) return undefined;
  return { ...known, ...(path && { paths: path }), ...(word && { words: word }) };
}
