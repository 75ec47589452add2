import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { plural, present } from "../../ground/core/text.ts";
import { readBytes } from "../../ground/files/named-file.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { redactionNotes } from "../answers/redaction-notes.ts";
import { type Imported, importVersions } from "../changes/import.ts";
import { WorkingCopy } from "../merge/fold.ts";
import { type MergeOutcome, mergeVersions } from "../merge/merge-versions.ts";
import type { LessonCommandContext } from "./read-memory.ts";

const MOST_LISTED = 10;

/** Merges the versions of a file into the memory. @throws SentinelError `not_found`, `not_imported`. */
export async function importFile(
  { lessons, readPrivacy, terminal }: LessonCommandContext,
  file: string,
  { dryRun }: { dryRun?: boolean },
): Promise<void> {
  const bytes = await readBytes(file);
  if (!bytes)
    throw new SentinelError(
      "not_found",
      `There is no file ${file}.`,
      "Give the path of a memory file.",
    );
  const words = (await readPrivacy()).forStoring();
  const imported = importVersions(bytes, words, terminal.progress("Looking for secrets"));
  const { records, refused } = imported;
  if (records === 0) mustBeNoGraph(file, bytes.toString("utf8"));
  if (records === 0 && refused[0])
    throw new SentinelError(
      "not_imported",
      `${file} is not a memory: none of its lines (${refused.length}) is a lesson; the first is ${refused[0].reason}.`,
      "Give a memory_log.jsonl, or a file that export --json wrote.",
    );
  const before = await lessons.read();
  const expected = mergeVersions(new WorkingCopy(before.lines()), imported.versions);
  const merged = dryRun || expected.taken === 0 ? expected : await lessons.merge(imported.versions);
  terminal.print(summary(merged, imported, dryRun));
  tellRefused(terminal, file, refused, dryRun);
}

/** @throws SentinelError `not_imported` for the file of the MCP memory server, or an answer of its `read_graph`. */
function mustBeNoGraph(file: string, text: string): void {
  const whole: { entities?: unknown } | null = tryOr(() => JSON.parse(text), null);
  const read = (line: string): unknown => tryOr(() => JSON.parse(line), null);
  const items = Array.isArray(whole?.entities) ? whole.entities : text.split("\n").map(read);
  const entities = items.filter(isEntity);
  if (entities.length === 0) return;
  const observations = entities.reduce((sum, entity) => sum + entity.observations.length, 0);
  throw new SentinelError(
    "not_imported",
    `${file} is the knowledge graph of the MCP memory server: ${plural(entities.length, "entity")}, ${plural(observations, "observation")}. An observation is not a lesson, so nothing was imported.`,
    `Tell your agent: "Read ${file} and log each observation that this project needs, with log_memory."`,
  );
}

const isEntity = (
  item: { name?: unknown; observations?: unknown } | null,
): item is { observations: unknown[] } =>
  typeof item?.name === "string" && Array.isArray(item.observations);

/** Notes the lines of a file that are not imported. @throws SentinelError `not_imported` if there are any. */
function tellRefused(
  terminal: Terminal,
  file: string,
  refused: Imported["refused"],
  dryRun = false,
): void {
  const count = refused.length;
  if (count === 0) return;
  for (const { number, reason } of refused.slice(0, MOST_LISTED))
    terminal.note(`line ${number} of ${file}: not imported: ${safeLine(reason)}`);
  if (count > MOST_LISTED) terminal.note(`and ${count - MOST_LISTED} more`);
  const were = count === 1 ? "was not" : "were not";
  const verb = dryRun ? "would not be" : were;
  throw new SentinelError(
    "not_imported",
    `${plural(count, "line")} of ${file} ${verb} imported.`,
    "Correct the lines named above, then do this again; lessons that are known already are skipped.",
  );
}

function summary(
  { added, updated, hidden, known, retired }: MergeOutcome,
  { leftOut, redacted, redactions }: Imported,
  dryRun = false,
): string {
  const stayed = retired + leftOut;
  return present(
    `${dryRun ? "Would import" : "Imported"}: ${added} new, ${updated} newer, ${known} known.`,
    hidden > 0 && `Forgotten or compacted there, so removed here: ${plural(hidden, "lesson")}.`,
    stayed > 0 && `Forgotten or compacted there, and not known here: ${plural(stayed, "lesson")}.`,
    ...redactionNotes(redactions, ` in ${plural(redacted, "lesson")}:`),
  ).join("\n");
}
