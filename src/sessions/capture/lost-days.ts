/** Says that days of events are gone, and what brings them back. Pure. */
import type { Problem } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";

/** Days that are named; the others are counted. */
const MOST_DAYS = 5;

export function lostInWords(days: readonly string[]): Problem {
  const named = `${days.slice(0, MOST_DAYS).join(", ")}${days.length > MOST_DAYS ? ", …" : ""}`;
  return {
    what: `Events of ${plural(days.length, "day")} are lost, taken neither by a purge nor for their age: ${named}.`,
    fix: "sentinel-memory record capture --again brings back what the transcripts still hold.",
  };
}
