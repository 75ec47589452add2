/** The texts of an event, and the artifacts that have the whole of those that were cut. Pure. */
import { type Content, type Event, type Json, searchedTexts } from "../kinds/event.ts";

/** Whether any stored text of an event contains a text. */
export const mentions = (event: Event, text: string): boolean =>
  [...textsOf(event)].some((said) => said.includes(text));

/** Characters to repeat from the shown text at each end, because it may end inside a word. */
const OVERLAP = 100;
const LOW_SURROGATE = /[\udc00-\udfff]/;

/** All stored texts that come from a writer. */
export function* textsOf({
  session,
  agent,
  actor,
  content,
  refs,
  tags,
  origin,
  place,
}: Event): Generator<string> {
  // The keys of the content itself are ours: `text`, `tool`.
  const all = [
    session,
    agent,
    actor.id,
    origin,
    refs,
    tags,
    Object.values(place ?? {}),
    Object.values(content),
  ];
  for (const value of all) {
    yield* textsWithin(value);
  }
}

function* textsWithin(value: Json | undefined): Generator<string> {
  if (typeof value === "string") {
    yield value;
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if (isList(value)) {
    for (const item of value) {
      yield* textsWithin(item);
    }
  } else {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsWithin(item);
    }
  }
}

/** A text that was cut. */
interface Cut {
  /** The path of its field, such as `input.prompt`. */
  readonly field: string;
  /** The id of the artifact with the whole text. */
  readonly artifact: string;
}

/** The cut texts of a content. The text of a tool's result is in `excerpt_text`. */
export function cutsOf({ artifact_id, cuts }: Content): Cut[] {
  const found: Cut[] = [];
  if (typeof artifact_id === "string") {
    found.push({ field: "excerpt_text", artifact: artifact_id });
  }
  for (const cut of Array.isArray(cuts) ? cuts : []) {
    if (typeof cut?.artifact_id === "string") {
      found.push({ field: String(cut.field), artifact: cut.artifact_id });
    }
  }
  return found;
}

/** The ids of the artifacts that an event has. */
export const artifactsOf = ({ content }: Event): string[] =>
  cutsOf(content).map(({ artifact }) => artifact);

/** The content with each of its texts changed. @param change gets also the path of the text, such as `input.edits.0.new_string`. */
export function mapTexts(
  content: Content,
  change: (text: string, field: string) => string,
  prefix = "",
): Content {
  const changed = (value: Json | undefined, field: string): Json | undefined => {
    if (typeof value === "string") {
      return change(value, field);
    }
    if (value === null || typeof value !== "object") {
      return value;
    }
    if (isList(value)) {
      return value.map((item, at) => changed(item, `${field}.${at}`) as Json);
    }
    return mapTexts(value, change, `${field}.`);
  };
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, changed(value, prefix + name)]),
  );
}

function* fieldTexts(
  value: Json | undefined,
  field = "",
): Generator<readonly [field: string, text: string]> {
  if (typeof value === "string") {
    yield [field, value];
  }
  if (value === null || typeof value !== "object") {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    yield* fieldTexts(inner, field === "" ? name : `${field}.${name}`);
  }
}

/** `Array.isArray` doesn't narrow to a read-only array. */
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

interface HiddenText {
  /** The id of the artifact with the whole text. */
  readonly artifact: string;
  /** Its start in the whole text, in UTF-16 units. */
  readonly from: number;
  readonly text: string;
}

/** The parts of the searched fields that the event doesn't show, which searches find too. @param wholeOf the text of an artifact, undefined if it was removed. */
export function hiddenTexts(
  event: Pick<Event, "kind" | "content">,
  wholeOf: (artifact: string) => string | undefined,
): HiddenText[] {
  const artifacts = new Map<string, string>();
  for (const { field, artifact } of cutsOf(event.content)) {
    artifacts.set(field, artifact);
  }
  if (artifacts.size === 0) {
    return [];
  }
  const searched = new Set(searchedTexts(event));
  const hidden = new Map<string, HiddenText>();
  for (const [field, shown] of fieldTexts(event.content)) {
    const artifact = artifacts.get(field);
    if (artifact === undefined || !searched.has(shown)) {
      continue;
    }
    const whole = wholeOf(artifact);
    if (whole !== undefined) {
      hidden.set(artifact, { artifact, ...beyond(shown, whole) });
    }
  }
  return [...hidden.values()];
}

/** The size of the whole texts of an event that was cut. */
export function bytesBehind({
  content: { artifact_id, stats, cuts },
}: Pick<Event, "content">): number {
  const extents: unknown[] = Array.isArray(cuts) ? [...cuts] : [];
  if (artifact_id !== undefined) {
    extents.push(stats);
  }
  let sum = 0;
  for (const extent of extents) {
    sum += Number(Object(extent).bytes) || 0;
  }
  return sum;
}

/** The part of a whole text between the shown ones. */
function beyond(shown: string, whole: string): Pick<HiddenText, "from" | "text"> {
  let head = 0;
  while (head < shown.length && shown[head] === whole[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shown.length - head && shown.at(-1 - tail) === whole.at(-1 - tail)) {
    tail++;
  }
  const from = borderAt(whole, Math.max(0, head - OVERLAP));
  const end = borderAt(whole, Math.min(whole.length, whole.length - tail + OVERLAP));
  return { from, text: whole.slice(from, end) };
}

/** The place itself, or the one before if it's inside a character. */
const borderAt = (text: string, at: number): number =>
  LOW_SURROGATE.test(text.charAt(at)) ? at - 1 : at;
