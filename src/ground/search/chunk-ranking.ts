/** Ranks chunks of sessions: BM25 over any term, more for different ones, and a share of what stands beside. Measured: `npm run bench:recall`. */
import { memoizeByObject } from "../core/memoize-by-object.ts";
import { compare } from "../core/text.ts";
import { tokenize } from "./tokenizer.ts";

/** What is indexed. A chunk is a number from 0 on; which number it has makes no difference. */
export interface Postings {
  readonly count: number;
  /** All numbers are smaller than this. */
  readonly end: number;
  /** How many terms a chunk has, on average over all. */
  readonly averageLength: number;
  holderCount(term: string): number;
  /** These chunks, in any order, each once. */
  holders(term: string): Holders;
  /** How many terms a chunk has, repetitions included. */
  lengthOf(chunk: number): number;
  idOf(chunk: number): string;
  /** The chunk before it in its session; undefined for the first. */
  before(chunk: number): number | undefined;
  after(chunk: number): number | undefined;
  /** Whether it goes on with the event of the chunk before it. */
  continues(chunk: number): boolean;
}

/** The chunks that hold a term, and how often each does. */
export interface Holders {
  readonly chunks: ArrayLike<number>;
  readonly frequencies: ArrayLike<number>;
}

export interface RankedChunk {
  readonly chunk: number;
  readonly id: string;
  /** From 0 to 1: of the best that any chunk could reach for the query. */
  readonly score: number;
}

/** BM25's k1 (repetition) and b (length). */
const K = 1.2;
const B = 0.75;
/** What the chunks before and after add of their own scores, by their distance; those of the same event nothing. */
const NEAR = [0.5, 0.25];
const WHOLE = 1 + 2 * NEAR.reduce((sum, share) => sum + share, 0);
/** The fewest chunks, by their own scores, that are ranked with those near them. */
export const LEAST_CANDIDATES = 200;
/** Postings read for a query, rarest terms first: a long prompt also holds words that nearly every chunk has. */
const MOST_POSTINGS = 100_000;
/** Where the time in an id ends: `chk_` and ten characters. */
const TIME_END = 14;

/** The neighbours of a candidate that a ranking asks for, on each side. */
export const NEIGHBOURS_READ = 2 * NEAR.length;

/** Chunks whose ids and neighbours `rankChunks` asks for: the best by their own words, and their equals. @param most of equals the higher numbers. */
export function contendersFor(
  query: string,
  postings: Postings,
  wanted: number,
  most: number,
): readonly number[] {
  const own = ownScores(query, postings);
  const found = contenders(own, wanted);
  if (found.length <= most) return found;
  const scoreOf = (chunk: number) => own.scores[chunk] as number;
  return found.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b - a).slice(0, most);
}

/** What all chunks that hold any of the terms score by their own words. */
interface OwnScores {
  readonly chunks: readonly number[];
  /** By chunk; 0 for all others. */
  readonly scores: Float64Array;
}

/** Chunks that match a query, best first; of equal ones the newer, then by id. @param wanted answers there may be: more than the limit are ranked. */
export function rankChunks(
  query: string,
  postings: Postings,
  limit: number,
  wanted = limit,
): RankedChunk[] {
  const own = ownScores(query, postings);
  const near = new Set<number>();
  for (const chunk of contenders(own, wanted)) {
    near.add(chunk);
    eachNeighbour(chunk, postings, (neighbour) => near.add(neighbour));
  }
  // An index on disk reads an id each time it is asked.
  const idOf = memoizeByObject(({ chunk }: Pick<RankedChunk, "chunk">) => postings.idOf(chunk));
  return [...near]
    .map((chunk) => ({ chunk, score: withNeighbours(chunk, own, postings) }))
    .sort((a, b) => b.score - a.score || newerFirst(idOf(a), idOf(b)))
    .slice(0, limit)
    .map((ranked) => ({ ...ranked, id: idOf(ranked) }));
}

function ownScores(query: string, postings: Postings): OwnScores {
  const scores = new Float64Array(postings.end);
  const shared = new Uint16Array(postings.end);
  const chunks: number[] = [];
  const terms = termsToRead(query, postings);
  let whole = 0;
  for (const { term, rarity } of terms) {
    whole += rarity * (K + 1);
    const holders = postings.holders(term);
    for (let at = 0; at < holders.chunks.length; at++) {
      const chunk = holders.chunks[at] as number;
      const frequency = holders.frequencies[at] as number;
      const length = postings.lengthOf(chunk) / postings.averageLength;
      if (shared[chunk] === 0) chunks.push(chunk);
      shared[chunk] = (shared[chunk] as number) + 1;
      scores[chunk] =
        (scores[chunk] as number) +
        (rarity * frequency * (K + 1)) / (frequency + K * (1 - B + B * length));
    }
  }
  // Different terms together say more than their sum.
  for (const chunk of chunks) {
    const coverage = Math.sqrt((shared[chunk] as number) / terms.length);
    scores[chunk] = ((scores[chunk] as number) / whole) * coverage;
  }
  return { chunks, scores };
}

/** The query's terms that any chunk holds, rarest first, as far as they may be read. */
function termsToRead(
  query: string,
  postings: Postings,
): { readonly term: string; readonly rarity: number }[] {
  const asked = [...new Set(tokenize(query))].map((term) => ({
    term,
    holders: postings.holderCount(term),
  }));
  const held = asked.filter(({ holders }) => holders > 0).sort((a, b) => a.holders - b.holders);
  let read = 0;
  const within = held.filter(({ holders }, index) => {
    read += holders;
    return index === 0 || read <= MOST_POSTINGS;
  });
  return within.map(({ term, holders }) => ({ term, rarity: rarityOf(holders, postings.count) }));
}

/** Inverse document frequency. */
const rarityOf = (holders: number, all: number): number =>
  Math.log(1 + (all - holders + 0.5) / (holders + 0.5));

function withNeighbours(chunk: number, { scores }: OwnScores, postings: Postings): number {
  let score = scores[chunk] as number;
  eachNeighbour(chunk, postings, (neighbour, share) => {
    score += share * (scores[neighbour] as number);
  });
  return score / WHOLE;
}

/** The chunks of other events before and after it, with what each adds of its own score. */
function eachNeighbour(
  chunk: number,
  postings: Postings,
  visit: (neighbour: number, share: number) => void,
): void {
  for (const side of ["before", "after"] as const) {
    let [from, isSame] = [chunk, true];
    for (const share of NEAR) {
      const next = postings[side](from);
      if (next === undefined) break;
      isSame &&= postings.continues(side === "before" ? from : next);
      if (!isSame) visit(next, share);
      from = next;
    }
  }
}

/** The chunks that can be candidates: as many as are wanted, and some more, with the best scores, and all that score like the last of these. */
function contenders({ chunks, scores }: OwnScores, wanted: number): readonly number[] {
  const count = Math.max(LEAST_CANDIDATES, wanted);
  if (chunks.length <= count) return chunks;
  const least = Float64Array.from(chunks, (chunk) => scores[chunk] as number)
    .sort()
    .at(-count) as number;
  return chunks.filter((chunk) => (scores[chunk] as number) >= least);
}

/** The ULID in an id begins with its time. */
function newerFirst(a: string, b: string): number {
  return compare(b.slice(0, TIME_END), a.slice(0, TIME_END)) || compare(a, b);
}
