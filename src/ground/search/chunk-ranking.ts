/** Ranks chunks of sessions with BM25 over any query term, a bonus for different terms, and a share of neighboring chunks' scores. `npm run bench:recall` measures it. */
import { memoizeByObject } from "../core/memoize.ts";
import { compare } from "../core/text.ts";
import { tokenize } from "./tokenizer.ts";

/** The index to search. Chunks are numbers from 0. The numbering doesn't affect the ranking. */
export interface Postings {
  readonly count: number;
  /** Every chunk number is less than this. */
  readonly end: number;
  /** The average number of terms in a chunk. */
  readonly averageLength: number;
  holderCount(term: string): number;
  /** The chunks that contain a term, each once, in any order. */
  holders(term: string): Holders;
  /** The number of terms in a chunk, including repetitions. */
  lengthOf(chunk: number): number;
  idOf(chunk: number): string;
  /** The previous chunk in the same session. Undefined for the first. */
  before(chunk: number): number | undefined;
  after(chunk: number): number | undefined;
  /** Whether the chunk continues the event of the previous chunk. */
  continues(chunk: number): boolean;
}

/** The chunks that contain a term, and how often each does. */
export interface Holders {
  readonly chunks: ArrayLike<number>;
  readonly frequencies: ArrayLike<number>;
}

export interface RankedChunk {
  readonly chunk: number;
  readonly id: string;
  /** From 0 to 1, relative to the highest possible score for the query. */
  readonly score: number;
}

/** BM25's k1 (repetition) and b (length). */
const K = 2;
const B = 0.75;
/** The share of a neighboring chunk's score that is added, by distance. Chunks of the same event add nothing. */
const NEAR = [0.5, 0.25];
const WHOLE = 1 + 2 * NEAR.reduce((sum, share) => sum + share, 0);
/** The minimum number of candidates, by their own scores, to rank together with their neighbors. */
export const LEAST_CANDIDATES = 200;
/** The most postings to read for a query, rarest terms first. A long prompt also contains words found in nearly every chunk. */
const MOST_POSTINGS = 100_000;
/** The end of the time in an id: `chk_` and ten characters. */
const TIME_END = 14;

/** The scores of all chunks that contain a query term, without their neighbors. */
interface OwnScores {
  readonly chunks: readonly number[];
  /** Indexed by chunk. All other chunks have 0. */
  readonly scores: Float64Array;
}

/** Returns the chunks that match a query, best first. Ties are sorted newest first, then by id. @param wanted number of results, which may increase the candidates. */
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
  // Cached, because an index on disk reads an id every time.
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
      if (shared[chunk] === 0) {
        chunks.push(chunk);
      }
      shared[chunk] = (shared[chunk] as number) + 1;
      scores[chunk] =
        (scores[chunk] as number) +
        (rarity * frequency * (K + 1)) / (frequency + K * (1 - B + B * length));
    }
  }
  // Matching different terms is worth more than the sum of their scores.
  for (const chunk of chunks) {
    const coverage = Math.sqrt((shared[chunk] as number) / terms.length);
    scores[chunk] = ((scores[chunk] as number) / whole) * coverage;
  }
  return { chunks, scores };
}

interface AskedTerm {
  readonly term: string;
  readonly rarity: number;
}

/** Returns the query's terms found in any chunk, rarest first, up to the limit on postings. */
function termsToRead(query: string, postings: Postings): AskedTerm[] {
  const terms = new Set(tokenize(query));
  const asked = [...terms].map((term) => ({ term, holders: postings.holderCount(term) }));
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

/** Visits the neighboring chunks of other events, each with the share of its score that it adds. */
function eachNeighbour(
  chunk: number,
  postings: Postings,
  visit: (neighbour: number, share: number) => void,
): void {
  for (const side of ["before", "after"] as const) {
    let from = chunk;
    let isSame = true;
    for (const share of NEAR) {
      const next = postings[side](from);
      if (next === undefined) {
        break;
      }
      isSame &&= postings.continues(side === "before" ? from : next);
      if (!isSame) {
        visit(next, share);
      }
      from = next;
    }
  }
}

/** Returns the candidates: at least the wanted number with the best scores, plus all ties with the last of them. */
function contenders({ chunks, scores }: OwnScores, wanted: number): readonly number[] {
  const count = Math.max(LEAST_CANDIDATES, wanted);
  if (chunks.length <= count) {
    return chunks;
  }
  const least = Float64Array.from(chunks, (chunk) => scores[chunk] as number)
    .sort()
    .at(-count) as number;
  return chunks.filter((chunk) => (scores[chunk] as number) >= least);
}

/** Compares the time at the start of the ULID in each id. */
function newerFirst(a: string, b: string): number {
  return compare(b.slice(0, TIME_END), a.slice(0, TIME_END)) || compare(a, b);
}
