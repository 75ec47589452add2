/** Finds the places where secrets may begin, once for all detectors, because trying each form at each character costs too much. */
import { type Detector, type Landmarks, matchAt, matchesIn, type Place, spanOf } from "./span.ts";

/** The characters of a word that are searched for. The pattern of the form reads the rest. */
const HEAD = 4;
/** The lowercase beginnings of the words of all detectors. */
const heads = new Set<string>();
let anyHead: RegExp | undefined;

/** Registers words. The result returns the positions in a text's landmarks at which a word may begin, in order. */
export function beginningsOf(words: readonly string[]): (landmarks: Landmarks) => number[] {
  const own = [...new Set(words.map((word) => word.slice(0, HEAD).toLowerCase()))];
  for (const head of own) {
    heads.add(head);
  }
  anyHead = undefined;
  return ({ beginnings }) => {
    if (!own.some((head) => beginnings.has(head))) {
      return [];
    }
    return own.flatMap((head) => beginnings.get(head) ?? []).sort((a, b) => a - b);
  };
}

/** Passes over the text once for all words and once for the runs. */
export function landmarksOf(text: string): Landmarks {
  anyHead ??= new RegExp(`(?=(${[...heads].sort().reverse().map(escaped).join("|")}))`, "gi");
  const beginnings = new Map<string, number[]>();
  for (const [longest, starts] of startsOf(text, anyHead)) {
    for (let length = longest.length; length > 0; length--) {
      const head = longest.slice(0, length).toLowerCase();
      const others = beginnings.get(head) ?? [];
      if (heads.has(head)) {
        beginnings.set(head, others.concat(starts));
      }
    }
  }
  return { beginnings, runs: placesOf(matchesIn(text, GENERATED), 0) };
}

/** Returns the positions at which a pattern without length matches, by its group. */
function startsOf(text: string, pattern: RegExp): Map<string, number[]> {
  const found = new Map<string, number[]>();
  let match = matchAt(pattern, text, 0);
  while (match) {
    const starts = found.get(match[1] ?? "");
    if (starts) {
      starts.push(match.index);
    } else {
      found.set(match[1] ?? "", [match.index]);
    }
    match = matchAt(pattern, text, match.index + 1);
  }
  return found;
}

/** Escapes a literal for a pattern. */
export const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** All characters of generated values. Every other alphabet that detectors search for is a part of it. */
const GENERATED = /[A-Za-z0-9_.+/=:|!~-]{12,}/g;

/** Every run within the long runs. @param pattern global, for at least 12 characters of generated values. */
export const runsOf = (text: string, long: readonly Place[], pattern: RegExp): Place[] =>
  long.flatMap(({ start, end }) => placesOf(matchesIn(text.slice(start, end), pattern), start));

const placesOf = (matches: readonly RegExpExecArray[], from: number): Place[] =>
  matches.map(({ index, 0: run }) => ({ start: from + index, end: from + index + run.length }));

/** Searches for a sticky pattern that begins with one of these words. */
export type Search = (text: string, landmarks: Landmarks) => readonly RegExpExecArray[];

/** @returns a search for the pattern's matches, in order and without overlaps. */
export function searchFrom(words: readonly string[], pattern: RegExp): Search {
  const beginnings = beginningsOf(words);
  return (text, landmarks) => {
    const matches: RegExpExecArray[] = [];
    let past = 0;
    for (const start of beginnings(landmarks)) {
      const match = start < past ? undefined : matchAt(pattern, text, start);
      if (!match) {
        continue;
      }
      past = start + match[0].length;
      matches.push(match);
    }
    return matches;
  };
}

/** Decides whether a value is a secret, by its place and its pattern's match. */
export type Judge = (
  value: string,
  place: { text: string; start: number; match: RegExpExecArray },
) => boolean;

/** Forms with the same judge. */
export interface Forms {
  /** The kind in a receipt. */
  readonly kind: string;
  /** Every value is a secret if it's absent. */
  readonly isSecret?: Judge;
  /**
   * Patterns by the lowercase words that each may begin with, separated by bars. A pattern is sticky and has indices. Its group
   * `s` is the value.
   */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

/** @returns a detector of these forms. @param closing punctuation behind a value, which is neither judged nor redacted. */
export function findForms(table: readonly Forms[], closing = /$^/): Detector {
  const rows = table.flatMap(({ kind, isSecret = () => true, patterns }) =>
    Object.entries(patterns).map(([words, pattern]) => ({
      kind,
      isSecret,
      search: searchFrom(words.split("|"), pattern),
    })),
  );
  return (text, landmarks, spans) => {
    for (const { kind, search, isSecret } of rows) {
      for (const match of search(text, landmarks)) {
        const [start = 0] = match.indices?.groups?.s ?? [];
        const value = (match.groups?.s ?? "").replace(closing, "");
        if (isSecret(value, { text, start, match })) {
          spans.push(spanOf(start, value, kind));
        }
      }
    }
  };
}
