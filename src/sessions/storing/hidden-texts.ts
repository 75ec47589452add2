/** What long texts hold that their event does not show: it stands in artifacts, and searches find it like the rest. Pure. */
import { type Event, searchedTexts } from "../kinds/event.ts";
import { EXCERPT_BYTES } from "./excerpt.ts";
import { fieldTexts } from "./field-texts.ts";

/** Characters that are shown too, at each end: a word may be cut in two there. */
const OVERLAP = 100;
const LOW_SURROGATE = /[\udc00-\udfff]/;

export interface HiddenText {
  /** The id of the artifact that has the whole. */
  readonly artifact: string;
  /** Where it begins in the whole, in UTF-16 units. */
  readonly from: number;
  readonly text: string;
}

type Cut = Pick<Event, "kind" | "content">;

/** Of the fields that are searched, what is not shown. @param wholeOf the text of an artifact; undefined where it is gone. */
export function hiddenTexts(
  event: Cut,
  wholeOf: (artifact: string) => string | undefined,
): HiddenText[] {
  const artifacts = artifactByField(event);
  if (artifacts.size === 0) return [];
  const searched = new Set(searchedTexts(event));
  const hidden = new Map<string, HiddenText>();
  for (const [field, shown] of fieldTexts(event.content)) {
    const artifact = artifacts.get(field);
    const whole = artifact === undefined || !searched.has(shown) ? undefined : wholeOf(artifact);
    if (artifact !== undefined && whole !== undefined)
      hidden.set(artifact, { artifact, ...beyond(shown, whole) });
  }
  return [...hidden.values()];
}

/** Bytes of the whole texts behind what an event shows. */
export function bytesBehind({
  content: { artifact_id, stats, cuts },
}: Pick<Event, "content">): number {
  const extents = [
    ...(artifact_id === undefined ? [] : [stats]),
    ...(Array.isArray(cuts) ? cuts : []),
  ];
  return extents.reduce((sum, extent) => sum + (Number(Object(extent).bytes) || 0), 0);
}

/** The fewest bytes that the line of an event with a cut text has: what is left of a text goes back to the end of a line. */
export const LEAST_CUT_BYTES = EXCERPT_BYTES / 4;

function artifactByField({ content: { artifact_id, cuts } }: Cut): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (artifact_id !== undefined) fields.set("excerpt_text", artifact_id);
  for (const cut of Array.isArray(cuts) ? cuts : []) {
    const { field, artifact_id: id } = Object(cut);
    if (typeof field === "string" && typeof id === "string") fields.set(field, id);
  }
  return fields;
}

/** The part of a whole text between those that are shown. */
function beyond(shown: string, whole: string): Pick<HiddenText, "from" | "text"> {
  let head = 0;
  while (head < shown.length && shown[head] === whole[head]) head++;
  let tail = 0;
  while (tail < shown.length - head && shown.at(-1 - tail) === whole.at(-1 - tail)) tail++;
  const from = borderAt(whole, Math.max(0, head - OVERLAP));
  const end = borderAt(whole, Math.min(whole.length, whole.length - tail + OVERLAP));
  return { from, text: whole.slice(from, end) };
}

/** The place itself, or the one before it where that would cut a character in two. */
const borderAt = (text: string, at: number): number =>
  LOW_SURROGATE.test(text.charAt(at)) ? at - 1 : at;
