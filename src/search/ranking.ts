/**
 * Which lessons speak to a query, best first: BM25F, which is BM25 over fields that weigh differently, with the lower
 * bound of BM25+.
 *
 * There is no inverted index, only each lesson's terms as numbers. A query reads them all and counts what it needs, so
 * that nothing can drift and nothing is ever rebuilt. `npm run bench:search` measures it; the figures below were chosen
 * there, and are round because the measures are flat around them.
 */

import { type Lesson, timesMet } from "../lessons/format/record.ts";
import { instantOf, revisionOf } from "../lessons/format/revision.ts";
import { tokenize } from "./tokenizer.ts";

/** A lesson in its place in the order. */
export interface Ranked {
  readonly lesson: Lesson;
  /**
   * How much of the query the lesson holds, from 0 (no term) to 1: the terms they share over the query's `MOST_ASKED`
   * rarest, each counted by its rarity. No lesson holds more of a long query than that, so long and short queries, and
   * those in scripts that make many terms of a sentence, are measured alike.
   */
  readonly relevance: number;
  /** How many different terms of the query the lesson holds. */
  readonly sharedTerms: number;
}

/** A task resembles the gap it runs into more than the lesson drawn from it. */
const WEIGHTS = { topic: 1.5, missing_context: 1.2, lesson: 1, ask_next_time: 0.8 } as const;
type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as Field[];
/** How far repeating a term counts, how far a long field is held back, and what any occurrence is worth. */
const K = 1.2;
const B = 0.5;
const D = 0.5;
/** A principle stands for several gaps. */
const PRINCIPLE_BOOST = 1.1;
/** For each doubling of how often a gap was met, up to 16 times. */
const COUNT_BOOST = 0.05;
const MOST_COUNTED = 16;
/** As many terms of a query as a lesson can be expected to hold. */
const MOST_ASKED = 9;

/** The numbers of a lesson's terms, in the order of `FIELDS`. */
type Terms = readonly Uint32Array[];

/** Lessons as a query reads them. */
interface Corpus {
  readonly entries: readonly { readonly lesson: Lesson; readonly terms: Terms }[];
  /** In terms, field by field. */
  readonly averageLengths: readonly number[];
}

/** A lesson that holds terms of a query: how often each, fields weighed. */
interface Match {
  readonly lesson: Lesson;
  readonly frequencies: readonly number[];
}

/**
 * Ranks one memory, which it follows through `update`. Each lesson is read once, when a query first needs its words:
 * that takes a third of a second for 10,000, and no write should wait for it.
 */
export class Ranking {
  #lessons: readonly Lesson[] = [];
  /** `#lessons` in order, and as read; undefined until asked for. */
  #newestFirst: readonly Lesson[] | undefined;
  #corpus: Corpus | undefined;
  /** By text: a lesson that comes again from an unchanged line is not read again. */
  #read: ReadonlyMap<string, Terms> = new Map();
  readonly #numbers = new Map<string, number>();

