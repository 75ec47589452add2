/**
 * A believable memory of any size, for tests and benches: gaps in English, Korean and Chinese over 30 topics, and
 * questions whose answer is known. The same seed gives the same memory.
 */

import { createHash } from "node:crypto";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { pick, seeded } from "./random.ts";
import {
  FILES,
  FOLDERS,
  type Language,
  NOUNS,
  PHRASES,
  TOPICS,
  UNITS,
  VERBS,
} from "./vocabulary.ts";

interface Question {
  readonly text: string;
  readonly language: Language;
  /** The lesson that the question was made from. */
  readonly gold: Lesson;
}

export interface RealisticMemory {
  readonly lessons: readonly Lesson[];
  /** What an agent would ask: a task described with some words of one lesson, some of them put differently. */
  questions(count: number): Question[];
}

/** What one lesson is about: each slot as recorded and as somebody asks for it. */
type Slots = Readonly<Record<string, { readonly recorded: string; readonly asked: string }>>;

const LANGUAGES = Object.keys(PHRASES) as Language[];
const START = Date.UTC(2026, 0, 1);
const YEAR = 365 * 24 * 60 * 60 * 1000;

/** Makes `count` lessons, about a third in each language, each with its own text. */
export function realisticMemory(count: number, seed = 1): RealisticMemory {
  const choose = chooser(seed);
  const made = new Map<string, { lesson: Lesson; language: Language; slots: Slots }>();
  while (made.size < count) {
    const language = choose.from(LANGUAGES);
    const [topic, subjects] = choose.from(Object.entries(TOPICS));
    const slots = makeSlots(subjects[language], language, choose);
    const lesson = makeLesson(topic, language, slots, choose);
    made.set(lesson.id, { lesson, language, slots });
  }
  const sources = [...made.values()];
  return {
    lessons: sources.map(({ lesson }) => lesson),
    questions: (wanted) =>
      Array.from({ length: wanted }, () => {
        const { lesson, language, slots } = choose.from(sources);
        return { text: makeQuestion(lesson, language, slots, choose), language, gold: lesson };
      }),
  };
}

function makeSlots(subjects: string, language: Language, choose: Chooser): Slots {
  const { areas, conditions, causes, effects, remedies, people } = PHRASES[language];
  const lists = {
    subject: subjects,
    area: areas,
    condition: conditions,
    cause: causes,
    effect: effects,
  };
  const words = { ...lists, remedy: remedies, person: people };
  const noun = choose.one(NOUNS);
  const name = `${choose.one(VERBS)}_${noun}`;
  const code = {
    identifier: choose.from([name, camelCase(name), noun.toUpperCase()]),
    file: `${choose.one(FOLDERS)}/${choose.one(NOUNS)}/${choose.one(FILES)}`,
    value: `${choose.number(2, 900)} ${choose.one(UNITS)}`,
  };
  const chosen = Object.entries(words).map(([slot, list]) => [slot, choose.one(list)] as const);
  return Object.fromEntries(
    [...chosen, ...Object.entries(code)].map(([slot, phrase]) => {
      const [recorded = "", asked = recorded] = phrase.split(" => ");
      return [slot, { recorded, asked }];
    }),
  );
}

function makeLesson(topic: string, language: Language, slots: Slots, choose: Chooser): Lesson {
  const { missing, lesson, ask } = PHRASES[language];
  const missing_context = sentence(choose.one(missing), slots, "recorded");
  const first = START + choose.number(0, YEAR);
  const created = new Date(first).toISOString();
  const again = {
    updated: new Date(first + choose.number(1, YEAR)).toISOString(),
    count: choose.number(2, 12),
  };
  return {
    id: createHash("sha256")
      .update(topic + missing_context)
      .digest("hex")
      .slice(0, 16),
    type: "log",
    topic,
    missing_context,
    lesson: sentence(choose.one(lesson), slots, "recorded"),
    ...(choose.number(0, 3) > 0 && { ask_next_time: sentence(choose.one(ask), slots, "recorded") }),
    meta: { created, ...(choose.number(0, 9) === 0 && again) },
  };
}

/** Only questions that name at least two things the lesson speaks of: fewer would fit many lessons as well. */
function makeQuestion(gold: Lesson, language: Language, slots: Slots, choose: Chooser): string {
  const text = `${gold.missing_context} ${gold.lesson}`;
  const known = (frame: string) =>
    slotsIn(frame).filter((slot) => text.includes(slots[slot]?.recorded ?? "\0"));
  const frames = PHRASES[language].question.split("|").filter((frame) => known(frame).length >= 2);
  return sentence(choose.from(frames), slots, "asked");
}

function slotsIn(frame: string): string[] {
  return [...frame.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

function sentence(frame: string, slots: Slots, wording: "recorded" | "asked"): string {
  const filled = frame.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot]?.[wording] ?? slot);
  // A path or an identifier keeps its first letter.
  return filled.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

interface Chooser {
  from<T>(items: readonly T[]): T;
  /** One phrase of a list written `a|b|c`. */
  one(phrases: string): string;
  /** A whole number from `low` to `high`, both included. */
  number(low: number, high: number): number;
}

function chooser(seed: number): Chooser {
  const random = seeded(seed);
  const from = <T>(items: readonly T[]): T => pick(random, items);
  const number = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  return { from, one: (phrases) => from(phrases.split("|")), number };
}
