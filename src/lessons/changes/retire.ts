/** Chooses the lessons that another one replaces. */
import { SentinelError } from "../../ground/core/errors.ts";
import { fenced } from "../../ground/core/text.ts";
import { block } from "../format/lesson-text.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";
import {
  findLesson,
  mayMean,
  type NoneBecause,
  notFound,
  References,
  resolve,
} from "../queries/references.ts";

/** A source that was named but not retired. */
export interface Skipped {
  readonly reference: string;
  readonly because: NoneBecause;
  /** The lesson's current reference, if the lesson changed after the given one was printed. */
  readonly now?: string | undefined;
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
    if ("missing" in resolved) {
      const now = resolved.now && new References(snapshot).full(resolved.now);
      skipped.push({ reference, because: resolved.missing, now });
    } else if (resolved.found.version.id === principleId) {
      skipped.push({ reference, because: "itself" });
    } else {
      retired.add(resolved.found);
    }
  }
  if (retired.size === 0) {
    throw noUsableSource(skipped);
  }
  return { retired: [...retired], skipped };
}

/** Returns the lessons of some references. Throws if one has changed since it was shown, so that no lesson is replaced. */
export function replacedBy(snapshot: Snapshot, references: readonly string[]): LessonLine[] {
  const current: LessonLine[] = [];
  const stale: LessonLine[] = [];
  for (const reference of new Set(references)) {
    const line = lessonNamed(snapshot, reference);
    const isAsShown = reference.includes("@") && mayMean(reference, [line]);
    const lines = isAsShown ? current : stale;
    lines.push(line);
  }
  if (stale.length > 0) {
    throw staleReferences(snapshot, stale);
  }
  return [...new Set(current)];
}

/** Returns the lesson that a name means, even if it has changed since. @throws SentinelError `not_found`, `bad_reference`. */
export function lessonNamed(snapshot: Snapshot, name: string): LessonLine {
  const found = findLesson(snapshot, name);
  if ("none" in found) {
    throw notFound(name, found.none);
  }
  return found.line;
}

function staleReferences(snapshot: Snapshot, lines: readonly LessonLine[]): SentinelError {
  const references = lines.map((line) => new References(snapshot).full(line));
  const blocks = lines.map(({ version, also }, index) =>
    block(version, index + 1, references[index] ?? "", also),
  );
  return new SentinelError(
    "stale_reference",
    `Not all lessons to replace were shown here, or some changed since, so nothing was saved. As they are now:\n${fenced(blocks)}`,
    `To replace them still, call again with replaces: ${JSON.stringify(references)}, along with any others.`,
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