  /** Ranks these lessons from now on. Costs nothing yet. */
  update(lessons: readonly Lesson[]): void {
    if (lessons === this.#lessons) return;
    this.#lessons = lessons;
    this.#newestFirst = undefined;
    this.#corpus = undefined;
  }

  /**
   * All lessons: those that match the query, best first, then the others, newest first, with relevance 0. A query
   * without a term (empty, or only stop words) matches none. The order of the lessons given does not matter.
   */
  rank(query: string): readonly Ranked[] {
    this.#newestFirst ??= newestFirst(this.#lessons);
    const asked = [...new Set(tokenize(query))];
    const matches = asked.length === 0 ? [] : this.#match(asked);
    const rarities = asked.map((_, term) => {
      return rarityOf(matches.filter(({ frequencies }) => frequencies[term] !== 0).length, this.#lessons.length);
    });
    const best = sum([...rarities].sort((a, b) => b - a).slice(0, MOST_ASKED));
    const scored = matches.map((match) => {
      const { score, sharedTerms, shared } = weigh(match, rarities);
      return { lesson: match.lesson, score, sharedTerms, relevance: Math.min(1, shared / best) };
    });
    // The sort is stable: equals stay newest first.
    scored.sort((a, b) => b.score - a.score);
    const matched = new Set(matches.map(({ lesson }) => lesson));
    const others = this.#newestFirst.filter((lesson) => !matched.has(lesson));
    return [...scored, ...others.map((lesson) => ({ lesson, relevance: 0, sharedTerms: 0 }))];
  }

  /** The lessons that hold any of the terms, newest first. */
  #match(asked: readonly string[]): Match[] {
    this.#corpus ??= this.#readAll(this.#newestFirst ?? []);
    const { entries, averageLengths } = this.#corpus;
    // For the number of a term: its place in the query, from 1; 0 for all others.
    const places = new Uint32Array(this.#numbers.size);
    for (const [place, term] of asked.entries()) {
      const number = this.#numbers.get(term);
      if (number !== undefined) places[number] = place + 1;
    }
    const matches: Match[] = [];
    for (const { lesson, terms } of entries) {
      const frequencies = frequenciesOf(terms, averageLengths, places, asked.length);
      if (frequencies !== undefined) matches.push({ lesson, frequencies });
    }
    return matches;
  }

  #readAll(lessons: readonly Lesson[]): Corpus {
    const read = new Map<string, Terms>();
    const entries = lessons.map((lesson) => {
      const text = textOf(lesson);
      const terms = this.#read.get(text) ?? this.#termsOf(lesson);
      read.set(text, terms);
      return { lesson, terms };
    });
    this.#read = read;
    const total = (field: number) => entries.reduce((sum, { terms }) => sum + (terms[field]?.length ?? 0), 0);
    return { entries, averageLengths: FIELDS.map((_, field) => total(field) / entries.length) };
  }

  #termsOf(lesson: Lesson): Terms {
    return FIELDS.map((field) => Uint32Array.from(tokenize(lesson[field] ?? ""), (term) => this.#numberOf(term)));
  }

  #numberOf(term: string): number {
    const number = this.#numbers.get(term) ?? this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }
}

/** How often a lesson holds each term of the query: an occurrence counts by its field's weight and length. */
function frequenciesOf(
  terms: Terms,
  averageLengths: readonly number[],
  places: Uint32Array,
  asked: number,
): readonly number[] | undefined {
  let frequencies: number[] | undefined;
  // Plain loops: a query passes here for every term of the memory.
  for (let field = 0; field < FIELDS.length; field++) {
    const numbers = terms[field] as Uint32Array;
    const length = numbers.length / (averageLengths[field] as number);
    const weight = WEIGHTS[FIELDS[field] as Field] / (1 - B + B * length);
    for (let i = 0; i < numbers.length; i++) {
      const place = places[numbers[i] as number] as number;
      if (place === 0) continue;
      frequencies ??= new Array<number>(asked).fill(0);
      frequencies[place - 1] = (frequencies[place - 1] as number) + weight;
    }
  }
  return frequencies;
}

/** How rare a term is: its inverse document frequency, from 1 for one that no lesson holds down towards 0. */
function rarityOf(holders: number, lessons: number): number {
  const frequency = (held: number) => Math.log(1 + (lessons - held + 0.5) / (held + 0.5));
  return frequency(holders) / frequency(0);
}

/** The score that orders, how many terms the lesson shares with the query, and their rarity. */
function weigh({ lesson, frequencies }: Match, rarities: readonly number[]) {
  let score = 0;
  let sharedTerms = 0;
  let shared = 0;
  for (const [term, rarity] of rarities.entries()) {
    const frequency = frequencies[term] as number;
    if (frequency === 0) continue;
    score += rarity * (D + (frequency * (K + 1)) / (frequency + K));
    sharedTerms += 1;
    shared += rarity;
  }
  // Different terms together say more than their sum.
  return { score: score * Math.sqrt(sharedTerms) * standing(lesson), sharedTerms, shared };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How much more than its text says a lesson counts. */
function standing(lesson: Lesson): number {
  const count = Math.min(timesMet(lesson), MOST_COUNTED);
  return (lesson.type === "principle" ? PRINCIPLE_BOOST : 1) * (1 + COUNT_BOOST * Math.log2(count));
}

function newestFirst(lessons: readonly Lesson[]): readonly Lesson[] {
  const keyed = lessons.map((lesson) => ({
    lesson,
    instant: instantOf(revisionOf(lesson.meta)),
    text: lesson.id + textOf(lesson),
  }));
  keyed.sort((a, b) => (a.instant === b.instant ? (a.text < b.text ? -1 : 1) : b.instant > a.instant ? 1 : -1));
  return keyed.map(({ lesson }) => lesson);
}

function textOf(lesson: Lesson): string {
  return FIELDS.map((field) => lesson[field] ?? "").join("\0");
}
