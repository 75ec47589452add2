/** Simple searches over the texts of sessions. They know nothing of sessions. */
import MiniSearch from "minisearch";
import { groupBy } from "../../src/ground/core/collections.ts";

/** Texts that match, best first; without repetitions. */
export type PlainSearch = (query: string) => readonly string[];

const [CHUNK, STEP] = [1_800, 1_600];
const MOST = 30;
const STOP = new Set(
  "the a an is are was were what which who how why do does did we i to of in on for with and or be it that this should must can from by not there where one again".split(
    " ",
  ),
);
const ENDINGS = ["ations", "ation", "ings", "ing", "ed", "es", "s"];

/** Texts in pieces that overlap, with how often each has which stems. */
export class Chunks {
  readonly texts: readonly string[];
  readonly counted: readonly ReadonlyMap<string, number>[];
  readonly #frequency = new Map<string, number>();

  constructor(texts: readonly string[]) {
    const chunks = texts.flatMap((text) =>
      Array.from({ length: Math.ceil(text.length / STEP) }, (_, n) =>
        text.slice(n * STEP, n * STEP + CHUNK),
      ),
    );
    this.texts = chunks.filter((chunk) => chunk.trim() !== "");
    this.counted = this.texts.map((text) => {
      const counts = new Map<string, number>();
      for (const stem of stemsIn(text)) {
        counts.set(stem, (counts.get(stem) ?? 0) + 1);
      }
      return counts;
    });
    for (const counts of this.counted) {
      for (const stem of counts.keys()) {
        this.#frequency.set(stem, (this.#frequency.get(stem) ?? 0) + 1);
      }
    }
  }

  /** The rarer a stem, the more it weighs. */
  weight(stem: string): number {
    const chunks = this.#frequency.get(stem) ?? 0;
    return Math.log(1 + (this.texts.length - chunks + 0.5) / (chunks + 0.5));
  }

  /** So many characters of a text as a hit has on the screen: those that hold most of the question. */
  window(query: string, text: string, characters: number): string {
    const asked = new Set(askedIn(query));
    const parts = Array.from(
      { length: Math.max(1, Math.ceil((text.length + 100 - characters) / 100)) },
      (_, n) => text.slice(100 * n, 100 * n + characters),
    );
    const held = parts.map((part) =>
      sum(
        [...new Set(stemsIn(part))]
          .filter((stem) => asked.has(stem))
          .map((stem) => this.weight(stem)),
      ),
    );
    return parts[held.indexOf(Math.max(...held))] ?? text;
  }
}

export function bm25(chunks: Chunks): PlainSearch {
  const lengths = chunks.counted.map((counts) => sum(counts.values()));
  const mean = sum(lengths) / lengths.length;
  return (query) => {
    const asked = askedIn(query);
    const scored = chunks.counted.map((counts, at) => {
      const norm = 1.2 * (0.4 + (0.6 * (lengths[at] ?? 0)) / mean);
      const met = asked
        .filter((stem) => counts.has(stem))
        .map((stem) => [chunks.weight(stem), counts.get(stem) ?? 0] as const);
      return {
        at,
        score: sum(met.map(([weight, count]) => (weight * count * 2.2) / (count + norm))),
      };
    });
    const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
    return unrepeated(found.map(({ at }) => chunks.texts[at] as string));
  };
}

/** MiniSearch with stems and without stop words. */
export function miniSearch({ texts }: Chunks): PlainSearch {
  const processTerm = (term: string) => {
    const stem = stemOf(term.toLowerCase());
    return STOP.has(stem) ? null : stem;
  };
  const index = new MiniSearch({ fields: ["text"], processTerm });
  index.addAll(texts.map((text, id) => ({ id, text })));
  return (query) => unrepeated(index.search(query).map(({ id }) => texts[id] as string));
}

/** The last texts, whatever is asked. @param chunks in order of time. */
export function recency({ texts }: Chunks): PlainSearch {
  const last = unrepeated(texts.toReversed());
  return () => last;
}

/** Whole texts, as many as fit; four characters a token. */
export function packed(chunks: readonly string[], tokens: number): string {
  let left = 4 * tokens;
  const end = chunks.findIndex((chunk) => {
    left -= chunk.length;
    return left < 0;
  });
  return (end === -1 ? chunks : chunks.slice(0, end)).join("\n");
}

function unrepeated(chunks: readonly string[]): string[] {
  const byStart = groupBy(chunks, (chunk) => chunk.slice(0, 200));
  return [...byStart.values()].slice(0, MOST).map(([first]) => first as string);
}

function askedIn(query: string): string[] {
  return [...new Set(stemsIn(query))].filter((stem) => !STOP.has(stem));
}

function stemsIn(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map(stemOf);
}

function stemOf(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length > 3);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) {
    total += number;
  }
  return total;
}
