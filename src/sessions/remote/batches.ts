/** The limits of a daemon's calls: the number of ids, and the size of batches of drafts. */
import type { EventDraft } from "../kinds/event.ts";
import { cutContent } from "../storing/cut-content.ts";

const MOST_DRAFTS = 500;
/** The most ids of a `find` call, which returns whole events. */
export const MOST_IDS = 1_000;
/** Bytes of JSON in a batch. Proxies accept 1 MiB by default. A larger draft is sent alone. */
const MOST_BYTES = 1_000_000;
const LARGEST_DRAFT_BYTES = 7 * 1024 * 1024;
/** The most values in the JSON of a call, because parsing them takes longer than reading their bytes. No redacted draft has this many. */
export const MOST_VALUES = 100_000;
/** The least size that a value counts for when filling a batch. */
const BYTES_OF_VALUE = MOST_BYTES / MOST_VALUES;

/** Splits drafts into batches. A draft that is too large for any call is cut and loses the whole of its long texts. */
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

/** Also counts marks inside texts, so a batch may be smaller than necessary. */
function weightOf(draft: EventDraft): number {
  const values = JSON.stringify(draft).match(/[,[{]/g)?.length ?? 0;
  return Math.max(sizeOf(draft), values * BYTES_OF_VALUE);
}

const sizeOf = (draft: EventDraft): number => Buffer.byteLength(JSON.stringify(draft));
