import { MemoryError } from "../errors.ts";
import { type Adopted, adoptVersions } from "../memory/adopt.ts";
import { plural } from "../memory/presentation.ts";
import { type United, uniteVersions } from "../memory/unite.ts";
import { readBytes } from "../store/files.ts";
import type { AddCommand, CommandContext } from "./command.ts";

export const addImport: AddCommand = (program, open) => {
  program
    .command("import")
    .description("merge the records of another memory into this one, as a git merge would, without its secrets")
    .argument("<file>", "a memory_log.jsonl, also of the original Sentinel, or what export --json wrote")
    .option("--dry-run", "only say what would come of it")
    .action((file, options) => importFile(open(), file, options));
};

async function importFile(
  { store, terminal }: CommandContext,
  file: string,
  { dryRun }: { dryRun?: boolean },
): Promise<void> {
  const bytes = await readBytes(file);
  if (!bytes) throw new MemoryError("not_found", `There is no file ${file}.`, "Give the path of a memory file.");
  const adopted = adoptVersions(bytes, terminal.progress("Looking for secrets"));
  const expected = uniteVersions((await store.read()).fork(), adopted.versions);
  const united = dryRun || expected.taken === 0 ? expected : await store.unite(adopted.versions);
  for (const { number, reason } of adopted.refused) terminal.note(`line ${number} of ${file}: not imported: ${reason}`);
  terminal.print(summary(united, adopted, dryRun));
  if (adopted.refused.length > 0) throw notAll(file, adopted.refused.length, dryRun);
}

function notAll(file: string, count: number, dryRun = false): MemoryError {
  return new MemoryError(
    "not_imported",
    `${plural(count, "line")} of ${file} ${dryRun ? "would not be" : "were not"} imported; each is named above.`,
    "Correct them there and import the file again; what is known already is passed over.",
  );
}

function summary({ added, updated, hidden, known }: United, { redactions }: Adopted, dryRun = false): string {
  return [
    `${dryRun ? "Would import" : "Imported"}: ${added} new, ${updated} newer, ${known} known.`,
    ...(hidden > 0 ? [`Forgotten or compacted there, and so taken out here: ${plural(hidden, "record")}.`] : []),
    ...(redactions > 0 ? [`Secrets and private passages taken out on the way in: ${redactions}.`] : []),
  ].join("\n");
}
