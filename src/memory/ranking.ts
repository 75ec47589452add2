/**
 * Which lessons speak to a query, best first: BM25+ (MiniSearch) over four weighed fields.
 *
 * `npm run bench:search` measures it; the numbers below were chosen there. The measures are flat around them, so they
 * are round.
 */

import MiniSearch, { type SearchResult } from "minisearch";
import type { Lesson } from "./record.ts";
import { tokenize } from "./tokenizer.ts";

/** A lesson in its place in the order. */
export interface Ranked {
  readonly lesson: Lesson;
  /**
   * How much the lesson has to do with the query: 0 when they share no term; above 0.5 it is hardly chance. The
   * geometric mean of two figures that mislead alone: the share of the query that the lesson holds (long queries hold
   * much besides) and the number of terms shared (long queries share some with every lesson); terms count by rarity.
   */
  readonly relevance: number;
}

/** A task resembles the gap it runs into more than the lesson drawn from it. */
const WEIGHTS = { topic: 1.5, missing_context: 1.2, lesson: 1, ask_next_time: 0.8 } as const;
const BM25 = { k: 1.2, b: 0.5, d: 0.5 } as const;
/** A principle stands for several gaps. */
const PRINCIPLE_BOOST = 1.1;
/** For each doubling of how often a gap was met, up to 16 times. */
const COUNT_BOOST = 0.05;

type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as Field[];

/**
 * Ranks one memory, which it follows through `update`. Indexing waits until a query needs it, and then touches only
 * what changed: indexing 10,000 lessons takes over a second, and no write should wait for that.
 */
export class Ranking {
  #lessons: readonly Lesson[] = [];
  /** Each lesson's place when the newest comes first; undefined until asked for. */
  #places: ReadonlyMap<Lesson, number> | undefined;
  /** What the index holds, by text: a lesson read again from an unchanged line is not indexed again. */
  #indexed: ReadonlyMap<string, Lesson> = new Map();
  #indexedFrom: readonly Lesson[] = [];
  readonly #index = new MiniSearch<Lesson>({
    fields: FIELDS,
    idField: "text",
    extractField: (lesson, field) => (field === "text" ? textOf(lesson) : (lesson[field as Field] ?? "")),
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: { boost: WEIGHTS, bm25: BM25 },
  });

  /** Ranks these lessons from now on; each differs from the others in id or text. Costs nothing yet. */
  update(lessons: readonly Lesson[]): void {
    if (lessons === this.#lessons) return;
    this.#lessons = lessons;
    this.#places = undefined;
  }

  /**
   * All lessons: those that match the query, best first, then the others, newest first, with relevance 0. A query
   * without a term (empty, or only stop words) matches none. The order of the lessons given does not matter.
   */
  rank(query: string): readonly Ranked[] {
    this.#places ??= placesNewestFirst(this.#lessons);
    const places = this.#places;
    const place = (match: Ranked) => places.get(match.lesson) ?? 0;
    const matches = this.#match([...new Set(termsOf(query))]);
    matches.sort((a, b) => b.score - a.score || place(a) - place(b));
    const matched = new Set(matches.map((match) => match.lesson));
    const rest = [...places.keys()].filter((lesson) => !matched.has(lesson));
    return [...matches, ...rest.map((lesson) => ({ lesson, relevance: 0 }))];
  }

  #match(terms: readonly string[]): Match[] {
    if (terms.length === 0) return [];
    this.#follow();
    const results = this.#index.search("", { tokenize: () => [...terms] });
    const rarity = rarities(results, this.#indexed.size);
    const asked = Math.sqrt(sum(terms, rarity));
    return results.map(({ id, score, queryTerms }) => {
      const lesson = this.#indexed.get(id) as Lesson;
      // The engine multiplies by the number of terms matched; its square root does better.
      const exact = (score / Math.sqrt(queryTerms.length)) * standing(lesson);
      // Rounded, because the same sum taken in another order differs in its last digits.
      return { lesson, score: Math.round(exact * 1e6), relevance: sum(queryTerms, rarity) / asked };
    });
  }

  /** Brings the index up to date. */
  #follow(): void {
    if (this.#indexedFrom === this.#lessons) return;
    const next = new Map(this.#lessons.map((lesson) => [textOf(lesson), lesson]));
    for (const [text, lesson] of this.#indexed) if (!next.has(text)) this.#index.remove(lesson);
    for (const [text, lesson] of next) if (!this.#indexed.has(text)) this.#index.add(lesson);
    this.#indexed = next;
    this.#indexedFrom = this.#lessons;
  }
}

interface Match extends Ranked {
  readonly score: number;
}

/**
 * Terms in ASCII: at each node of its tree the engine goes through all next characters, and Han and Hangul have
 * thousands. Indexing takes half the time.
 */
function termsOf(text: string): string[] {
  return tokenize(text).map((term) => encodeURIComponent(term));
}

/** What a lesson is searched by, and what tells it from another. */
function textOf(lesson: Lesson): string {
  return [lesson.id, ...FIELDS.map((field) => lesson[field] ?? "")].join("\0");
}

/** How much more than its text says a lesson counts. */
function standing(lesson: Lesson): number {
  // A count edited by hand may be anything.
  const count = Math.min(Math.max(Number(lesson.meta.count) || 1, 1), 16);
  return (lesson.type === "principle" ? PRINCIPLE_BOOST : 1) * (1 + COUNT_BOOST * Math.log2(count));
}

function placesNewestFirst(lessons: readonly Lesson[]): ReadonlyMap<Lesson, number> {
  const keyed = lessons.map((lesson) => ({ lesson, instant: instantOf(lesson), text: textOf(lesson) }));
  keyed.sort((a, b) => b.instant - a.instant || (a.text < b.text ? -1 : 1));
  return new Map(keyed.map(({ lesson }, place) => [lesson, place]));
}

/** When a lesson was last written, in milliseconds; one that cannot be read is the oldest. */
function instantOf(lesson: Lesson): number {
  return Date.parse(lesson.meta.updated ?? lesson.meta.created) || 0;
}

/** The rarity of a term: its inverse document frequency, from 1 for one that no lesson holds down towards 0. */
function rarities(results: readonly SearchResult[], lessons: number): (term: string) => number {
  const holders = new Map<string, number>();
  for (const { queryTerms } of results) for (const term of queryTerms) holders.set(term, (holders.get(term) ?? 0) + 1);
  const frequency = (held: number) => Math.log(1 + (lessons - held + 0.5) / (held + 0.5));
  return (term) => frequency(holders.get(term) ?? 0) / frequency(0);
}

function sum(terms: readonly string[], value: (term: string) => number): number {
  return terms.reduce((total, term) => total + value(term), 0);
}
