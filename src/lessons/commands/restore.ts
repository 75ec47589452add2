import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { cut, safeLine } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { sourcesToRetire } from "../changes/forget.ts";
import { type Lesson, timesMet } from "../format/lesson.ts";
import { findRestorable, planRestore, sourcesLeft } from "../jsonl/restorable.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import { type Snapshot, sourcesOf } from "../merge/versions.ts";
import { versionReference } from "../queries/references.ts";
import {
  type AddLessonCommand,
  inShort,
  type LessonCommandContext,
  texts,
  whenAndWhy,
} from "../terminal/lessons.ts";

const MOST_LISTED = 30;

interface Options {
  readonly yes?: boolean;
}

export const addRestore: AddLessonCommand = (program, open) => {
  program
    .command("restore")
    .description("bring back a forgotten, compacted or replaced lesson")
    .argument(
      "[id]",
      "id of a lesson, id@version for that text, or id of a principle for its sources (default: list what can be restored)",
    )
    .option("--yes", "do not ask, even before replacing a present text")
    .action((id: string | undefined, options: Options) =>
      id === undefined ? listRestorable(open()) : restore(open(), id, options),
    );
};

/** @throws SentinelError `not_found`. */
async function restore(
  context: LessonCommandContext,
  id: string,
  { yes = false }: Options,
): Promise<void> {
  const { lessons, terminal } = context;
  const snapshot = await lessons.read();
  const removed = await lessons.removed();
  const plan = planRestore(id, removed, snapshot);
  if (!plan) {
    throw nothingNamed(id);
  }
  const { chosen, inThePlace } = plan;
  if (chosen.length === 0) {
    return terminal.print("Nothing to restore: the memory has this already, with the same text.");
  }
  const shown = chosen.flatMap((lesson) => snapshot.shown(lesson.id) ?? []);
  const present = [...shown.map(({ version }) => version), ...inThePlace];
  if (present.length > 0) {
    terminal.print(bothTexts(present, chosen));
  }
  printRetiredAgain(chosen, snapshot, terminal);
  printStillStanding(chosen, inThePlace, snapshot, terminal);
  if (!yes && !(await wantsRestore(terminal, present, chosen))) {
    return;
  }

  const insteadOf = inThePlace.map((lesson) => lesson.id);
  for (const { version } of await lessons.restore(chosen, insteadOf)) {
    terminal.print(`Restored: ${inShort(version, terminal.page)}`);
  }
  for (const version of inThePlace) {
    terminal.print(`Taken out: ${inShort(version, terminal.page)}`);
  }
  terminal.print("Commit the memory file, so that the team has this too.");
}

/** Asks before it replaces an existing text. If it replaces nothing, asks only at a terminal. */
async function wantsRestore(
  terminal: Terminal,
  present: readonly Lesson[],
  chosen: readonly Lesson[],
): Promise<boolean> {
  if (present.length > 0) {
    const why = "This replaces the present text, and this isn't a terminal that can ask.";
    return terminal.mustConfirm("Replace the present text?", why);
  }
  if (!terminal.isInteractive) {
    return true;
  }
  for (const lesson of chosen) {
    terminal.print(inShort(lesson, terminal.page));
  }
  return terminal.confirm("Bring this back?");
}

function nothingNamed(name: string): SentinelError {
  return new SentinelError(
    "not_found",
    `"${safeLine(name)}" does not name one lesson or version in the trash of this machine.`,
    "Call restore without an id to see what there is, and give more digits.",
  );
}

function bothTexts(present: readonly Lesson[], chosen: readonly Lesson[]): string {
  const lines: string[] = [];
  for (const lesson of present) {
    lines.push("Present text", ...described(lesson));
  }
  for (const lesson of chosen) {
    lines.push("Text to restore", ...described(lesson));
  }
  return lines.join("\n");
}

const described = (lesson: Lesson): string[] => [
  `  ${safeLine(lesson.topic)}, met ${plural(timesMet(lesson), "time")}`,
  ...texts(lesson),
];

/** The lessons that a restored principle or correction hides again. */
function printRetiredAgain(
  chosen: readonly Lesson[],
  snapshot: Snapshot,
  terminal: Terminal,
): void {
  for (const lesson of chosen) {
    const by = lesson.type === "log" ? "correction" : "principle";
    for (const { version } of sourcesToRetire(snapshot, lesson)) {
      terminal.print(`Retired again by the ${by}: ${inShort(version, terminal.page)}`);
    }
  }
}

/** The lessons that were made from restored ones. They stay, because they may contain what no other lesson contains. */
function printStillStanding(
  chosen: readonly Lesson[],
  taken: readonly Lesson[],
  snapshot: Snapshot,
  terminal: Terminal,
): void {
  const restored = new Set(chosen.map(({ id }) => id));
  for (const { version } of snapshot.lessons()) {
    const isFromThese = sourcesOf(version).some(([source]) => restored.has(source));
    if (!isFromThese || restored.has(version.id) || taken.includes(version)) {
      continue;
    }
    const name = version.type === "log" ? "lesson that took its place" : "principle made from this";
    terminal.print(`The ${name} stays too: ${inShort(version, terminal.page)}`);
    terminal.tell(`To remove it: sentinel-memory forget ${version.id}`);
    const left = sourcesLeft(version, restored, snapshot);
    if (left > 0) {
      terminal.print(
        `It was also made from ${plural(left, "lesson")} that this doesn't bring back.`,
      );
    }
  }
}

async function listRestorable({ lessons, terminal }: LessonCommandContext): Promise<void> {
  const removed = await lessons.removed();
  const all = lessonsIn(removed);
  const { gone, earlier } = findRestorable(removed, await lessons.read());
  if (gone.length + earlier.length === 0) {
    return terminal.print("Nothing to restore: the trash of this machine holds no other text.");
  }
  printSection(terminal, "Not in the memory any more", gone, all);
  printSection(terminal, "Earlier texts, which restore brings back by id@version", earlier, all);
}

function printSection(
  terminal: Terminal,
  heading: string,
  entries: readonly Removed[],
  all: readonly Lesson[],
): void {
  if (entries.length === 0) {
    return;
  }
  const { page } = terminal;
  terminal.print(page.colours.bold(heading));
  for (const entry of entries.slice(0, MOST_LISTED)) {
    const { lesson } = entry;
    const reference = versionReference(lesson, all);
    const row = `${whenAndWhy(entry).padEnd(42)} ${reference}  ${lesson.topic}: ${lesson.lesson}`;
    terminal.print(cut(safeLine(row), page.width));
  }
  const left = entries.length - MOST_LISTED;
  if (left > 0) {
    terminal.tell(`and ${left} older: sentinel-memory show ID lists those of a lesson`);
  }
}
