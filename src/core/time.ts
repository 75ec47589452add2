/** Stands for the day of a timestamp that has none. */
export const UNDATED = "undated";

/** The day of a timestamp, for people and agents. */
export function dateOf(timestamp: unknown): string {
  return /^\d{4}-\d\d-\d\d/.exec(String(timestamp))?.[0] ?? UNDATED;
}
