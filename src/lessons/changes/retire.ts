/** Chooses the lessons that another one replaces. */
import { SentinelError } from "../../ground/core/errors.ts";
import { fenced } from "../../ground/core/text.ts";
import { block } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { areTwoLessons, type LessonLine } from "../merge/versions.ts";
import { findLesson, notFound, References, resolve } from "../queries/references.ts";

/** A source that was named but not retired. */
export interface Skipped {
  readonly reference: string;
  readonly because: "changed" | "unknown" | "retired" | "ambiguous" | "itself";
  /** The lesson's current reference, if the lesson changed after the given one was printed. */
  readonly now?: string;
}

/** Returns the sources of a principle that haven't changed since they were shown, and the others with the reason why they stay. */
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
    if ("now" in resolved) {
      const now = new References(snapshot).full(resolved.now);
      skipped.push({ reference, because: "changed", now });
    } else if ("missing" in resolved) {
      skipped.push({ reference, because: resolved.missing });
    } else if (resolved.found.version.id === principleId) {
      skipped.push({ reference, because: "itself" });
    } else {
      retired.add(resolved.found);
    }
  }
  if (retired.size === 0) throw noUsableSource(skipped);
  return { retired: [...retired], skipped };
}

/** Returns the lessons of some references. Throws if one has changed since it was shown, so that no lesson is replaced. */
export function replacedBy(snapshot: Snapshot, references: readonly string[]): LessonLine[] {
  const named = [...new Set(references)].map((reference) => logOf(snapshot, reference));
  const stale = named.filter(({ asShown }) => !asShown).map(({ line }) => line);
  if (stale.length > 0) throw staleReferences(snapshot, stale);
  return [...new Set(named.map(({ line }) => line))];
}

/** Refuses to give a lesson another id if a second lesson has its id, because sources are stored by id. */
export function mustBeAlone(lines: readonly LessonLine[]): void {
  for (const line of lines) {
    const { id } = line.version;
    if (!line.also?.some((other) => areTwoLessons(other, line))) continue;
    throw new SentinelError(
      "id_taken",
      `The id ${id} belongs to two texts, and this would replace both, so nothing was changed.`,
      "Keep topic and gap, or forget the id and log both lessons in other words.",
    );
  }
}

/** Returns the lesson that a reference means, and whether it's unchanged since it was shown. */
function logOf(snapshot: Snapshot, reference: string): { line: LessonLine; asShown: boolean } {
  const resolved = reference.includes("@") ? resolve(snapshot, reference) : undefined;
  if (resolved && "found" in resolved) return { line: resolved.found, asShown: true };
  return { line: lessonNamed(snapshot, reference), asShown: false };
}

/** Returns the lesson that a name means, even if it has changed since. @throws SentinelError `not_found`, `bad_reference`. */
export function lessonNamed(snapshot: Snapshot, name: string): LessonLine {
  const found = findLesson(snapshot, name);
  if ("none" in found) throw notFound(name, found.none);
  return found.line;
}

function staleReferences(snapshot: Snapshot, lines: readonly LessonLine[]): SentinelError {
  const references = lines.map((line) => new References(snapshot).full(line));
  const blocks = lines.map(({ version, also }, index) =>
    block(version, index + 1, references[index] as string, also),
  );
  const [what, it] =
    lines.length === 1 ? ["A lesson", "it is"] : [`${lines.length} lessons`, "they are"];
  return new SentinelError(
    "stale_reference",
    `${what} to replace ${lines.length === 1 ? "was" : "were"} not shown here, or changed since, so nothing was saved. As ${it} now:\n${fenced(blocks)}`,
    `If ${it} still to be replaced, call again with replaces: ${JSON.stringify(references)}, along with any others.`,
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
