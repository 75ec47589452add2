/** Saving a lesson. As every change here it throws before it touches the memory, so others of its turn go through. */
import { isDeepStrictEqual } from "node:util";
import { SentinelError } from "../../ground/core/errors.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import type { VersionLine } from "../format/file-lines.ts";
import {
  type Lesson,
  limitCues,
  type Meta,
  nextRevision,
  revisionOf,
  timesMet,
} from "../format/lesson.ts";
import { definingText, lessonId, sameText } from "../format/lesson-id.ts";
import { isEmptyWhen, joinedWhen, whenOf, whenWith } from "../format/when.ts";
import { afterAll } from "../merge/after.ts";
import type { WorkingCopy } from "../merge/fold.ts";
import { joinedCues } from "../merge/joined-cues.ts";
import { isLessonLine, type LessonLine } from "../merge/versions.ts";
import { type Cleared, type Draft, mustFitWhen } from "./draft.ts";
import { mustKeep } from "./losses.ts";
import { cuesFrom } from "./new-cues.ts";
import { replacedBy, type Skipped, usableSources } from "./retire.ts";
import { knownTopic, sameGap } from "./same-lesson.ts";

export interface Saved {
  readonly line: LessonLine;
  /** 1 for a lesson that is new. */
  readonly times: number;
  readonly isNew: boolean;
  /** Whether the lesson was as it is already: by a call that was made a moment ago, or before a correction that changes nothing. */
  readonly isRepeated: boolean;
  /** Whether the call named the lesson itself as what is wrong. */
  readonly isCorrection: boolean;
  /** The principle or tombstone that stood for this lesson until now. */
  readonly coveredBy?: VersionLine;
  /** The other versions that were in conflict with it until now. */
  readonly settled?: LessonLine["also"];
  readonly retired: readonly LessonLine[];
  readonly skipped: readonly Skipped[];
}

/** What a save does besides storing a text. */
export interface SaveOptions {
  /** For a principle, the full references of the lessons that it stands for; those that changed since are skipped. */
  readonly sources?: readonly string[] | undefined;
  /** References of lessons that this one corrects; all of them must be as they were shown. */
  readonly replaces?: readonly string[] | undefined;
  readonly cleared?: readonly Cleared[];
  /** The texts of a principle's sources that may be lost; where it is absent, nothing is compared. */
  readonly drop?: readonly string[] | undefined;
  /** The event that it was made from. */
  readonly from?: string;
}

/** An identical call within so many ms is the same call, sent twice. */
const SAME_CALL_MS = 10 * 60_000;

/**
 * Saves a new lesson, or a new version of one that says the same but for case, spaces and punctuation. @param words what no cue may hold.
 * @throws SentinelError `id_taken`, `bad_reference`, `no_usable_source`, `would_lose`, `stale_reference`, `not_found`, `over_limit`.
 */
