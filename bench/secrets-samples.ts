/** The samples that `bench:secrets` reads, and how a catch is counted. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Positive {
  readonly text: string;
  readonly random: readonly string[];
  readonly kind: string;
  readonly tier: string;
}
export interface Negative {
  readonly text: string;
  readonly kind: string;
  readonly group: string;
}

/** Reported, but not part of the goal: a random string with no hint. */
export const NOT_COUNTED = "bare-generic";
const WINDOW = 8;

export function read<T>(folder: string, file: string): T[] {
  return readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** Gone when no window of a random part is left, unless that window also stands elsewhere in the note. */
export function isCaught({ text, random }: Positive, left: string): boolean {
  const elsewhere = random.reduce((rest, part) => rest.replace(part, "\n"), text);
  return random.every((part) =>
    windows(part).every((window) => elsewhere.includes(window) || !left.includes(window)),
  );
}

function windows(part: string): string[] {
  if (part.length < WINDOW) return [part];
  return Array.from({ length: part.length - WINDOW + 1 }, (_, i) => part.slice(i, i + WINDOW));
}
