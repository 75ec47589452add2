/** How far back a person means: "30d", "12h", "2w", or a date. */
const SPAN = /^(\d{1,5})([hdw])$/;
const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** @returns ms since 1970; undefined for a text that says nothing of the kind. @param now in ms since 1970. */
export function readSince(text: string, now: number): number | undefined {
  const [, count, unit = ""] = SPAN.exec(text.trim()) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS_MS[unit] ?? 0);
  const at = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
