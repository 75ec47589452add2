/** Defines lessons. A *version* is a line that parses as a lesson. The snapshot chooses which version of an id shows. Writing is strict, see draft.ts. */
import { hash } from "node:crypto";
import { isObject } from "../../ground/core/collections.ts";
import { memoize, memoizeByObject } from "../../ground/core/memoize.ts";

/** Fields of `meta`. Timestamps are ISO 8601. Unknown fields are kept. */
export interface Meta {
  /** When the lesson was first saved. Empty if a hand-made line lacks it. */
  readonly created: string;
  readonly updated?: string;
  /** How often this gap was met. Absent means once. */
  readonly count?: number;
  readonly compacted_at?: string;
  readonly source_count?: number;
  /** The lessons that a principle or a tombstone covers: id -> the highest revision it covers. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Words of a principle's sources by which searches find it. See `limitCues`. */
  readonly cues?: readonly string[];
  readonly reason?: string;
  /** The event in a session log that the lesson was made from. */
  readonly from?: string;
  /** The versions of the lesson that the writer of this one had read. See `afterAll`. */
  readonly after?: unknown;
  readonly [unknown: string]: unknown;
}

/** A lesson: one gap (`log`), or the principle that several gaps were compacted into. */
export interface Lesson {
  readonly id: string;
  readonly type: "log" | "principle";
  readonly topic: string;
  /** The gap in the instructions. Empty for a principle. */
  readonly missing_context: string;
  readonly lesson: string;
  readonly ask_next_time?: string;
  /** The work in which it comes up, unparsed. See when.ts. */
  readonly when?: unknown;
  readonly meta: Meta;
}

/** Marks a lesson as forgotten: it hides every older version of its id. */
export interface Tombstone {
  readonly id: string;
  readonly type: "forgotten";
  readonly meta: Meta;
}

export type Version = Lesson | Tombstone;

/** Makes the fields of a type writable, to fill them one by one. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Most UTF-8 bytes a stored field may have (docs/design/lessons.md, "The file"). */
export const BYTE_LIMITS = {
  topic: 64,
  missing_context: 1024,
  lesson: 1024,
  ask_next_time: 512,
  reason: 256,
} as const;

/** A valid id in a file. Ours are 16 hex digits. A hand-made one may be any plain word. */
const ID = /^[A-Za-z0-9][\w.:-]{0,63}$/;

/** The reason for a value that may be a lesson without an id. */
export const NO_USABLE_ID = "no usable id";

/** The fields of a line, and of its `meta`, in their order. */
const FIELDS = [
  "id",
  "type",
  "topic",
  "missing_context",
  "lesson",
  "ask_next_time",
  "when",
  "meta",
] as const;
const META_FIELDS = [
  "created",
  "updated",
  "count",
  "compacted_at",
  "source_count",
  "reason",
  "sources",
  "cues",
] as const;

/** Reads a parsed JSON value as a version. @returns the version, or in a few words why it can't be one. */
export function readVersion(value: unknown): Version | string {
  if (!isObject(value)) {
    return "not a JSON object";
  }
  const { id, type } = value;
  if (typeof id !== "string" || !ID.test(id)) {
    return NO_USABLE_ID;
  }
  const meta = readMeta(value.meta);
  if (type === "forgotten") {
    return { ...value, id, type, meta };
  }
  if (type !== "log" && type !== "principle") {
    return "unknown type";
  }

  const { topic, missing_context = "", lesson, ask_next_time } = value;
  const texts = { topic, missing_context, lesson, ask_next_time: ask_next_time ?? "" };
  const wrong = Object.entries(texts).find(([, text]) => typeof text !== "string");
  if (wrong) {
    return `${wrong[0]} is not a text`;
  }
  const read = { ...value, missing_context, ask_next_time: ask_next_time ?? undefined, meta };
  return read as unknown as Lesson;
}

/** Renders a version as its line: known fields in the documented order, then the unknown ones. No line end. */
export function writeVersion(version: Version): string {
  const meta = inOrder(META_FIELDS, version.meta);
  return JSON.stringify(inOrder(FIELDS, { ...version, meta }));
}

/** The same values, those with the given names first. JSON leaves out the undefined ones. */
function inOrder(names: readonly string[], values: object): object {
  const all = new Map(Object.entries(values));
  const first = names.map((name) => [name, all.get(name)]);
  return Object.fromEntries([...first, ...all]);
}

/** The text of a lesson, without its dates and counts. */
export const textOf = (lesson: Lesson): string =>
  writeVersion({ ...lesson, meta: { created: "" } });

export const isTombstone = (version: Version): version is Tombstone => version.type === "forgotten";

/** How often a lesson's gap was met. */
export function timesMet(lesson: Lesson): number {
  const { count } = lesson.meta;
  return typeof count === "number" && count >= 1 ? Math.floor(count) : 1;
}

/** Formats that number for people: "met 3 times". Empty if the gap was met once. */
export function metOften(lesson: Lesson): string {
  const times = timesMet(lesson);
  return times > 1 ? `met ${times} times` : "";
}

