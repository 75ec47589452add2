import { SentinelError } from "./errors.ts";

/** Stands for the day of a timestamp that has none. */
export const UNDATED = "undated";

/** The day of a timestamp, for people and agents. */
export const dateOf = (timestamp: unknown): string =>
  /^\d{4}-\d\d-\d\d/.exec(String(timestamp))?.[0] ?? UNDATED;

/** Whether it is a day as YYYY-MM-DD; the thirtieth of February would be in March. */
export function isCalendarDay(text: unknown): text is string {
  const time =
    typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Reads a text in ISO 8601 as ms since 1970; gives NaN for any other text, and for a day that no calendar has. */
export const isoInstant = (text: string): number =>
  isCalendarDay(dateOf(text)) ? Date.parse(text) : Number.NaN;

/** The day where the person is, as YYYY-MM-DD. @param now in ms since 1970. */
export const localDay = (now: number): string => localMinute(now).slice(0, 10);

/** The minute where the person is, as YYYY-MM-DD HH:MM. @param now in ms since 1970. */
export function localMinute(now: number): string {
  const at = new Date(now);
  const local = new Date(now - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, 16).replace("T", " ");
}

export const DAY_MS = 86_400_000;
const UNIT_MS = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const;

/** The instant of an age like `12h`, `30d` or `4w`, or of a date, in ms since 1970. @throws SentinelError `bad_argument`. */
export function instantOfAge(text: string, now: number): number {
  const age = text.trim();
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(age) ?? [];
  if (count !== undefined) return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const instant = isoInstant(age);
  if (!Number.isNaN(instant)) return instant;
  const fix = "Give a number with h, d or w, like 30d, or a date like 2026-01-31.";
  throw new SentinelError(
    "bad_argument",
    `"${age.slice(0, 40)}" is neither an age nor a date.`,
    fix,
  );
}
