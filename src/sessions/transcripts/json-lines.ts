/** Lines of JSON that several processes write, some of which are killed: lenient with what is torn or welded together. */

import { orElse } from "../../ground/core/or-else.ts";
import { DAMAGED, type Fields, type LineReading } from "./transcript.ts";

/** It says nothing about the client's format, so it does not count as conversation that was not understood. */
const DAMAGED_LINE: LineReading = { leftOut: [], unknown: [DAMAGED], isConversation: false };

/**
 * What a line says; where several stand in it, what each of them says. What cannot be read is `damaged`.
 * @param isLine whether an object stands on a line of its own, and not in another.
 */
export function readJsonLine(
  text: string,
  isLine: (fields: Fields) => boolean,
  readingOf: (fields: Fields, text: string) => LineReading,
): readonly LineReading[] {
  const whole = parsed(text);
  if (whole) return [readingOf(whole, text)];
  const { parts, isDamaged } = fusedLines(text, (part) => isLine(parsed(part) ?? {}));
  const readings = parts.map((part) => readingOf(parsed(part) ?? {}, part));
  return isDamaged ? [DAMAGED_LINE, ...readings] : readings;
}

function parsed(text: string): Fields | undefined {
  const value: unknown = orElse(() => JSON.parse(text), undefined);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Takes apart what stands on one line of a JSON Lines file and should stand on several. */

/** A line of a transcript holds objects, and each may be where the next line begins. */
const MOST_PLACES = 500;

/**
 * The whole lines in a line that is not one: a line welded to the one before, whole or torn.
 * @param isWhole whether a text is a line by itself.
 * @returns them in order, and whether something is left that is not a line.
 */
function fusedLines(
  text: string,
  isWhole: (part: string) => boolean,
): { readonly parts: readonly string[]; readonly isDamaged: boolean } {
  const parts: string[] = [];
  let rest = text;
  while (!isWhole(rest)) {
    const start = startOfLast(rest, isWhole);
    if (start === undefined) {
      const first = places(rest, "}{")
        .map((at) => rest.slice(0, at + 1))
        .find(isWhole);
      return { parts: first === undefined ? parts : [first, ...parts], isDamaged: true };
    }
    parts.unshift(rest.slice(start));
    rest = rest.slice(0, start);
  }
  return { parts: [rest, ...parts], isDamaged: false };
}

/** Where the last whole line begins. The one that begins first is tried first: what is inside it is not a line. */
function startOfLast(text: string, isWhole: (part: string) => boolean): number | undefined {
  return places(text, '{"').find((at) => at > 0 && isWhole(text.slice(at)));
}

function places(text: string, sign: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(sign); at >= 0 && found.length < MOST_PLACES; at = text.indexOf(sign, at + 1))
    found.push(at);
  return found;
}