function readMeta(value: unknown): Meta {
  if (!isObject(value)) {
    return { created: "" };
  }
  const { created, updated, reason, from, sources, ...rest } = value;
  return {
    created: textIn(created) ?? "",
    updated: textIn(updated),
    reason: textIn(reason),
    from: textIn(from),
    ...rest,
    sources: isObject(sources) ? onlyTexts(sources) : undefined,
  };
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

function onlyTexts(object: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** The instant of an invalid timestamp. It's the oldest, so the line never hides a valid one. */
export const OLDEST = Number.NEGATIVE_INFINITY;

const TIMESTAMP =
  /^(?:\d{4}|\+\d{6})-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** The last instant that we read and write, in ms. The platform's limit is 8.64e15. */
const LAST = 8.6e15;

/** The revision of a version: when it was last written. */
export const revisionOf = (meta: Meta): string => meta.updated ?? meta.created;

/** The instant of a revision, in ms. A time without a zone is read as UTC, so it means the same on every machine. */
export function instantOf(revision: string): number {
  const zone = TIMESTAMP.exec(revision);
  if (!zone) {
    return OLDEST;
  }
  const instant = Date.parse(zone[1] === undefined ? `${revision}Z` : revision);
  return instant <= LAST ? instant : OLDEST;
}

/** Whether a revision comes after another. If two spellings mean the same instant, the texts decide, so all copies of a file agree. */
export function isLater(a: string, b: string): boolean {
  const x = instantOf(a);
  const y = instantOf(b);
  return x > y || (x === y && a > b);
}

/** The latest of now and 1 ms after all known revisions, so a slow clock never hides a later write. Never after the last instant. */
export function nextRevision(now: number, seen: Iterable<number>): string {
  let instant = now;
  for (const other of seen) {
    if (other >= instant) {
      instant = other + 1;
    }
  }
  return new Date(Math.min(instant, LAST)).toISOString();
}

/** The most cues that a principle has, and the most bytes of UTF-8 that each of them has. */
const MOST_CUES = 40;
export const MOST_CUE_BYTES = 24;

/** The cues of a version. Empty if they are not a list of short words. */
export function cuesOf(meta: Meta): readonly string[] {
  const { cues } = meta;
  return Array.isArray(cues) ? limitCues(cues.filter((cue) => typeof cue === "string")) : [];
}

/** Returns the words that a principle keeps as cues. Drops words that are too long. If there are too many, keeps the longest. */
export function limitCues(words: Iterable<string>): string[] {
  const short = [...new Set(words)].filter(
    (word) => word !== "" && Buffer.byteLength(word, "utf8") <= MOST_CUE_BYTES,
  );
  if (short.length <= MOST_CUES) {
    return short;
  }
  return short.sort((a, b) => [...b].length - [...a].length).slice(0, MOST_CUES);
}

const ID_DIGITS = 16;

/** The text that identifies a lesson together with its topic (docs/design/lessons.md, "The file"). */
export function definingText(lesson: Pick<Lesson, "type" | "missing_context" | "lesson">): string {
  return lesson.type === "log" ? lesson.missing_context : lesson.lesson;
}

/** The first 16 hex digits of the SHA-256 of topic + defining text, both as stored in UTF-8. */
export function lessonId(
  lesson: Pick<Lesson, "type" | "topic" | "missing_context" | "lesson">,
): string {
  return hash("sha256", lesson.topic + definingText(lesson)).slice(0, ID_DIGITS);
}

/** SHA-256 of a line's bytes, in hex. Any change of the line changes it. */
export const lineDigest = (raw: string): string => hash("sha256", Buffer.from(raw, "latin1"));

/** Whether two lessons have the same topic and defining text, so that one may be a version of the other. */
export function sameText(
  a: Lesson,
  b: Pick<Lesson, "type" | "topic" | "missing_context" | "lesson">,
): boolean {
  return a.type === b.type && a.topic === b.topic && definingText(a) === definingText(b);
}

/** The number of topics to memoize. Many lessons share a topic. */
const TOPICS_KEPT = 1_000;
const FINAL_PUNCTUATION = /[\s.!?…。、,;:]+$/u;
const INVISIBLE = /\p{Cf}/gu;
/** The separators between the words of a topic. */
const SEPARATORS = /[\s_./:-]+/u;

/** A topic without differences in case, separators and Unicode form. */
export const topicForm = memoize((topic) => {
  const words = folded(topic.replace(INVISIBLE, "")).split(SEPARATORS);
  return words.filter(Boolean).join("-") || topic;
}, TOPICS_KEPT);

/** A gap without differences in case, white space, final punctuation and Unicode form. */
export function gapForm(missing_context: string): string {
  return folded(missing_context).replace(/\s+/gu, " ").trim().replace(FINAL_PUNCTUATION, "");
}

/** The form of topic and gap. Undefined for a principle, which has no gap. */
export const formOf = memoizeByObject(
  (lesson: Pick<Lesson, "type" | "topic" | "missing_context">): string | undefined =>
    lesson.type === "log"
      ? `${topicForm(lesson.topic)}\n${gapForm(lesson.missing_context)}`
      : undefined,
);

const folded = (text: string): string => text.normalize("NFKC").toUpperCase().toLowerCase();
