/** Which records go when another one is saved in their place. */
import { SentinelError } from "../../core/errors.ts";
import { fenced } from "../../core/fence.ts";
import { block } from "../answers/record-text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { findById, References, resolve } from "../queries/references.ts";

/** A source that was named but not retired. */
export interface Skipped {
  readonly reference: string;
  readonly because: "changed" | "unknown" | "retired" | "ambiguous" | "itself";
  /** The reference the record has now, when it changed after this one was printed. */
  readonly now?: string;
}

/** The sources of a principle that are as they were shown, and the others with the reason why they stay. */
export function usableSources(
  snapshot: Snapshot,
  references: readonly string[],
  principleId: string,
  replaced: readonly LessonLine[],
) {
  const retired = new Set<LessonLine>(replaced);
  const skipped: Skipped[] = [];
  for (const reference of new Set(references)) {
    const resolved = resolve(snapshot, reference);
    if ("missing" in resolved) {
      const now = "now" in resolved && { now: new References(snapshot).full(resolved.now) };
      skipped.push({ reference, because: resolved.missing, ...now });
    } else if (resolved.found.version.id === principleId) skipped.push({ reference, because: "itself" });
    else retired.add(resolved.found);
  }
  for (const line of retired) {
    // Sources are kept by id: where two records share one, both go or none.
    if (snapshot.shown(line.version.id).some((twin) => !retired.has(twin))) {
      retired.delete(line);
      skipped.push({ reference: line.version.id, because: "ambiguous" });
    }
  }
  if (retired.size === 0) throw noUsableSource(skipped);
  return { retired: [...retired], skipped };
}

/** The records of some references, each as it was shown; all of them, or none is touched. */
export function replacedBy(snapshot: Snapshot, references: readonly string[]): LessonLine[] {
  const lines = [...new Set(references)].map((reference) => {
    const line = asShown(snapshot, reference);
    if (snapshot.shown(line.version.id).length > 1) throw cannotReplace(reference, "several records have its id");
    return line;
  });
  return [...new Set(lines)];
}

function asShown(snapshot: Snapshot, reference: string): LessonLine {
  const resolved = reference.includes("@") ? resolve(snapshot, reference) : { missing: "unknown" as const };
  if ("found" in resolved) return resolved.found;
  const found = findById(snapshot, reference);
  if (typeof found === "string")
    throw cannotReplace(reference, found === "ambiguous" ? "several records begin like it" : "no record has it");
  const [line] = found as [LessonLine];
  const now = new References(snapshot).full(line);
  throw new SentinelError(
    "stale_reference",
    `${reference.slice(0, 40)} was not shown here, or has changed since, so nothing was saved. It says now:\n${fenced([block(line, 1, now)])}`,
    `If it is still to be replaced, call again with replaces: ["${now}"].`,
  );
}

function cannotReplace(reference: string, why: string): SentinelError {
  return new SentinelError(
    "not_found",
    `${reference.slice(0, 40)} cannot be replaced: ${why}. Nothing was saved.`,
    "Call search_memory and use a reference that it shows.",
  );
}

function noUsableSource(skipped: readonly Skipped[]): SentinelError {
  const reasons = skipped
    .slice(0, 10)
    .map(({ reference, because }) => `${reference.slice(0, 40)}: ${because}`)
    .join("; ");
  return new SentinelError(
    "no_usable_source",
    `None of the source_ids can be retired (${reasons || "none were given"}), so nothing was saved.`,
    "Call compact_memory again and use the references it prints now.",
  );
}
