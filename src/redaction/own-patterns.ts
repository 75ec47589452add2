/**
 * Patterns that people write, in the syntax of RE2, so that none can take exponential time. They are matched line by line.
 *
 * Finding all matches with RE2 still takes quadratic time where each try reads far ahead, so a search looks at a part of a long
 * line only. What may be longer than that part is hidden as far as it can reach.
 *
 * re2js is loaded with this file, so only somebody who has patterns pays for it.
 */
import { RE2JS, RE2JSException } from "re2js";
import { composed } from "./folded-text.ts";
import type { OwnPattern } from "./own-words.ts";

/** Characters of a line that one search looks at; matches of up to half of that are found exactly. */
const SEEN = 500;
/** How often a character may be looked at, in the mean over a line. */
const LOOKS = 50;
/** Most instructions of a pattern: at worst each costs a step a character. */
const LARGEST_PROGRAM = 500;
/** A pattern that finds an empty match in one of them would match between any two characters. */
const SAMPLES = ["", "a b"];

interface Match {
  readonly start: number;
  readonly end: number;
}

/** @returns the pattern, or in a few words that quote nothing of it why it cannot be used. */
export function ownPattern(source: string): OwnPattern | string {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source.normalize("NFC"));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return /^error parsing regexp: ([a-zA-Z ]+)/.exec(error.message)?.[1]?.trim() ?? "it cannot be read";
  }
  if (pattern.programSize() > LARGEST_PROGRAM) return "it is too large";
  if (SAMPLES.some((sample) => isEmpty(findFrom(pattern, sample, 0)))) return "it matches the empty text";
  return (text) => matchesOf(text, pattern);
}

function matchesOf(text: string, pattern: RE2JS): Match[] {
  const found: Match[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const form = composed(line);
    for (const { start, end } of matchesInLine(form.text, pattern)) {
      const place = form.place(start, end);
      found.push({ start: offset + place.start, end: offset + place.end });
    }
    offset += line.length + 1;
  }
  return found;
}

function* matchesInLine(line: string, pattern: RE2JS): Generator<Match> {
  let from = 0;
  let lastEnd = 0;
  let slidTo = 0;
  let looksLeft = LOOKS * line.length;
  while (from < line.length) {
    const seen = Math.min(line.length, from + SEEN);
    const isCut = seen < line.length;
    looksLeft -= seen - from;
    if (looksLeft < 0) yield { start: from, end: line.length };
    if (looksLeft < 0) return;

    const match = findFrom(pattern, line.slice(0, seen), from);
    if (!match && !isCut) return;
    if (!match) from = slidTo = seen - SEEN / 2;
    else if (isEmpty(match)) from = match.end + 1;
    else if (isCut && match.end === seen && match.start > from) from = match.start;
    else {
      // It may have begun before the part that was seen, and may go on behind it.
      const start = match.start === slidTo ? lastEnd : match.start;
      const end = isCut && match.end === seen ? line.length : match.end;
      yield { start, end };
      from = lastEnd = slidTo = end;
    }
  }
}

function findFrom(pattern: RE2JS, text: string, from: number): Match | undefined {
  const matcher = pattern.matcher(text);
  return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
}

function isEmpty(match: Match | undefined): boolean {
  return match !== undefined && match.start === match.end;
}
