/** Shows the lessons that an agent would get for a text, and the reasons. Uses the same queries as the hooks. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { nameInProject } from "../../ground/clients/hook-event.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { branchOf } from "../../ground/project/git.ts";
import type { Page } from "../../ground/terminal/layout.ts";
import { TRIGGERS, type When, whenOf } from "../format/when.ts";
import { whenText } from "../format/when-text.ts";
import { MOST_AT_PROMPT } from "../hooks/limits.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import { readMemoryPolicy } from "../policy.ts";
import {
  lessonsFor,
  mayMatch,
  mostImportantFirst,
  wordsInCommon,
} from "../queries/lesson-ranking.ts";
import { comingUp, type Known, triggerOf, type Work, workOn } from "../queries/matches-when.ts";
import {
  type AddLessonCommand,
  inShort,
  type LessonCommandContext,
  readMemory,
} from "../terminal/lessons.ts";

/** A way to read the text: as a prompt, a command, the path of a file, or the output of a failed call. */
interface Occasion {
  readonly name: "prompt" | "command" | "file" | "error";
  readonly heading: string;
  readonly isCall?: true;
  readonly about: Omit<Known, "now" | "branch">;
}

/** A lesson that comes up on one occasion. */
interface Answer {
  readonly line: LessonLine;
  /** The values of its `when` that match. */
  readonly when: readonly string[];
  /** The words that match. Empty if its `when` does. */
  readonly words: readonly string[];
  /** Whether it's marked to block such a call. */
  readonly isMarked: boolean;
}

interface Found {
  readonly occasion: Occasion;
  readonly work: Work;
  readonly answers: readonly Answer[];
}

/** A lesson that does not come up, and the reason. */
interface KeptOut {
  readonly line: LessonLine;
  readonly reason: string;
}

export const addWhy: AddLessonCommand = (program, open) => {
  program
    .command("why")
    .description("show which lessons an agent would get for a text, when, and why")
    .argument("<text...>", "a command, the path of a file, an error text or a prompt")
    .option("--json", "print the answer as JSON")
    .action((words: string[], options: { readonly json?: true }) =>
      why(open(), words.join(" "), options),
    );
};

async function why(
  context: LessonCommandContext,
  text: string,
  options: { readonly json?: true },
): Promise<void> {
  if (text.trim() === "") {
    throw new SentinelError(
      "bad_argument",
      "There is no text to look for.",
      "Give a command, a file, an error text or a prompt.",
    );
  }
  const { terminal, project, env } = context;
  const snapshot = await readMemory(context);
  const moment = { branch: await branchOf(project.folder), now: localMinute(Date.now()) };
  const policy = await readMemoryPolicy(project.context);
  const mayHold = env.SENTINEL_HOLD === "on" || policy.values.hold;
  const found = occasionsOf(text, context).map((occasion) => {
    const work = workOn({ ...moment, ...occasion.about });
    const answers = linesAt(occasion, text, work, snapshot).map((line) => {
      const { hold } = whenOf(line.version);
      const when = matchingValues(whenOf(line.version), work);
      const words = when.length > 0 ? [] : wordsInCommon(snapshot, text, line);
      return { line, when, words, isMarked: hold === true && occasion.isCall === true };
    });
    return { occasion, work, answers };
  });
  const isFound = found.some(({ answers }) => answers.length > 0);
  const kept = isFound ? undefined : keptOut(snapshot.lessons(), found);
  if (options.json) {
    return terminal.printJson(inJson(found, kept, mayHold));
  }
  for (const { occasion, answers } of found) {
    const isSilent = occasion.name === "prompt" && !mayMatch(text);
    const none = isSilent ? ` no lesson, as ${TOO_SHORT}.` : " no lesson.";
    terminal.print(`${occasion.heading}:${answers.length === 0 ? none : ""}`);
    for (const answer of answers) {
      terminal.print(rowsOf(answer, mayHold, terminal.page).join("\n"));
    }
  }
  if (kept) {
    terminal.print(`\nNearest: ${inShort(kept.line.version, terminal.page)}\n  ${kept.reason}`);
  } else if (!isFound && snapshot.count > 0) {
    terminal.tell(NOTHING_NEAR);
  }
}

