/** Saves a lesson. Throws before it changes the memory, so the other calls of its turn succeed. */
import { SentinelError } from "../../ground/core/errors.ts";
import { compare } from "../../ground/core/text.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import type { VersionLine } from "../format/file-lines.ts";
import {
  cuesOf,
  definingText,
  formOf,
  instantOf,
  type Lesson,
  lessonId,
  limitCues,
  type Meta,
  type Mutable,
  nextRevision,
  revisionOf,
  sameText,
  textOf,
  timesMet,
} from "../format/lesson.ts";
import { isEmptyWhen, joinedWhen, whenOf, whenWith } from "../format/when.ts";
import {
  afterAll,
  areTwoLessons,
  isLessonLine,
  type LessonLine,
  type Snapshot,
  type WorkingCopy,
} from "../merge/versions.ts";
import { countTopics, lessonsOfTopic } from "../queries/topics.ts";
import { cuesFrom } from "./cues.ts";
import { type Cleared, type Draft, mustFitWhen } from "./draft.ts";
import { leftOutBy, mustConcern } from "./losses.ts";
import { replacedBy, type Skipped, usableSources } from "./retire.ts";

export interface Saved {
  readonly line: LessonLine;
  readonly isNew: boolean;
  /** Whether nothing was written, because the same call was saved a moment ago or a correction changes nothing. */
  readonly isRepeated: boolean;
  /** Whether the call corrects the lesson itself. */
  readonly isCorrection: boolean;
  /** The principle or tombstone that covered this lesson until now. */
  readonly coveredBy?: VersionLine | undefined;
  /** The other versions that were in conflict with it until now. */
  readonly settled?: LessonLine["also"];
  readonly retired: readonly LessonLine[];
  readonly skipped: readonly Skipped[];
  /** The numbers, names and prohibitions of its sources that a principle leaves out. */
  readonly leftOut: readonly string[];
}

/** Options of a save for more than storing a text. */
export interface SaveOptions {
  /** For a principle, the full references of the lessons that it replaces. Lessons that changed since are skipped. */
  readonly sources?: readonly string[] | undefined;
  /** References of lessons that this one corrects. All of them must be unchanged since they were shown. */
  readonly replaces?: readonly string[] | undefined;
  readonly cleared?: readonly Cleared[];
  /** The event that the lesson was made from. */
  readonly from?: string | undefined;
}

/** An identical call within this time is the same call, sent twice. */
const SAME_CALL_MS = 10 * 60_000;

/**
 * Saves a new lesson, or a new version of one that differs only in case, spaces and punctuation. @param words must not be in a cue.
 * @throws SentinelError `id_taken`, `bad_reference`, `no_usable_source`, `would_lose`, `stale_reference`, `not_found`, `over_limit`.
 */
export function saveLesson(
  memory: WorkingCopy,
  draft: Draft,
  options: SaveOptions,
  now: number,
  words: OwnWords = NO_OWN_WORDS,
): Saved {
  const target = findTarget(memory, draft, replacedBy(memory, options.replaces ?? []));
  const { previous, isCorrection } = target;
  const { retired, skipped } = options.sources
    ? usableSources(memory, options.sources, target.id, target.replaced)
    : { retired: target.replaced, skipped: [] };
  const leftOut = options.sources ? compareWithSources(draft, retired) : [];
  const said = wording(target, retired, options.cleared ?? [], words);
  const common = { isCorrection, retired, skipped, leftOut };
  if (previous && retired.length === 0 && changesNothing(previous, said, isCorrection, now)) {
    return { ...common, line: previous, isNew: false, isRepeated: true };
  }

  const coveredBy = previous ? undefined : memory.coveredBy(target.id);
  const meta = newMeta(memory, target, retired, now);
  if (options.from !== undefined) {
    meta.from = options.from;
  }
  meta.after = afterAll(memory.versions(target.id), meta);
  const lesson: Lesson = { ...said, meta };
  const line = memory.add(
    lesson.type === "log" ? lesson : asPrinciple(lesson, retired, words),
  ) as LessonLine;
  const settled = previous?.also?.filter((other) => !areTwoLessons(other, line));
  return { ...common, line, isNew: !previous, isRepeated: false, coveredBy, settled };
}

