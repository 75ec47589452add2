/** A time as Cursor writes it for its model: "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)". */

const TIME =
  /^\s*\w+,\s+([A-Z][a-z]{2})[a-z]*\s+(\d{1,2}),\s+(\d{4}),\s+(\d{1,2}):(\d{2})\s*([AP])M\s+\(UTC(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)\s*$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MINUTE_MS = 60_000;

/** The beginning of that minute, ISO 8601; undefined for any other text: without its zone a time is not known. */
export function timeInWords(text: string): string | undefined {
  const found = TIME.exec(text);
  if (!found) return undefined;
  const [, name = "", day, year, hour, minute, half, sign, zoneHours = 0, zoneMinutes = 0] = found;
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const hours = (Number(hour) % 12) + (half === "P" ? 12 : 0);
  const zone = (sign === "-" ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return new Date(Date.UTC(Number(year), month, Number(day), hours, Number(minute)) - zone * MINUTE_MS).toISOString();
}
