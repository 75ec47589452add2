/** Removes a lesson, or a word of the cues, permanently, and lists what still contains its words. */
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { commitsThatHold, refusalOf } from "../../ground/project/git.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../ground/terminal/purge-words.ts";
import { textsWith, wordsLeftOf } from "../changes/words-left.ts";
import { toLine, type VersionLine } from "../format/file-lines.ts";
import { forgetGiven } from "../hooks/given-log.ts";
import { lessonsIn } from "../jsonl/trash.ts";
import { isLessonLine } from "../merge/versions.ts";
import { findId, mayMean, notFound } from "../queries/references.ts";
import { inShort } from "../terminal/lessons.ts";
import type { AddLessonCommand, LessonCommandContext } from "../terminal/read-memory.ts";
import { listWordsLeft, purgeCommand, purgeCommands } from "../terminal/words-left.ts";

/** Where lessons are looked for. */
const PLACE = "the memory or the trash of this machine";
const ONE_OF_THEM =
  "Give an id, or --word TEXT. To purge recorded events: sentinel-memory sessions purge";
const MOST_COMMITS = 8;

interface Options {
  readonly yes?: boolean;
}

export const addPurge: AddLessonCommand = (program, open) => {
  program
    .command("purge")
    .description("remove a lesson permanently, for example a leaked secret")
    .argument("[id]", "its id, or the first 6 or more digits")
    .option("--word <word>", "remove a word from the cues of all principles instead")
    .option("--yes", "do not ask")
    .action((id: string | undefined, { word, ...options }: Options & { word?: string }) => {
      if (id !== undefined && word === undefined) return purge(open(), id, options);
      if (id === undefined && word !== undefined) return purgeWord(open(), word, options);
      throw new SentinelError(
        "bad_argument",
        "A purge takes one thing: an id or a word.",
        ONE_OF_THEM,
      );
    });
};

async function purgeWord(
  { lessons, terminal, spelt }: LessonCommandContext,
  word: string,
  { yes }: Options,
): Promise<void> {
  const question = "Remove this word from all cues permanently?";
  if (!yes && !(await terminal.mustConfirm(question, CANNOT_BE_UNDONE)))
    return terminal.note(UNCHANGED);
  const purged = await lessons.purgeWord(word);
  terminal.print(
    `Purged: ${plural(purged, "cue")}. Commit the memory file. A branch that changed a principle later can bring one back with a merge: purge it again after that.`,
  );
  const left = textsWith(word, await lessons.read(), lessonsIn(await lessons.removed()));
  const heading = "Only cues lost it. Texts that still contain it:";
  for (const line of listWordsLeft(heading, left, terminal.page)) terminal.print(line);
  for (const line of purgeCommands(left, spelt)) terminal.print(line);
}

async function purge(context: LessonCommandContext, name: string, { yes }: Options): Promise<void> {
  const { project, lessons, terminal, spelt } = context;
  const snapshot = await lessons.read();
  const removed = lessonsIn(await lessons.removed());
  const stored = [...snapshot.lines().filter(isLessonLine), ...removed.map(toLine)];
  const { id, own } = findLesson(name, stored);
  const shown = snapshot.shown(id);
  for (const { version } of shown) terminal.print(inShort(version, terminal.page));
  const left = wordsLeftOf(id, snapshot, removed);
  const heading = "These lessons contain words of it and stay:";
  for (const line of listWordsLeft(heading, left, terminal.page)) terminal.print(line);
  const older = own.length - shown.length;
  const versions = older > 0 ? `, with ${plural(older, "older version")}` : "";
  const question = `Remove ${id} permanently${versions}?`;
  if (!yes && !(await terminal.mustConfirm(question, CANNOT_BE_UNDONE)))
    return terminal.note(UNCHANGED);

  const count = await lessons.purge(id);
  forgetGiven(project.context.local, [id]);
  terminal.print(
    [
      `Purged: ${plural(count, "version")} of ${id}. Its id stays in the file and hides older versions on other branches.`,
      "Commit the memory file, so that the team's copy loses the text too.",
      "A branch that changed it later can bring its text back with a merge: purge it again after that.",
    ].join("\n"),
  );
  for (const line of purgeCommands(left, spelt)) terminal.print(line);
  await printCommits(context, id);
}

/** The lesson that a name means, with its versions. @throws SentinelError `not_found`, `bad_reference`. */
function findLesson(
  name: string,
  all: readonly VersionLine[],
): { readonly id: string; readonly own: readonly VersionLine[] } {
  const ids = all.map(({ version }) => version.id);
  const found = findId(ids, name);
  if ("none" in found) throw notFound(name, found.none, PLACE);
  const own = all.filter(({ version }) => version.id === found.id);
  if (!mayMean(name, own)) throw notFound(name, "changed", PLACE);
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
    if (refusal)
      terminal.print(
        `Git could not be asked whether its history still contains it: ${refusal.message}\nfix: ${refusal.fix}`,
      );
    return;
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
