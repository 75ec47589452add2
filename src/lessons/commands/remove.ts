/** The commands that remove. `forget` hides lessons. `purge` permanently removes a lesson, or a word from the cues. */
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { commitsThatHold, refusalOf } from "../../ground/project/git.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../ground/terminal/command.ts";
import { cut, safeLine } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { redactionNotes } from "../answers/file-report.ts";
import { prepareReason } from "../changes/draft.ts";
import { textsWith, type WordsLeft, wordsLeftOf } from "../changes/purge.ts";
import { toLine, type VersionLine } from "../format/file-lines.ts";
import { lessonsIn } from "../jsonl/trash.ts";
import { isLessonLine, type LessonLine } from "../merge/versions.ts";
import { findId, findLesson, mayMean, notFound } from "../queries/references.ts";
import {
  type AddLessonCommand,
  alsoRows,
  inShort,
  type LessonCommandContext,
} from "../terminal/lessons.ts";

export const addForget: AddLessonCommand = (program, open) => {
  program
    .command("forget")
    .description("remove lessons from the memory")
    .argument("<ids...>", "ids, or their first 6 or more digits")
    .option("--reason <text>", "the reason, for the team (256 bytes at most)")
    .option("--yes", "do not ask")
    .action((ids: string[], { reason, yes }) => forget(open(), ids, reason, yes));
};

async function forget(
  context: LessonCommandContext,
  ids: readonly string[],
  reason = "",
  yes = false,
): Promise<void> {
  const { lessons, readPrivacy, terminal } = context;
  // Without a reason no new text is stored.
  const words = reason === "" ? NO_OWN_WORDS : (await readPrivacy()).forStoring();
  const { reason: why, redactions } = prepareReason(reason, words);
  // Restore undoes it, so the command asks only at a terminal.
  if (!yes && terminal.isInteractive) {
    const snapshot = await lessons.read();
    for (const id of ids) {
      const found = findLesson(snapshot, id);
      if ("line" in found) {
        printShown(found.line, terminal);
      }
    }
    if (!(await terminal.confirm("Forget this?"))) {
      return;
    }
  }
  const forgotten = await lessons.forget(ids, why);
  for (const { version } of forgotten) {
    terminal.print(`Forgotten: ${inShort(version, terminal.page)}`);
  }
  for (const line of redactionNotes(redactions)) {
    terminal.print(line);
  }
  terminal.print(
    "restore brings it back. Commit the memory file, so that the team forgets it too.",
  );
}

/** Prints a lesson, with the texts in conflict with it. */
function printShown({ version, also }: LessonLine, terminal: Terminal): void {
  terminal.print(inShort(version, terminal.page));
  for (const row of alsoRows(version, also)) {
    terminal.print(row);
  }
}

const ONE_OF_THEM =
  "Give an id, or --word TEXT. To purge recorded events: sentinel-memory sessions purge";
const MOST_COMMITS = 8;
const MOST_ROWS = 20;

export const addPurge: AddLessonCommand = (program, open) => {
  program
    .command("purge")
    .description("remove a lesson permanently, for example a leaked secret")
    .argument("[id]", "its id, or the first 6 or more digits")
    .option("--word <word>", "remove a word from the cues of all principles instead")
    .option("--yes", "do not ask")
    .action((id: string | undefined, { word, yes }: { word?: string; yes?: boolean }) => {
      if (id !== undefined && word === undefined) {
        return purge(open(), id, yes);
      }
      if (id === undefined && word !== undefined) {
        return purgeWord(open(), word, yes);
      }
      throw new SentinelError(
        "bad_argument",
        "A purge takes one thing: an id or a word.",
        ONE_OF_THEM,
      );
    });
};

async function purgeWord(context: LessonCommandContext, word: string, yes = false): Promise<void> {
  const { lessons, terminal } = context;
  const question = "Remove this word from all cues permanently?";
  if (!yes && !(await terminal.mustConfirm(question, CANNOT_BE_UNDONE))) {
    return terminal.note(UNCHANGED);
  }
  const purged = await lessons.purgeWord(word);
  terminal.print(
    `Purged: ${plural(purged, "cue")}. Commit the memory file. A branch that changed a principle later can bring one back with a merge: purge it again after that.`,
  );
  const left = textsWith(word, await lessons.read(), lessonsIn(await lessons.removed()));
  printWordsLeft(context, "Only cues lost it. Texts that still contain it:", left);
  printPurgeCommands(context, left);
}