/** The lesson as which a draft is saved. */
interface Target {
  readonly id: string;
  /** The draft, with topic and gap spelled as they are stored. */
  readonly draft: Draft;
  /** The version that shows now. Undefined for a new lesson. */
  readonly previous: LessonLine | undefined;
  /** The other lessons that this one corrects. */
  readonly replaced: readonly LessonLine[];
  /** Whether the lesson itself is among those that the call corrects. */
  readonly isCorrection: boolean;
}

function findTarget(memory: WorkingCopy, given: Draft, corrected: readonly LessonLine[]): Target {
  // The lessons being replaced must not decide how the topic is spelled.
  const topic = knownTopic(memory, given.topic, corrected);
  const twin = sameGap(memory, given, corrected);
  const missing_context = twin?.missing_context ?? given.missing_context;
  const draft = { ...given, topic: twin?.topic ?? topic, missing_context };
  const id = twin?.id ?? lessonId(draft);
  const previous = memory.shown(id);
  const isFree = !previous || previous.version === twin || sameText(previous.version, draft);
  if (!isFree) {
    throw idTaken(previous.version);
  }
  const replaced = corrected.filter(({ version }) => version.id !== id);
  // Sources are stored by id, so another lesson with the same id would be replaced too.
  const shared = replaced.find((line) => line.also?.some((other) => areTwoLessons(other, line)));
  if (shared) {
    throw new SentinelError(
      "id_taken",
      `The id ${shared.version.id} belongs to two texts, and this would replace both.`,
      "Keep topic and gap, or forget the id and log both lessons in other words.",
    );
  }
  return { id, draft, previous, replaced, isCorrection: replaced.length < corrected.length };
}

function idTaken(other: Lesson): SentinelError {
  return new SentinelError(
    "id_taken",
    `The id ${other.id} already belongs to another text (topic "${other.topic}": "${definingText(other).slice(0, 80)}").`,
    "Change one word of the text, or reuse that lesson's wording, and call again.",
  );
}

/** Returns the details of its sources that a principle leaves out, including details of texts in conflict with them. */
function compareWithSources(principle: Draft, retired: readonly LessonLine[]): string[] {
  const sources = retired
    .flatMap((line) => [line, line.also ?? []].flat())
    .filter(isLessonLine)
    .map(({ version }) => version);
  mustConcern(principle, sources);
  return leftOutBy(principle, sources);
}

/** The lesson without its dates: the draft, with missing fields from the last version. */
function wording(
  { id, draft, previous }: Target,
  retired: readonly LessonLine[],
  cleared: readonly Cleared[],
  words: OwnWords,
): Omit<Lesson, "meta"> {
  const { meta: _, ...before }: Partial<Lesson> = previous?.version ?? {};
  const said = { ...before, ...draft, id };
  if (draft.ask_next_time === undefined) {
    const question = cleared.includes("ask_next_time") ? undefined : before.ask_next_time;
    said.ask_next_time = question === undefined ? undefined : words.redact(question).text;
  }
  if (draft.when === undefined) {
    said.when = cleared.includes("when") ? undefined : keptWhen(previous, retired, words);
  } else if (previous && whenOf(previous.version).hold && !cleared.includes("hold")) {
    // Only a person allows or forbids a lesson to block a call.
    said.when = { ...draft.when, hold: true };
  }
  return said;
}

