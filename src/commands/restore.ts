import { MemoryError } from "../errors.ts";
import { LEAST_PREFIX } from "../memory/reference.ts";
import { findRemoved, type Removed } from "../store/trash.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { cut, line, type Page, PLAIN } from "./page.ts";
import { inShort } from "./records.ts";

const MOST_LISTED = 30;

export const addRestore: AddCommand = (program, open) => {
  program
    .command("restore")
    .description("bring back what was forgotten, compacted or replaced; without an id, list it")
    .argument("[id]", "of a record, or of the principle it was compacted into")
    .option("--yes", "do not ask")
    .action((id, options) => restore(open(), id, options));
};

/** Brings back the last version of a record, or of all that a principle replaced. Without an id it lists what there is. */
async function restore(
  { store, terminal }: CommandContext,
  id: string | undefined,
  { yes }: { yes?: boolean },
): Promise<void> {
  const removed = await store.removed();
  if (id === undefined) {
    terminal.print(removed.length === 0 ? "The trash is empty." : list(removed, terminal.page));
    return;
  }
  const wanted = lastOfEach(findRemoved(removed, id));
  const replaced = lastOfEach(
    removed.filter(({ because, by }) => because === "compacted" && id.length >= LEAST_PREFIX && by.startsWith(id)),
  );
  const chosen = wanted.length > 0 ? wanted : replaced;
  if (chosen.length === 0) throw notInTrash(id);
  if (!yes && terminal.isInteractive) {
    for (const { lesson } of chosen) terminal.print(inShort(lesson, terminal.page));
    if (!(await terminal.confirm("Bring this back?"))) return;
  }
  const lines = await store.restore(chosen.map(({ lesson }) => lesson));
  for (const { version } of lines) terminal.print(`Restored: ${inShort(version, terminal.page)}`);
}

function lastOfEach(removed: readonly Removed[]): Removed[] {
  const seen = new Set<string>();
  return removed.filter(({ lesson }) => !seen.has(lesson.id) && seen.add(lesson.id));
}

function list(removed: readonly Removed[], page: Page): string {
  const lines = removed.slice(0, MOST_LISTED).map(({ at, because, by, lesson }) => {
    const why = because === "compacted" ? `compacted into ${by.slice(0, 8)}` : because;
    return cut(line(`${at.slice(0, 16).replace("T", " ")}  ${why.padEnd(24)} ${inShort(lesson, PLAIN)}`), page.width);
  });
  const left = removed.length - lines.length;
  return [...lines, ...(left > 0 ? [`… and ${left} older`] : [])].join("\n");
}

function notInTrash(id: string): MemoryError {
  return new MemoryError(
    "not_found",
    `"${id}" does not name one record in the trash of this machine.`,
    "Call restore without an id to see what there is, and give more digits.",
  );
}