async function purge(context: LessonCommandContext, name: string, yes = false): Promise<void> {
  const { lessons, terminal } = context;
  const snapshot = await lessons.read();
  const removed = lessonsIn(await lessons.removed());
  const stored = [...snapshot.lines().filter(isLessonLine), ...removed.map(toLine)];
  const { id, own } = findStored(name, stored);
  const shown = snapshot.shown(id);
  if (shown) {
    printShown(shown, terminal);
  }
  const left = wordsLeftOf(id, snapshot, removed);
  printWordsLeft(context, "These lessons contain words of it and stay:", left);
  const question = `Remove ${id} permanently (${plural(own.length, "version")})?`;
  if (!yes && !(await terminal.mustConfirm(question, CANNOT_BE_UNDONE))) {
    return terminal.note(UNCHANGED);
  }

  const count = await lessons.purge(id);
  terminal.print(
    [
      `Purged: ${plural(count, "version")} of ${id}. Its id stays in the file and hides older versions on other branches.`,
      "Commit the memory file, so that the team's copy loses the text too.",
      "A branch that changed it later can bring its text back with a merge: purge it again after that.",
    ].join("\n"),
  );
  printPurgeCommands(context, left);
  terminal.tell(
    "If other lessons may contain the same secret: sentinel-memory purge --word WORD removes it from cues, and lists the lessons that contain it.",
  );
  await printCommits(context, id);
}

/** Prints the lessons that contain words, each with these and its places. */
function printWordsLeft(
  { terminal }: LessonCommandContext,
  heading: string,
  left: readonly WordsLeft[],
): void {
  const rows = left.map(({ lesson, words, places }) => {
    const held = `    in ${places.join(" and ")}: ${words.map(safeLine).join(", ")}`;
    return `  ${inShort(lesson, terminal.page)}\n${cut(held, terminal.page.width)}`;
  });
  printRows(terminal, heading, rows);
}

/** Prints the commands that remove these words too. */
function printPurgeCommands(
  { terminal, spelt }: LessonCommandContext,
  left: readonly WordsLeft[],
): void {
  const commands = left.map(({ lesson }) => spelt(`  ${purgeCommand(lesson.id)}`));
  printRows(terminal, "To remove the words there too, purge these lessons:", commands);
  const principle = left.find(({ lesson }) => lesson.type === "principle");
  if (!principle) {
    return;
  }
  const restore = `sentinel-memory restore ${principle.lesson.id}`;
  terminal.tell(`To keep the other sources of a principle, restore them first: ${restore}`);
}

const purgeCommand = (id: string): string => `sentinel-memory purge ${id}`;

function printRows(terminal: Terminal, heading: string, rows: readonly string[]): void {
  if (rows.length === 0) {
    return;
  }
  terminal.print(heading);
  for (const row of rows.slice(0, MOST_ROWS)) {
    terminal.print(row);
  }
  if (rows.length > MOST_ROWS) {
    terminal.print(`  and ${rows.length - MOST_ROWS} more`);
  }
}

/** The lesson that a name means, with its versions. @throws SentinelError `not_found`, `bad_reference`. */
function findStored(
  name: string,
  all: readonly VersionLine[],
): { readonly id: string; readonly own: readonly VersionLine[] } {
  const ids = all.map(({ version }) => version.id);
  const found = findId(ids, name);
  if ("none" in found) {
    throw notFound(name, found.none);
  }
  const own = all.filter(({ version }) => version.id === found.id);
  if (!mayMean(name, own)) {
    throw notFound(name, "changed");
  }
  return { id: found.id, own };
}

/** Prints which commits still contain the lesson, and what to do about them. */
async function printCommits(
  { project, terminal }: LessonCommandContext,
  id: string,
): Promise<void> {
  const commits = await commitsThatHold([id], project.folder);
  if (commits.length === 0) {
    const refusal = await refusalOf(project.folder);
    if (!refusal) {
      return;
    }
    const what = "Git could not be asked whether its history still contains it";
    return terminal.print(`${what}: ${refusal.message}\nfix: ${refusal.fix}`);
  }
  terminal.tell(
    [
      `Git history still holds it, in ${plural(commits.length, "commit")}: ${commits.slice(0, MOST_COMMITS).join(" ")}`,
      "Revoke a secret that was committed and use a new one: others may know it.",
      "To remove it from the history, rewrite the history (git filter-repo) and tell everyone with a clone.",
      `The trash of a teammate may hold it too: each runs there, once this is merged, ${purgeCommand(id)}`,
    ].join("\n"),
  );
}
