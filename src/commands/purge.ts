import { MemoryError } from "../errors.ts";
import { plural } from "../memory/presentation.ts";
import { idsNamed } from "../memory/reference.ts";
import { isLessonLine } from "../memory/versions.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { commitsThatHold } from "./git.ts";
import { inShort } from "./records.ts";

export const addPurge: AddCommand = (program, open) => {
  program
    .command("purge")
    .description("take a record out for good, from the memory and the local trash: for a secret that got in")
    .argument("<id>", "its id, or the first 6 or more digits")
    .option("--yes", "do not ask")
    .action((id, options) => purge(open(), id, options));
};

/** Takes a record out for good, and says where it may still be. */
async function purge(
  { project, store, terminal }: CommandContext,
  id: string,
  { yes }: { yes?: boolean },
): Promise<void> {
  const ledger = await store.read();
  const removed = await store.removed();
  const lines = ledger.lines().filter(isLessonLine);
  const [whole, ...others] = idsNamed(
    [...lines.map(({ version }) => version.id), ...removed.map(({ lesson }) => lesson.id)],
    id,
  );
  if (whole === undefined || others.length > 0) throw notOne(id, others.length > 0);
  const shown = ledger.shown(whole);
  const older =
    lines.filter(({ version }) => version.id === whole).length -
    shown.length +
    removed.filter(({ lesson }) => lesson.id === whole).length;
  for (const { version } of shown) terminal.print(inShort(version, terminal.page));
  if (!yes && !(await terminal.mustConfirm(`Remove ${whole} for good, ${plural(older, "older version")} too?`))) return;
  const versions = await store.purge(whole);
  terminal.print(
    [
      `Purged: ${plural(versions, "version")} of ${whole}; only its id remains, which hides what other branches hold of it until now.`,
      "A branch that still has its text brings that into the file again, hidden, or in view where it is changed later: purge it there, too.",
    ].join("\n"),
  );

  const commits = await commitsThatHold(whole, project.folder);
  if (commits.length === 0) return;
  terminal.print(
    [
      `Git history still holds it, in ${plural(commits.length, "commit")}: ${commits.slice(0, 8).join(" ")}`,
      "A secret that was committed has to be replaced where it is used: consider it known.",
      "To take it out of history, rewrite it (git filter-repo) with everybody who has a clone.",
    ].join("\n"),
  );
}

function notOne(id: string, several: boolean): MemoryError {
  const what = several ? "does not name one record" : "names no record, nor anything in the trash of this machine";
  return new MemoryError(
    "not_found",
    `"${id}" ${what}; nothing was changed.`,
    "Give more digits of an id that search or restore shows.",
  );
}