const TOO_SHORT = "a prompt with fewer than two telling words brings none";
const NOTHING_NEAR = `
No lesson comes close to this text. sentinel-memory search WORDS finds lessons, and sentinel-memory edit ID --when TEXT
sets the work in which one comes up.`;

/** Returns the lessons that come up on one occasion. */
function linesAt({ name }: Occasion, text: string, work: Work, snapshot: Snapshot): LessonLine[] {
  if (name === "prompt") {
    return lessonsFor(snapshot, text, work).slice(0, MOST_AT_PROMPT);
  }
  const lines = comingUp(snapshot.lessons(), work).sort(mostImportantFirst);
  const isAtError = ({ version }: LessonLine) => triggerOf(whenOf(version), work) === "error";
  return name === "error" ? lines.filter(isAtError) : lines;
}

/** Returns the values of a lesson's `when` that match some work, spelled as in `when`. */
function matchingValues(when: When, work: Work): string[] {
  return valuesOf(when)
    .filter((value) => triggerOf(value, work) !== undefined)
    .map(whenText);
}

/** Returns each value of a trigger as a separate `when`. */
function valuesOf(when: When): When[] {
  return TRIGGERS.flatMap((kind) => (when[kind] ?? []).map((value) => ({ [kind]: [value] })));
}

/** A lesson that matches some work except for its branches, times, exceptions or `all`. */
function keptOut(lines: readonly LessonLine[], found: readonly Found[]): KeptOut | undefined {
  for (const line of lines) {
    const when = whenOf(line.version);
    for (const { work } of found) {
      const matching = matchingValues(when, work);
      if (matching.length === 0 || triggerOf(when, work) !== undefined) {
        continue;
      }
      const { branches, from, until, not, all } = when;
      const restrictions = [whenText({ branches, from, until, not, all })];
      const values = valuesOf(when).map(whenText);
      const missing = values.filter((value) => !matching.includes(value));
      if (all && missing.length > 0) {
        restrictions.push(`without ${missing.join("; ")}`);
      }
      return {
        line,
        reason: `${matching.join("; ")} matches, but a restriction keeps it out: ${restrictions.join(", ")}`,
      };
    }
  }
  return undefined;
}

/** A path without blanks has a slash or an extension. */
const LIKE_A_PATH = /^\S*(?:[/\\]|\.[^\s./\\]+$)\S*$/;

/** Returns the possible readings of the text. It's a path if it looks like one or the file exists. */
function occasionsOf(text: string, { cwd, project }: LessonCommandContext): Occasion[] {
  const occasions: Occasion[] = [
    { name: "prompt", heading: "At the prompt", about: { prompt: text } },
    { name: "command", heading: "Before the command", isCall: true, about: { command: text } },
  ];
  const here = resolve(cwd, text);
  const isThere = existsSync(here);
  const canBeFile = isThere || LIKE_A_PATH.test(text);
  const file = canBeFile ? nameInProject(isThere ? here : text, project.folder) : undefined;
  if (file !== undefined) {
    occasions.push({
      name: "file",
      heading: "When it reads or edits the file",
      isCall: true,
      about: { files: [file] },
    });
  }
  occasions.push({ name: "error", heading: "At the error", about: { error: text } });
  return occasions;
}

function rowsOf({ line, when, words, isMarked }: Answer, mayHold: boolean, page: Page): string[] {
  const blocks = mayHold ? "blocks the first call of a session" : BLOCK_IS_OFF;
  return present(
    `  ${inShort(line.version, page)}`,
    when.length > 0 && `    when: ${when.join("; ")}`,
    words.length > 0 && `    words: ${words.join(", ")}`,
    isMarked && `    ${blocks}`,
  );
}

const BLOCK_IS_OFF = "marked to block, but hold: true is not in the policy";

function inJson(found: readonly Found[], kept: KeptOut | undefined, mayHold: boolean): object {
  const named = ({ version: { id, topic, lesson } }: LessonLine) => ({ id, topic, lesson });
  const rows = found.map(({ occasion, answers }) => [
    occasion.name,
    answers.map(({ line, when, words, isMarked }) => {
      return { ...named(line), when, words, blocks: isMarked && mayHold };
    }),
  ]);
  const nearest = kept && { ...named(kept.line), reason: kept.reason };
  return { ...Object.fromEntries(rows), nearest };
}
