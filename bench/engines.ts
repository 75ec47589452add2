/** What is compared: this memory's ranking, and two simpler searches over the same lessons. */

import { toLine } from "../src/lessons/format/file-lines.ts";
import type { Lesson } from "../src/lessons/format/lesson.ts";
import type { LessonLine } from "../src/lessons/merge/versions.ts";
import { rankLessons } from "../src/lessons/queries/lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

/** Prepares a search over one memory; the search gives the lessons that match, best first. */
export type Engine = (lessons: readonly Lesson[]) => (query: string) => readonly Lesson[];

export const ENGINES: Readonly<Record<string, Engine>> = {
  "sentinel-memory": (lessons) => {
    const lines = lessons.map(toLine) as LessonLine[];
    rankLessons(lines, "index now", MOMENT);
    return (query) => {
      const matches = rankLessons(lines, query, MOMENT).filter(({ relevance }) => relevance > 0);
      return matches.map(({ line }) => line.version);
    };
  },
  "substring (official memory server)": (lessons) => bySubstring(lessons, textOf),
  "Jaccard overlap of words": (lessons) => byJaccard(lessons, textOf),
};

/** As `search_nodes` of @modelcontextprotocol/server-memory: the whole query, somewhere in the text, in file order. */
export function bySubstring<Item>(items: readonly Item[], textOf: (item: Item) => string) {
  const texts = items.map((item) => [item, textOf(item).toLowerCase()] as const);
  return (query: string) =>
    texts.filter(([, text]) => text.includes(query.toLowerCase())).map(([item]) => item);
}

export function byJaccard<Item>(items: readonly Item[], textOf: (item: Item) => string) {
  const sets = items.map((item) => [item, wordsOf(textOf(item))] as const);
  return (query: string) => {
    const asked = wordsOf(query);
    const scored = sets.map(([item, words]) => ({ item, score: jaccard(asked, words) }));
    const matching = scored.filter(({ score }) => score > 0);
    return matching.sort((a, b) => b.score - a.score).map(({ item }) => item);
  };
}

export function textOf({ topic, missing_context, lesson, ask_next_time = "" }: Lesson): string {
  return [topic, missing_context, lesson, ask_next_time].filter((field) => field !== "").join("\n");
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / (a.size + b.size - common);
}
