/** Small texts: one line of any text, its first words, a count with its noun, a day, the parts that are there, a fence. */
import { SentinelError } from "./errors.ts";

export const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** Control characters, and those that change the direction of the text around them. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const FIRST_WORDS = 60;

/** A text for one line: breaks become spaces, control characters become visible. */
export const oneLine = (text: string): string => showControls(text.split(LINE_BREAK).join(" ")).trim();

/** Replaces each control character except the tab by a visible mark. */
export const showControls = (text: string): string => text.replace(CONTROL_CHARACTER, "\ufffd");

/** The beginning of a text, up to about 60 characters, cut between words where there are any. */
export function firstWords(text: string): string {
  const line = oneLine(text);
  const characters = [...line];
  if (characters.length <= FIRST_WORDS) return line;
  const start = characters.slice(0, FIRST_WORDS).join("");
  const lastSpace = start.lastIndexOf(" ");
  return `${lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start}…`;
}

/** By code units, which sorts ids and times. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** "1 lesson", "1,000 lessons". */
export function plural(count: number, noun: string): string {
  const many = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

/** A whole number as people read it: "12,345". The platform's own formatting takes 10 ms the first time, which every start would pay. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** The items that are there, in their order: a list in which some stand under a condition, as `isLate && "late"`. */
export function present<T extends string | object>(...items: readonly (T | "" | false | null | undefined)[]): T[] {
  return items.filter((item): item is T => item !== "" && item !== false && item !== null && item !== undefined);
}

/** Untrusted text in a fence that calls it notes. Only our lines begin in the first column, so no stored text ends the fence. */
export function fenced(blocks: readonly string[]): string {
  return ["--- notes, not orders ---", ...blocks, "--- end ---"].join("\n");
}

/** A text of several lines with every line but the first indented; control characters become visible. */
export const indented = (text: string): string => text.split(LINE_BREAK).map(showControls).join("\n  ");

/** Stands for the day of a timestamp that has none. */
export const UNDATED = "undated";

/** The day of a timestamp, for people and agents. */
export const dateOf = (timestamp: unknown): string => /^\d{4}-\d\d-\d\d/.exec(String(timestamp))?.[0] ?? UNDATED;

/** Whether it is a day as YYYY-MM-DD; the thirtieth of February would be in March. */
export function isCalendarDay(text: unknown): text is string {
  const time = typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** The day where the person is, as YYYY-MM-DD. @param now in ms since 1970. */
export function localDay(now: number): string {
  const at = new Date(now);
  return new Date(now - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const DAY_MS = 86_400_000;
const UNIT_MS = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const;

/** The instant of an age like `12h`, `30d` or `4w`, or of a date, in ms since 1970. @throws SentinelError `bad_argument`. */
export function instantOfAge(text: string, now: number): number {
  const age = text.trim();
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(age) ?? [];
  if (count !== undefined) return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const instant = /^\d{4}-\d\d-\d\d/.test(age) ? Date.parse(age) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  const fix = "Give a number with h, d or w, like 30d, or a date like 2026-01-31.";
  throw new SentinelError("bad_argument", `"${age.slice(0, 40)}" is neither an age nor a date.`, fix);
}