/** Returns the joined `when` of the lesson and the lessons it replaces, without own words. */
function keptWhen(
  previous: LessonLine | undefined,
  retired: readonly LessonLine[],
  words: OwnWords,
): unknown {
  const lessons = previous ? [previous, ...retired] : retired;
  const all = joinedWhen(lessons.map(({ version }) => version));
  const joined = whenWith(all, (text) => (words.redact(text).text === text ? [text] : []));
  const isAsBefore = retired.length === 0 && JSON.stringify(joined) === JSON.stringify(all);
  if (isAsBefore) {
    return previous?.version.when;
  }
  mustFitWhen(joined);
  return isEmptyWhen(joined) ? undefined : joined;
}

/** Whether a save only repeats the lesson: in a correction, or in a call that was sent twice. */
function changesNothing(
  previous: LessonLine,
  said: Omit<Lesson, "meta">,
  isCorrection: boolean,
  now: number,
): boolean {
  if (previous.also) {
    return false;
  }
  if (textOf(previous.version) !== textOf({ ...said, meta: { created: "" } })) {
    return false;
  }
  return isCorrection || Math.abs(now - previous.instant) <= SAME_CALL_MS;
}

/** Counts how often the gap was met. A correction doesn't count. */
function countTimes({ previous, replaced, isCorrection }: Target): number {
  const before = previous ? [previous, ...replaced] : replaced;
  const most = Math.max(1, ...before.map(({ version }) => timesMet(version)));
  return previous && !isCorrection ? most + 1 : most;
}

function newMeta(
  memory: WorkingCopy,
  target: Target,
  retired: readonly LessonLine[],
  now: number,
): Mutable<Meta> {
  const { id, draft, previous } = target;
  const times = countTimes(target);
  const seen = [...memory.instants(id), ...retired.map(({ instant }) => instant)];
  const revision = nextRevision(now, seen);
  const meta: Mutable<Meta> = previous
    ? { ...previous.version.meta, updated: revision }
    : { created: revision };
  if (draft.type === "log" && times > 1) {
    meta.count = times;
  }
  if (retired.length > 0) {
    meta.sources = joinSources(meta.sources, retired);
  }
  return meta;
}

/** Adds the lessons that a version replaces to its sources. */
export function joinSources(
  before: Meta["sources"],
  retired: readonly LessonLine[],
): Meta["sources"] {
  const added = retired.map(({ version }) => [version.id, revisionOf(version.meta)] as const);
  return { ...before, ...Object.fromEntries(added) };
}

/** Adds the fields that only principles have: the number of lessons it was made from, and the cues by which searches find it. */
function asPrinciple(lesson: Lesson, retired: readonly LessonLine[], words: OwnWords): Lesson {
  const meta: Mutable<Meta> = { ...lesson.meta };
  const sources = retired.map(({ version }) => version);
  const cues = limitCues([...cuesOf(meta), ...cuesFrom(sources, lesson.lesson, words)]);
  if (retired.length > 0) {
    meta.compacted_at = revisionOf(meta);
    meta.source_count = Object.keys(meta.sources ?? {}).length;
  }
  meta.cues = cues.length > 0 ? cues : undefined;
  return { ...lesson, meta };
}

/** The topic in the case, separators and Unicode form of most lessons. @param except lessons to ignore. */
function knownTopic(snapshot: Snapshot, topic: string, except: readonly LessonLine[] = []): string {
  const others = snapshot.lessons().filter((line) => !except.includes(line));
  return countTopics(lessonsOfTopic(others, topic))[0]?.topic ?? topic;
}

/** The earliest lesson of the same gap. @param except lessons to ignore. */
export function sameGap(
  snapshot: Snapshot,
  draft: Draft,
  except: readonly LessonLine[] = [],
): Lesson | undefined {
  const form = formOf(draft);
  if (form === undefined) {
    return undefined;
  }
  const lines = snapshot.lessons().filter((line) => !except.includes(line));
  const same = lines.filter(({ version }) => formOf(version) === form);
  return same.map(({ version }) => version).sort(earliestFirst)[0];
}

function earliestFirst(a: Lesson, b: Lesson): number {
  const byTime = compare(instantOf(a.meta.created), instantOf(b.meta.created));
  return byTime || compare(a.id, b.id);
}
