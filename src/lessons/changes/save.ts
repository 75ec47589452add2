/**
 * What can be done to a memory. Each change validates first and throws before it touches the snapshot, so a change that is
 * refused leaves nothing behind and the changes that share its turn go through.
 */
import { SentinelError } from "../../core/errors.ts";
import { limitCues } from "../format/cues.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { type Lesson, type Meta, timesMet } from "../format/record.ts";
import { definingText, lessonId, sameText } from "../format/record-id.ts";
import { nextRevision, revisionOf } from "../format/revision.ts";
import type { WorkingCopy } from "../merge/fold.ts";
import { joinedCues } from "../merge/joined-cues.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { References, resolve } from "../queries/references.ts";
import { cuesFrom } from "./cues.ts";
import type { Draft } from "./draft.ts";

/** A source that was named but not retired. */
export interface Skipped {
  readonly reference: string;
  readonly because: "changed" | "unknown" | "retired" | "ambiguous" | "itself";
  /** The reference the record has now, when it changed after this one was printed. */
  readonly now?: string;
}

export interface Saved {
  readonly line: LessonLine;
  /** 1 for a record that is new. */
  readonly times: number;
  readonly isNew: boolean;
  /** The principle or tombstone that stood for this record until now. */
  readonly coveredBy?: VersionLine;
  readonly retired: readonly LessonLine[];
  readonly skipped: readonly Skipped[];
  /** How many lessons show after this change. */
  readonly count: number;
}

/**
 * Saves a lesson: a new record, or a new version of the one that says the same (seed 1, section 3-2).
 *
 * @param sources for a principle, the full references of the records it replaces; they go in the same change.
 * @param now in ms since 1970.
 * @throws SentinelError `id_taken`, `bad_reference`, `no_usable_source`.
 */
export function saveLesson(
  memory: WorkingCopy,
  draft: Draft,
  sources: readonly string[] | undefined,
  now: number,
): Saved {
  const id = lessonId(draft);
  const shown = memory.shown(id);
  const previous = shown.find((line) => sameText(line.version, draft));
  if (shown[0] && !previous) throw idTaken(id, shown[0].version);
  const { retired, skipped } = sources ? usableSources(memory, sources, id) : NO_SOURCES;

  const seen = [...memory.instants(id), ...retired.map((line) => line.instant)];
  const revision = nextRevision(now, seen);
  const coveredBy = previous ? undefined : memory.coveredBy(id);
  const times = previous ? timesMet(previous.version) + 1 : 1;
  const lesson: Lesson = {
    ...previous?.version,
    ...draft,
    id,
    meta: {
      ...previous?.version.meta,
      ...(previous ? { updated: revision } : { created: revision }),
      ...(draft.type === "log" && times > 1 && { count: times }),
      ...(sources && compacted(previous?.version.meta, retired, revision)),
      ...(draft.type === "principle" && cuesFor(memory.versions(id), draft, retired)),
    } as Meta,
  };
  const line = memory.add(lesson) as LessonLine;
  return { line, times, isNew: !previous, ...(coveredBy && { coveredBy }), retired, skipped, count: memory.count };
}

const NO_SOURCES = { retired: [], skipped: [] } as const;

function compacted(before: Meta | undefined, retired: readonly LessonLine[], revision: string): Partial<Meta> {
  // Where two records share an id, the later one speaks for both.
  const inOrder = [...retired].sort((a, b) => a.instant - b.instant);
  const sources = {
    ...before?.sources,
    ...Object.fromEntries(inOrder.map(({ version }) => [version.id, revisionOf(version.meta)])),
  };
  return { compacted_at: revision, source_count: Object.keys(sources).length, sources };
}

/** All that versions of this principle are found by, and what its new sources add to that. */
function cuesFor(versions: readonly VersionLine[], { lesson }: Draft, retired: readonly LessonLine[]): Partial<Meta> {
  const { cues = [], ...since } = joinedCues(versions);
  const sources = retired.map(({ version }) => version);
  const all = limitCues([...cues, ...cuesFrom(sources, lesson)]);
  return { ...since, ...(all.length > 0 && { cues: all }) };
}

function usableSources(snapshot: Snapshot, references: readonly string[], principleId: string) {
  const retired = new Set<LessonLine>();
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

function idTaken(id: string, holder: Lesson): SentinelError {
  return new SentinelError(
    "id_taken",
    `The id ${id} already belongs to another text (topic "${holder.topic}": "${definingText(holder).slice(0, 80)}").`,
    "Change one word of the text, or reuse that record's wording, and call again.",
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
