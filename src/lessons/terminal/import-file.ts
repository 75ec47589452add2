import { SentinelError } from "../../ground/core/errors.ts";
import { plural, present } from "../../ground/core/text.ts";
import { readBytes } from "../../ground/files/read-files.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { redactionNotes } from "../answers/file-report.ts";
import { type Imported, importVersions } from "../changes/import.ts";
import { type MergeOutcome, mergeVersions } from "../merge/merge-versions.ts";
import { WorkingCopy } from "../merge/versions.ts";
import type { LessonCommandContext } from "./lessons.ts";

const MOST_LISTED = 10;

/** Merges the versions of a file into the memory. @throws SentinelError `not_found`, `not_imported`. */
export async function importFile(
  { lessons, readPrivacy, terminal }: LessonCommandContext,
  file: string,
  { dryRun }: { dryRun?: boolean },
): Promise<void> {
  const bytes = await readBytes(file);
  if (!bytes) {
    throw new SentinelError(
      "not_found",
      `There is no file ${file}.`,
      "Give the path of a memory file.",
    );
  }
  const words = (await readPrivacy()).forStoring();
  const imported = importVersions(bytes, words, terminal.progress("Looking for secrets"));
  const { records, refused } = imported;
  if (records === 0 && refused[0]) {
    throw new SentinelError(
      "not_imported",
      `${file} is not a memory: none of its lines (${refused.length}) is a lesson; the first is ${refused[0].reason}.`,
      "Give a memory_log.jsonl, or a file that export --json wrote. For another format, tell your agent to read the file and to log what this project needs with log_memory.",
    );
  }
  const { versions } = imported;
  const trial = mergeVersions(new WorkingCopy((await lessons.read()).lines()), versions);
  // Without a change nothing is written, not even the folder.
  const merged = dryRun || trial.taken === 0 ? trial : await lessons.merge(versions);
  terminal.print(summary(merged, imported, dryRun));
  tellRefused(terminal, file, refused);
}

/** Notes the lines of a file that are not imported. @throws SentinelError `not_imported` if there are any. */
function tellRefused(terminal: Terminal, file: string, refused: Imported["refused"]): void {
  const count = refused.length;
  if (count === 0) {
    return;
  }
  for (const { number, reason } of refused.slice(0, MOST_LISTED)) {
    terminal.note(`line ${number} of ${file}: not imported: ${safeLine(reason)}`);
  }
  if (count > MOST_LISTED) {
    terminal.note(`and ${count - MOST_LISTED} more`);
  }
  throw new SentinelError(
    "not_imported",
    `Not imported: ${plural(count, "line")} of ${file}.`,
    "Correct the lines named above, then do this again; lessons that are known already are skipped.",
  );
}

function summary(
  { added, updated, hidden, known }: MergeOutcome,
  { redacted, redactions }: Imported,
  dryRun = false,
): string {
  return present(
    `${dryRun ? "Would import" : "Imported"}: ${added} new, ${updated} newer, ${known} known.`,
    hidden > 0 && `Forgotten or compacted there, so removed here: ${plural(hidden, "lesson")}.`,
    ...redactionNotes(redactions, ` in ${plural(redacted, "lesson")}:`),
  ).join("\n");
}
