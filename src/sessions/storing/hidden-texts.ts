/** The parts of long texts that their event doesn't show. They are in artifacts, and searches find them too. Pure. */
import { type Event, searchedTexts } from "../kinds/event.ts";
import { EXCERPT_BYTES } from "./excerpt.ts";
import { fieldTexts } from "./field-texts.ts";
import { cutsOf } from "./mentions.ts";

/** Characters to repeat from the shown text at each end, because it may end inside a word. */
const OVERLAP = 100;
const LOW_SURROGATE = /[\udc00-\udfff]/;

export interface HiddenText {
  /** The id of the artifact with the whole text. */
  readonly artifact: string;
  /** Its start in the whole text, in UTF-16 units. */
  readonly from: number;
  readonly text: string;
}

type Cut = Pick<Event, "kind" | "content">;

/** The hidden parts of the searched fields. @param wholeOf the text of an artifact, undefined if it was removed. */
export function hiddenTexts(
  event: Cut,
  wholeOf: (artifact: string) => string | undefined,
): HiddenText[] {
  const artifacts = new Map(cutsOf(event.content).map(({ field, artifact }) => [field, artifact]));
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

/** The size of the whole texts of an event that was cut. */
export function bytesBehind({
  content: { artifact_id, stats, cuts },
}: Pick<Event, "content">): number {
  const ofCuts: unknown[] = Array.isArray(cuts) ? cuts : [];
  const extents = artifact_id === undefined ? ofCuts : [stats, ...ofCuts];
  return extents.reduce<number>((sum, extent) => sum + (Number(Object(extent).bytes) || 0), 0);
}

/** An event with a cut text has a line of at least this many bytes, because excerpts end at the end of a line. */
export const LEAST_CUT_BYTES = EXCERPT_BYTES / 4;

/** The part of a whole text between the shown ones. */
function beyond(shown: string, whole: string): Pick<HiddenText, "from" | "text"> {
  let head = 0;
  while (head < shown.length && shown[head] === whole[head]) head++;
  let tail = 0;
  while (tail < shown.length - head && shown.at(-1 - tail) === whole.at(-1 - tail)) tail++;
  const from = borderAt(whole, Math.max(0, head - OVERLAP));
  const end = borderAt(whole, Math.min(whole.length, whole.length - tail + OVERLAP));
  return { from, text: whole.slice(from, end) };
}

/** The place itself, or the one before if it's inside a character. */
const borderAt = (text: string, at: number): number =>
  LOW_SURROGATE.test(text.charAt(at)) ? at - 1 : at;
