/** The commands that write the texts of a lesson. */
import type { Command } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";
import { hintsFor } from "../answers/log-answer.ts";
import { type DraftTexts, prepareDraft } from "../changes/draft.ts";
import { type When, whenOf } from "../format/when.ts";
import {
  type AddLessonCommand,
  correct,
  inShort,
  type LessonCommandContext,
  noteLines,
  noteRedactions,
} from "../terminal/lessons.ts";

interface TextOptions {
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

export const addAdd: AddLessonCommand = (program, open) => {
  const command = program.command("add").description("log a lesson, as an agent would");
  command.requiredOption("--topic <topic>", "module or feature, 64 bytes at most");
  command.requiredOption("--missing <text>", MISSING);
  command.requiredOption("--lesson <text>", LESSON);
  command.option("--ask <text>", ASK);
  addTriggers(command, WHEN);
  command.action((options: TextOptions) => add(open(), options));
};

export const addEdit: AddLessonCommand = (program, open) => {
  const command = program.command("edit").description("correct the texts of a lesson");
  command.argument("<ref>", "its id, the first 6 or more digits, or a reference as show prints it");
  command.option("--topic <topic>", "module or feature, 64 bytes at most");
  command.option("--missing <text>", MISSING);
  command.option("--lesson <text>", LESSON);
  command.option("--ask <text>", `${ASK}, or "none" to remove it`);
  addTriggers(command, `${WHEN}, or "none" to remove it`);
  command.option("--no-block", "block no call any more");
  command.option("--no-when", "remove its files and words");
  command.action((ref: string, options: TextOptions) => edit(open(), ref, options));
};

const MISSING = "what the instructions left out, 1,024 bytes at most";
const LESSON = "the rule to apply next time, 1,024 bytes at most";
const ASK = "the question to ask first, 512 bytes at most";
const WHEN = 'the work in which it comes up, like "command: npm publish; path: src/**"';

/** Adds the options that choose the work in which a lesson comes up. */
function addTriggers(command: Command, when: string): void {
  command.addOption(command.createOption("--when <text>", when).conflicts(["path", "word"]));
  command.option("--path <glob>", "files with which it comes up (repeatable)", another);
  command.option("--word <word>", "a word of tasks with which it comes up (repeatable)", another);
  command.option(
    "--block",
    "block the first call in a session that it comes up with, if settings allow it",
  );
}

const another = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/** @throws SentinelError as a save does. */
async function add(context: LessonCommandContext, options: TextOptions): Promise<void> {
  const { lessons, readPrivacy, terminal } = context;
  const texts = {
    type: "log" as const,
    topic: options.topic ?? "",
    missing_context: options.missing,
    lesson: options.lesson ?? "",
    ask_next_time: options.ask,
    when: whenIn(options, {}),
    hold: options.block,
  };
  const { draft, cleared, redactions } = prepareDraft(texts, (await readPrivacy()).forStoring());
  const before = await lessons.read();
  await noteLines(context);
  const hints = hintsFor(draft, before, { correct: removeIt });
  const { isNew, isRepeated, line } = await lessons.save(draft, { cleared });
  noteRedactions(terminal, redactions);
  if (isNew) {
    for (const hint of hints) {
      terminal.note(hint);
    }
  }
  const unlessNew = isRepeated ? "Unchanged" : "Updated";
  terminal.print(`${isNew ? "Added" : unlessNew}: ${inShort(line.version, terminal.page)}`);
}

const removeIt = (reference: string): string =>
  `remove that one: sentinel-memory forget ${reference}`;

/** @throws SentinelError `bad_argument` without an option, `blank_field`, and as `correct` does. */
async function edit(
  context: LessonCommandContext,
  ref: string,
  options: TextOptions,
): Promise<void> {
  if (Object.keys(options).length === 0) {
    throw new SentinelError(
      "bad_argument",
      "Nothing was said to change.",
      "Give one of the options of edit --help.",
    );
  }
  if (options.ask?.trim() === "") {
    const fix = 'Give the question to ask first, or "none" to remove the one that is there.';
    throw new SentinelError("blank_field", "--ask is blank. Nothing was changed.", fix);
  }
  await correct(context, ref, (version) => {
    const texts = {
      topic: options.topic,
      missing_context: options.missing,
      lesson: options.lesson,
      ask_next_time: options.ask,
      when: whenIn(options, whenOf(version)),
      hold: options.block,
    };
    const given = Object.entries(texts).filter(([, text]) => text !== undefined);
    return Object.fromEntries(given) as Partial<DraftTexts>;
  });
}

/** Returns the new `when`. Undefined if nothing changes. @param known the current one. Paths and words replace only their own lists in it. */
function whenIn({ when, path, word }: TextOptions, known: When): DraftTexts["when"] {
  if (when !== undefined) {
    return when === false ? "none" : when;
  }
  if (path === undefined && word === undefined) {
    return undefined;
  }
  return { ...known, paths: path ?? known.paths, words: word ?? known.words };
}
