/** Makes one segment of several: the same chunks and terms, read from them and not from the events. */
import type { Holders } from "../../../ground/search/chunk-ranking.ts";
import { compareEntries } from "./build-segment.ts";
import { byPlace, type FileNow, joinPieces } from "./coverage.ts";
import { type Covering, View } from "./view.ts";
import { type Entry, type WrittenSegment, writeSegment } from "./write-segment.ts";

const GONE = 0xffffffff;

/** @param files of events by name. */
export function mergeSegments(
  covering: readonly Covering[],
  files: ReadonlyMap<string, FileNow>,
): WrittenSegment {
  const all = covering.flatMap((one) => one.pieces);
  const pieces = joinPieces(all, files);
  const view = new View(covering, suspectsIn(covering));
  const shown: { entry: Entry; old: number }[] = [];
  let old = 0;
  for (const one of covering) {
    const fileNumbers = one.pieces.map((own) =>
      pieces.findLastIndex((piece) => byPlace(piece, own) <= 0),
    );
    for (const entry of one.segment.entries()) {
      const file = fileNumbers[entry.file] as number;
      if (!view.isHidden(old)) shown.push({ entry: { ...entry, file }, old });
      old++;
    }
  }
  // Each segment is in order, which the sort makes use of.
  shown.sort((a, b) => compareEntries(a.entry, b.entry));
  const numbers = new Uint32Array(view.end).fill(GONE);
  for (const [at, { old }] of shown.entries()) numbers[old] = at;
  const entries = shown.map(({ entry }) => entry);
  return writeSegment(entries, mergeTerms(covering, numbers), pieces);
}

/** The ids of events that are in two of these segments. */
export function suspectsIn(covering: readonly Covering[]): string[] {
  return covering.flatMap(({ segment }, at) =>
    covering.slice(at + 1).flatMap((other) => segment.eventsAlsoIn(other.segment)),
  );
}

/** @param numbers the new one for each old one. */
function* mergeTerms(
  covering: readonly Covering[],
  numbers: Uint32Array,
): Generator<readonly [string, Holders]> {
  let base = 0;
  const sources = covering.map(({ segment }) => {
    const terms = segment.terms();
    const source = { base, terms, next: terms.next() };
    base += segment.layout.chunks;
    return source;
  });
  for (;;) {
    let term: string | undefined;
    for (const { next } of sources)
      if (!next.done && (term === undefined || next.value[0] < term)) term = next.value[0];
    if (term === undefined) return;
    const [chunks, frequencies] = [[] as number[], [] as number[]];
    for (const source of sources) {
      const { base, next } = source;
      if (next.done || next.value[0] !== term) continue;
      const [, held] = next.value;
      for (let at = 0; at < held.chunks.length; at++) {
        const chunk = numbers[base + (held.chunks[at] as number)] as number;
        if (chunk === GONE) continue;
        chunks.push(chunk);
        frequencies.push(held.frequencies[at] as number);
      }
      source.next = source.terms.next();
    }
    if (chunks.length > 0) yield [term, byChunk({ chunks, frequencies })];
  }
}

/** The chunks of one segment are in order, which the sort makes use of. */
function byChunk({
  chunks,
  frequencies,
}: {
  readonly chunks: number[];
  readonly frequencies: number[];
}): Holders {
  const order = chunks
    .map((_, at) => at)
    .sort((a, b) => (chunks[a] as number) - (chunks[b] as number));
  const inOrder = (numbers: readonly number[]) => order.map((at) => numbers[at] as number);
  return { chunks: inOrder(chunks), frequencies: inOrder(frequencies) };
}
