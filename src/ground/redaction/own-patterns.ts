/** Patterns of users in the syntax of RE2, matched line by line in bounded time (docs/design/ground.md, "Own words"). Loads re2js. */
import { RE2JS, RE2JSException } from "re2js";
import { composed } from "./folded-text.ts";
import type { OwnPattern } from "./own-words.ts";
import type { Place } from "./span.ts";

/** The characters that a search reads first. A longer match can lose to a shorter one within them. */
const SEEN = 128;
/** The factor by which a search grows if these aren't enough. */
const GROWTH = 4;
/** How often each character of a line may be read on average. Fewer times for a large pattern. */
const MOST_LOOKS = 50;
/** The most instructions of a pattern. Each may cost a step for each character read. */
const LARGEST_PROGRAM = 500;
const STEPS = 2_500;
/** A pattern with an empty match in one of these would match between any two characters. */
const SAMPLES = ["", "a b"];

/** @returns the pattern, or the reason why it can't be used, in a few words that quote nothing of it. */
export function ownPattern(source: string): OwnPattern | string {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source.normalize("NFC"));
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }
    return (
      /^error parsing regexp: ([a-zA-Z ]+)/.exec(error.message)?.[1]?.trim() ?? "it cannot be read"
    );
  }
  if (pattern.programSize() > LARGEST_PROGRAM) {
    return "it is too large";
  }
  if (SAMPLES.some((sample) => isEmpty(findFrom(pattern, sample, 0)))) {
    return "it matches the empty text";
  }
  return (text) => matchesOf(text, pattern);
}

function matchesOf(text: string, pattern: RE2JS): Place[] {
  const found: Place[] = [];
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

function* matchesInLine(line: string, pattern: RE2JS): Generator<Place> {
  let from = 0;
  let size = SEEN;
  let looksLeft = Math.min(MOST_LOOKS, STEPS / pattern.programSize()) * line.length;
  while (from < line.length) {
    const end = Math.min(line.length, from + size);
    looksLeft -= end - from;
    if (looksLeft < 0) {
      yield { start: from, end: line.length };
      return;
    }
    const match = findFrom(pattern, line.slice(0, end), from);
    // If a match begins in this part and ends after it, the whole line may have another match or none.
    const isOpen = end < line.length && (!match || match.end === end);
    if (isOpen) {
      size *= GROWTH;
      continue;
    }
    if (!match) {
      return;
    }
    if (!isEmpty(match)) {
      yield match;
    }
    from = isEmpty(match) ? match.end + 1 : match.end;
    size = SEEN;
  }
}

function findFrom(pattern: RE2JS, text: string, from: number): Place | undefined {
  const matcher = pattern.matcher(text);
  return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
}

const isEmpty = (match: Place | undefined): boolean =>
  match !== undefined && match.start === match.end;
