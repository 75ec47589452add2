import { SentinelError } from "./errors.ts";

/** The day shown for a timestamp without a date. */
const UNDATED = "undated";

/** Returns the day of a timestamp, for display. */
export const dateOf = (timestamp: unknown): string =>
  /^\d{4}-\d\d-\d\d/.exec(String(timestamp))?.[0] ?? UNDATED;

/** Returns the day and minute of an ISO timestamp, for display. */
export const minuteOf = (timestamp: string): string => timestamp.slice(0, 16).replace("T", " ");

/** Whether a value is a valid day as YYYY-MM-DD. It rejects February 30, which `Date.parse` moves to March. */
export function isCalendarDay(text: unknown): text is string {
  const time =
    typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Parses ISO 8601 into ms since 1970. Returns NaN for any other text and for days that don't exist. */
export const isoInstant = (text: string): number =>
  isCalendarDay(dateOf(text)) ? Date.parse(text) : Number.NaN;

/** Returns the user's local day as YYYY-MM-DD. @param now in ms since 1970. */
export const localDay = (now: number): string => localMinute(now).slice(0, 10);

/** Returns the user's local time as YYYY-MM-DD HH:MM. @param now in ms since 1970. */
export function localMinute(now: number): string {
  const at = new Date(now);
  return minuteOf(new Date(now - at.getTimezoneOffset() * 60_000).toISOString());
}

export const DAY_MS = 86_400_000;
const UNIT_MS = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const;

/** Converts an age like `12h`, `30d` or `4w`, or a date, to ms since 1970. Without one, all times are later. @throws SentinelError `bad_argument`. */
export function instantOfAge(text: string | undefined, now: number): number {
  if (text === undefined) {
    return Number.NEGATIVE_INFINITY;
  }
  const age = text.trim();
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(age) ?? [];
  if (count !== undefined) {
    return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  const instant = isoInstant(age);
  if (!Number.isNaN(instant)) {
    return instant;
  }
  const fix = "Give a number with h, d or w, like 30d, or a date like 2026-01-31.";
  throw new SentinelError(
    "bad_argument",
    `"${age.slice(0, 40)}" is neither an age nor a date.`,
    fix,
  );
}
