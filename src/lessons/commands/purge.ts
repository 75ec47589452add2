/** Removes a lesson, or a word of the cues, for good, and names what still holds it. */
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { commitsThatHold, refusalOf } from "../../ground/project/git.ts";
import { CANNOT_BE_UNDONE, UNCHANGED } from "../../ground/terminal/purge-words.ts";
import { planPurge, textsWith } from "../changes/purge-plan.ts";
import { toLine } from "../format/file-lines.ts";
import { forgetGiven } from "../hooks/given-log.ts";
import { lessonsIn } from "../jsonl/trash.ts";
import { isLessonLine } from "../merge/versions.ts";
import { findId, mayMean, notFound } from "../queries/references.ts";
import type { PurgeOptions } from "../store.ts";
import { purgeOf, textsLeft, whatIsDerived, whatStays } from "../terminal/derived.ts";
import { inShort } from "../terminal/lessons.ts";
import type { AddLessonCommand, LessonCommandContext } from "../terminal/read-memory.ts";

/** Where lessons are looked for. */
const PLACE = "the memory or the trash of this machine";
const ONE_OF_THEM =
  "Give an id, or --word TEXT. To purge recorded events: sentinel-memory sessions purge";

export const addPurge: AddLessonCommand = (program, open) => {
  program
    .command("purge")
    .description("remove a lesson permanently, for example a leaked secret")
    .argument("[id]", "its id, or the first 6 or more digits")
    .option("--word <word>", "remove a word from the cues of all principles instead")
    .option("--derived", "also purge lessons made from it that contain its words")
    .option(
      "--lose",
      "with --derived: continue even if a source that would be restored is not in the trash",
    )
    .option("--yes", "do not ask")
    .action((id, { word, ...options }) => {
      if ((id === undefined) === (word === undefined))
        throw wrong("A purge takes one thing: an id or a word.", ONE_OF_THEM);
      if (options.lose && !options.derived)
        throw wrong(`--lose says what --derived may lose. ${UNCHANGED}`, "Give --derived too.");
      if (options.derived && id === undefined)
        throw wrong(
          `--derived is for a lesson. ${UNCHANGED}`,
          "Leave it out, or give the id of a lesson.",
        );
      return word === undefined ? purge(open(), id, options) : purgeWord(open(), word, options);
    });
};

async function purgeWord(
  { lessons, terminal, spelt }: LessonCommandContext,
  word: string,
  { yes }: { yes?: boolean },
): Promise<void> {
  if (
    !yes &&
    !(await terminal.mustConfirm("Remove this word from all cues permanently?", CANNOT_BE_UNDONE))
  )
    return terminal.note(UNCHANGED);
  const purged = await lessons.purgeWord(word);
  terminal.print(
    `Purged: ${plural(purged, "cue")}. Commit the memory file. A branch that changed a principle later can bring one back with a merge: purge it again after that.`,
  );
  const removed = lessonsIn(await lessons.removed());
  const left = textsWith(word, await lessons.read(), removed);
  for (const line of textsLeft(left, terminal.page, spelt)) terminal.print(line);
}

interface Options extends PurgeOptions {
  readonly yes?: boolean;
}

async function purge(
  context: LessonCommandContext,
  id: string,
  { yes, ...options }: Options,
): Promise<void> {
  const { project, lessons, terminal, spelt } = context;
  const snapshot = await lessons.read();
  const removed = lessonsIn(await lessons.removed());
  const all = [...snapshot.lines().filter(isLessonLine), ...removed.map(toLine)];
  const found = findId(
    all.map(({ version }) => version.id),
    id,
  );
  if ("none" in found) throw notFound(id, found.none, PLACE);
  const whole = found.id;
  const shown = snapshot.shown(whole);
  const own = all.filter(({ version }) => version.id === whole);
  if (!mayMean(id, own)) throw notFound(id, "changed", PLACE);
  const older = own.length - shown.length;
  for (const { version } of shown) terminal.print(inShort(version, terminal.page));
  const plan = planPurge(whole, snapshot, removed);
  for (const line of whatIsDerived(whole, plan, { ...options, yes }, terminal.page, spelt))
    terminal.print(line);
  const versions = older > 0 ? `, with ${plural(older, "older version")}` : "";
  const also =
    options.derived && plan.derived.length > 0
      ? ` and ${plural(plan.derived.length, "derived lesson")}`
      : "";
  // A refusal comes before the question.
  if (!yes && !(options.derived && plan.lost.length > 0 && !options.lose)) {
    if (
      !(await terminal.mustConfirm(`Remove ${whole} for good${versions}${also}?`, CANNOT_BE_UNDONE))
    )
      return terminal.note(UNCHANGED);
  }
  const { ids, versions: count, restored } = await lessons.purge(whole, options);
  await forgetGiven(project.context.local, ids);
  for (const { version } of restored)
    terminal.print(`Restored: ${inShort(version, terminal.page)}`);
  const [its, hides] = ids.length === 1 ? ["Its id stays", "hides"] : ["Their ids stay", "hide"];
  terminal.print(
    [
      `Purged: ${plural(count, "version")} of ${ids.join(", ")}. ${its} in the file and ${hides} older versions on other branches.`,
      "Commit the memory file, so that the team's copy loses the text too.",
      "A branch that changed it later can bring its text back with a merge: purge it again after that.",
    ].join("\n"),
  );
  for (const line of whatStays(plan, options)) terminal.tell(line);

  const held = [...plan.ids];
  const commits = await commitsThatHold(held, project.folder);
  const refusal = commits.length === 0 ? await refusalOf(project.folder) : undefined;
  if (refusal)
    terminal.print(
      `Whether git history still holds it is not known: ${refusal.message}\nfix: ${refusal.fix}`,
    );
  if (commits.length === 0) return;
  terminal.tell(
    [
      `Git history still holds ${held.length > 1 ? "it and what was made from it" : "it"}, in ${plural(commits.length, "commit")}: ${commits.slice(0, 8).join(" ")}`,
      "Revoke a secret that was committed and use a new one: others may know it.",
      "To remove it from the history, rewrite the history (git filter-repo) and tell everyone with a clone.",
      `The trash of a teammate may hold it too: each runs there, once this is merged, ${held.map(purgeOf).join(", ")}`,
    ].join("\n"),
  );
}

const wrong = (what: string, fix: string): SentinelError =>
  new SentinelError("bad_argument", what, fix);
