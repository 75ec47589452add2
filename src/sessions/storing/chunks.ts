/**
 * Cuts events into chunks, the units that searches find and agents cite, and chooses the chunks that answer a search. Cutting is
 * deterministic, so an index can be rebuilt. (docs/design/sessions.md, "Finding")
 */

import {
  LEAST_CANDIDATES,
  type Postings,
  type RankedChunk,
  rankChunks,
} from "../../ground/search/chunk-ranking.ts";
import { type Event, eventText } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import type { SearchHit } from "../store.ts";
import { hiddenTexts } from "./event-texts.ts";

export interface Chunk {
  /** `chk_`, the ULID of its event, and its number from 01 on. */
  readonly id: string;
  readonly text: string;
  /** Set for a part that the event doesn't show. Contains its artifact, and its start there in UTF-16 units. */
  readonly hidden?: { readonly artifact: string; readonly start: number };
}

/** The size of a chunk in bytes, if the event's text is longer: about 400 to 800 tokens of prose or code. @internal */
export const LEAST_BYTES = 1_600;
/** @internal */
export const MOST_BYTES = 3_200;
/** The places to cut a text, the best first: after a blank line, a line, a sentence, a space. */
const BORDERS = [/\n[^\S\n]*\n/g, /\n/g, /[.!?;]["')\]]*\s+|[。！？；]/g, /\s+/g];

const ENCODER = new TextEncoder();
const ROOM = new Uint8Array(MOST_BYTES);

/** The number of hits to read beyond those requested, because only reading an event shows whether a tool produced it. */
export const READ_BESIDE = 20;
/** The weight of tool input and output. They contain many words, but a message is more often the answer. */
const OF_TOOLS = 0.83;

/** The chunks of an event's text, which can be joined to get the text back, followed by those of the hidden parts of long texts. @param wholeOf the text of an artifact. */
export function chunksOf(
  event: Event,
  wholeOf: (artifact: string) => string | undefined = () => undefined,
): Chunk[] {
  const parts: Omit<Chunk, "id">[] = cutText(eventText(event)).map((text) => ({ text }));
  for (const { artifact, from, text: hidden } of hiddenTexts(event, wholeOf)) {
    let start = from;
    for (const text of cutText(hidden)) {
      parts.push({ text, hidden: { artifact, start } });
      start += text.length;
    }
  }
  return parts.map((part, at) => ({ id: chunkId(event.id, at + 1), ...part }));
}

/** @param part from 1 on. */
export function chunkId(event: string, part: number): string {
  return `chk_${event.slice("evt_".length)}_${String(part).padStart(2, "0")}`;
}

/** The number of a chunk, from 1 on. */
export const partIn = (chunk: string): number => Number(chunk.slice(chunk.lastIndexOf("_") + 1));

/** The id of a chunk's event. */
export const eventOfChunk = (chunk: string): string =>
  `evt_${chunk.slice("chk_".length, chunk.lastIndexOf("_"))}`;

/** Cuts a text into parts of 1,600 to 3,200 bytes. Counting tokens would take longer, and a better estimate would move the borders. @internal */
export function cutText(text: string): string[] {
  if (text === "") {
    return [];
  }
  const parts: string[] = [];
  let start = 0;
  let bytesLeft = Buffer.byteLength(text);
  while (bytesLeft > MOST_BYTES) {
    const most = Math.min(MOST_BYTES, bytesLeft - LEAST_BYTES);
    const part = firstPart(text.slice(start, start + MOST_BYTES), most);
    parts.push(part);
    start += part.length;
    bytesLeft -= Buffer.byteLength(part);
  }
  parts.push(text.slice(start));
  return parts;
}

/** The beginning of a text, up to the last of the best borders that leave enough bytes. */
function firstPart(text: string, mostBytes: number): string {
  const window = text.slice(0, fittingLength(text, mostBytes));
  const least = fittingLength(text, LEAST_BYTES);
  for (const border of BORDERS) {
    let last = 0;
    for (const { index, 0: found } of window.matchAll(border)) {
      last = index + found.length;
    }
    if (last >= least) {
      return window.slice(0, last);
    }
  }
  return window;
}

/** The length of the whole characters of a text that fit in some bytes. */
const fittingLength = (text: string, bytes: number): number =>
  ENCODER.encodeInto(text, ROOM.subarray(0, bytes)).read;

/** One chunk of each event, so a long text that repeats a word can't take every place. @param limit the most hits to return. */
export function bestOfEachEvent(
  text: string,
  postings: Postings,
  limit: number,
): readonly RankedChunk[] {
  // One long text may have more parts than are ranked at first.
  for (let wanted = limit; ; wanted *= 4) {
    const ranked = rankChunks(text, postings, 2 * wanted, wanted);
    const best = firstOfEachEvent(ranked);
    const areAll = ranked.length < Math.min(2 * wanted, Math.max(LEAST_CANDIDATES, wanted));
    if (best.length >= limit || areAll) {
      return best.slice(0, limit);
    }
  }
}

/** The first chunk of each event. */
function firstOfEachEvent(ranked: readonly RankedChunk[]): RankedChunk[] {
  const byEvent = new Map<string, RankedChunk>();
  for (const chunk of ranked) {
    const event = eventOfChunk(chunk.id);
    if (!byEvent.has(event)) {
      byEvent.set(event, chunk);
    }
  }
  return [...byEvent.values()];
}

/** The hits with the best scores, after lowering those of tools. @param hits best first. */
export function saidFirst(hits: readonly SearchHit[], limit: number): readonly SearchHit[] {
  const weighted = hits.map((hit) => {
    const weight = kindNamed(hit.event.kind)?.isOfTools ? OF_TOOLS : 1;
    return { ...hit, score: weight * hit.score };
  });
  return weighted.sort((a, b) => b.score - a.score).slice(0, limit);
}