export function saveLesson(
  memory: WorkingCopy,
  draft: Draft,
  { sources, replaces = [], cleared = [], drop, from }: SaveOptions,
  now: number,
  words: OwnWords = NO_OWN_WORDS,
): Saved {
  const corrected = replacedBy(memory, replaces);
  // What is corrected says nothing of how things are written.
  const topic = knownTopic(memory, draft.topic, corrected);
  const twin = sameGap(memory, { ...draft, topic }, corrected);
  const texts = {
    ...draft,
    topic,
    ...(twin && { topic: twin.topic, missing_context: twin.missing_context }),
  };
  const id = twin?.id ?? lessonId(texts);
  const shown = memory.shown(id);
  const previous = shown.find((line) => line.version === twin || sameText(line.version, texts));
  if (shown[0] && !previous)
    throw new SentinelError(
      "id_taken",
      `The id ${id} already belongs to another text (topic "${shown[0].version.topic}": "${definingText(shown[0].version).slice(0, 80)}").`,
      "Change one word of the text, or reuse that lesson's wording, and call again.",
    );

  const replaced = corrected.filter(({ version }) => version.id !== id);
  const isCorrection = replaced.length < corrected.length;
  const { retired, skipped } = sources
    ? usableSources(memory, sources, id, replaced)
    : { retired: replaced, skipped: [] };
  const lessonsOf = (line: LessonLine) =>
    [line, ...(line.also ?? [])].filter(isLessonLine).map(({ version }) => version);
  if (sources && drop) mustKeep(draft, retired.flatMap(lessonsOf), drop);
  const { ask_next_time, when: _, ...kept } = previous?.version ?? {};
  const optional = {
    ...(!cleared.includes("ask_next_time") &&
      ask_next_time !== undefined && { ask_next_time: words.redact(ask_next_time).text }),
    ...(!cleared.includes("when") && whenFor(draft, previous, retired, words)),
  };
  const said = { ...kept, ...optional, ...texts, ...keptHold(draft, previous, cleared), id };
  const settled = previous?.also;
  if (
    previous &&
    !settled &&
    retired.length === 0 &&
    isSaid(previous, said) &&
    (isCorrection || isRecent(previous, now))
  ) {
    const unchanged = {
      line: previous,
      times: timesMet(previous.version),
      isNew: false,
      isRepeated: true,
    };
    return { ...unchanged, isCorrection, retired, skipped };
  }

  const revision = nextRevision(now, [
    ...memory.instants(id),
    ...retired.map((line) => line.instant),
  ]);
  const coveredBy = previous ? undefined : memory.coveredBy(id);
  const before = [...(previous ? [previous] : []), ...replaced].map(({ version }) =>
    timesMet(version),
  );
  // A correction does not meet the gap again.
  const times = Math.max(1, ...before) + (previous && !isCorrection ? 1 : 0);
  const written = previous
    ? { ...previous.version.meta, updated: revision }
    : { created: revision };
  const lesson: Lesson = {
    ...said,
    meta: {
      ...written,
      ...(draft.type === "log" && times > 1 && { count: times }),
      ...(from !== undefined && { from }),
      ...(retired.length > 0 && { sources: joinedSources(previous?.version.meta, retired) }),
      after: afterAll(memory.versions(id), written),
    } as Meta,
  };
  const complete =
    draft.type === "log"
      ? lesson
      : asPrinciple(lesson, memory.versions(id), retired, revision, words);
  const line = memory.add(complete) as LessonLine;
  const what = { line, times, isNew: !previous, isRepeated: false, isCorrection, retired, skipped };
  return { ...what, ...(coveredBy && { coveredBy }), ...(settled && { settled }) };
}

const isSaid = ({ version }: LessonLine, said: object): boolean =>
  isDeepStrictEqual({ ...version, meta: 0 }, { ...said, meta: 0 });

const isRecent = ({ instant }: LessonLine, now: number): boolean =>
  Math.abs(now - instant) <= SAME_CALL_MS;

/** A person said that the lesson holds a call, so no agent that gives it another `when` takes that away. */
function keptHold(
  { when }: Draft,
  previous: LessonLine | undefined,
  cleared: readonly Cleared[],
): { when?: unknown } {
  const holds = previous && whenOf(previous.version).hold && !cleared.includes("hold");
  return when && holds ? { when: { ...when, hold: true } } : {};
}

/** What a call says of it, else what the lesson and those that it stands for say together, without own words. */
function whenFor(
  draft: Draft,
  previous: LessonLine | undefined,
  retired: readonly LessonLine[],
  words: OwnWords,
): { when?: unknown } {
  if (draft.when !== undefined) return { when: draft.when };
  const all = joinedWhen([
    ...(previous ? [previous.version] : []),
    ...retired.map(({ version }) => version),
  ]);
  const joined = whenWith(all, (text) => (words.redact(text).text === text ? [text] : []));
  const isAsBefore = retired.length === 0 && JSON.stringify(joined) === JSON.stringify(all);
  if (isAsBefore)
    return previous?.version.when === undefined ? {} : { when: previous.version.when };
  mustFitWhen(joined);
  return isEmptyWhen(joined) ? {} : { when: joined };
}

function joinedSources(before: Meta | undefined, retired: readonly LessonLine[]): Meta["sources"] {
  // Where two lessons share an id, the later one speaks for both.
  const inOrder = [...retired].sort((a, b) => a.instant - b.instant);
  return {
    ...before?.sources,
    ...Object.fromEntries(inOrder.map(({ version }) => [version.id, revisionOf(version.meta)])),
  };
}

/** All that versions of this principle are found by, and what its new sources add to that. */
function asPrinciple(
  lesson: Lesson,
  versions: readonly VersionLine[],
  retired: readonly LessonLine[],
  revision: string,
  words: OwnWords,
): Lesson {
  const { cues: _, ...meta } = lesson.meta;
  const { cues = [], ...since } = joinedCues(versions);
  const sources = retired.map(({ version }) => version);
  const all = limitCues([...cues, ...cuesFrom(sources, lesson.lesson, words)]);
  const compacted = {
    compacted_at: revision,
    source_count: Object.keys(meta.sources ?? {}).length,
  };
  const found = { ...since, ...(all.length > 0 && { cues: all }) };
  return { ...lesson, meta: { ...meta, ...(retired.length > 0 && compacted), ...found } };
}
