/** What a daemon takes in one call: so many ids, and drafts in batches. */
import type { EventDraft } from "../kinds/event.ts";
import { cutContent } from "../storing/cut-content.ts";

const MOST_DRAFTS = 500;
/** Of one call of `find`, which answers the events whole. */
export const MOST_IDS = 1_000;
/** Of JSON: proxies take a MiB where nobody tells them to take more. A draft that is larger goes alone. */
const MOST_BYTES = 1_000_000;
const LARGEST_DRAFT_BYTES = 7 * 1024 * 1024;
/** In the JSON of one call: to make them takes longer than to read their bytes. No draft has as many once it is redacted. */
export const MOST_VALUES = 100_000;
/** What a batch is filled with, for each value at least. */
const BYTES_OF_VALUE = MOST_BYTES / MOST_VALUES;

/** A draft that is too large for any call goes cut, without the whole of its long texts, as if the time of these were over. */
export function inBatches(drafts: readonly EventDraft[]): readonly (readonly EventDraft[])[] {
  const batches: EventDraft[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const whole of drafts) {
    const isTooLarge = sizeOf(whole) > LARGEST_DRAFT_BYTES;
    const draft = isTooLarge
      ? { ...whole, content: cutContent(whole.kind, whole.content).content }
      : whole;
    const size = weightOf(draft);
    const last = batches.at(-1);
    if (last && last.length < MOST_DRAFTS && bytes + size <= MOST_BYTES) {
      last.push(draft);
      bytes += size;
    } else {
      batches.push([draft]);
      bytes = size;
    }
  }
  return batches;
}

/** Marks in texts count as well, which makes a batch smaller than it has to be. */
function weightOf(draft: EventDraft): number {
  const values = JSON.stringify(draft).match(/[,[{]/g)?.length ?? 0;
  return Math.max(sizeOf(draft), values * BYTES_OF_VALUE);
}

const sizeOf = (draft: EventDraft): number => Buffer.byteLength(JSON.stringify(draft));
