/** The day of a timestamp, for people and agents. */
export function dateOf(timestamp: unknown): string {
  return /^\d{4}-\d\d-\d\d/.exec(String(timestamp))?.[0] ?? "undated";
}
