/**
 * Tokens in the formats that providers publish. `token-formats.json` lists kind, shape and source by trade. Tests draw tokens
 * from the shapes.
 *
 * A shape is literal text with `{alphabet:count}` for the random part and `(a|b)` for a choice. A count is `36`, `20-30` or
 * `20+`. The last part ends at a word's end unless its count is open. Counts are the documented ones, or slightly lower if
 * samples vary.
 */

import { escaped, searchFrom } from "../search.ts";
import { type Detector, type Landmarks, matchesIn, spanOf } from "../span.ts";
import byTrade from "../token-formats.json" with { type: "json" };
import { isFiller } from "../values/shape.ts";

/** @internal Tests draw tokens from the shapes. */
export const FORMATS = Object.values(byTrade)
  .flatMap((rows) => rows as unknown as [kind: string, shape: string, source: string][])
  .map(([kind, shape, source]) => ({ kind, shape, source }));

/** The alphabets of shapes, as character classes. */
const ALPHABETS: Readonly<Record<string, string>> = {
  /** digits */
  d: "0-9",
  /** hexadecimal */
  x: "0-9a-fA-F",
  /** lower case and digits */
  l: "a-z0-9",
  /** upper case and digits */
  u: "A-Z0-9",
  /** letters and digits */
  w: "A-Za-z0-9",
  /** base64url */
  v: "A-Za-z0-9_-",
  /** base64 */
  b: "A-Za-z0-9+/",
  /** either base64 with padding */
  p: "A-Za-z0-9+/_=-",
  /** base64url and dots */
  t: "A-Za-z0-9_.-",
  /** base64 that may be URL-encoded */
  c: "A-Za-z0-9%+/_=-",
};

const PART = /\{(\w):(\d+)(?:(\+)|-(\d+))?\}|\(([^)]*)\)|[^{(]+/g;
/** An open part in the middle is bounded. Otherwise repeated near-misses would cost the square of their length. */
const MOST_IN_MIDDLE = 300;

interface Token {
  readonly start: number;
  readonly token: string;
  /** The part after the prefix. */
  readonly body: string;
}

interface Rule {
  readonly kind: string;
  readonly find: (text: string, landmarks: Landmarks) => readonly Token[];
}

/** A shorter prefix would be tried at every other word. */
const SHORTEST_PREFIX = 2;

const RULES: readonly Rule[] = FORMATS.map(({ kind, shape }) => {
  const shapes = spellOut(shape);
  const prefixes = shapes.map((one) => /^[^{]*/.exec(one)?.[0] ?? "");
  const hasPrefix = prefixes.every(({ length }) => length >= SHORTEST_PREFIX);
  return { kind, find: hasPrefix ? atPrefixes(prefixes, shape) : inRuns(shapes, shape) };
});

/** Searches for a shape that begins with a literal. */
function atPrefixes(prefixes: readonly string[], shape: string): Rule["find"] {
  const search = searchFrom(prefixes, new RegExp(sourceOf(shape), "y"));
  return (text, landmarks) => search(text, landmarks).map((match) => tokenOf(match, 0));
}

/** Searches for a shape that begins with a random part in the long runs that contain its longest literal. */
function inRuns(shapes: readonly string[], shape: string): Rule["find"] {
  const pattern = new RegExp(sourceOf(shape), "g");
  const literals = shapes.map((one) => {
    const parts = one.split(/\{[^}]*\}/).sort((a, b) => a.length - b.length);
    return parts.at(-1) ?? "";
  });
  const least = Math.min(...shapes.map(leastOf));
  return (text, { runs }) => {
    const mayMatch = (part: string) => literals.some((literal) => part.includes(literal));
    if (!mayMatch(text)) {
      return [];
    }
    return runs.flatMap(({ start, end }) => {
      const run = end - start < least ? "" : text.slice(start, end);
      const matches = mayMatch(run) ? matchesIn(run, pattern) : [];
      const tokens = matches.map((match) => tokenOf(match, start));
      return tokens.filter(({ token }) => /\d.*\d/.test(token));
    });
  };
}

/** The length of the shortest token of a shape. */
function leastOf(shape: string): number {
  return shape.replace(/\{\w:(\d+)[^}]*\}/g, (_, count: string) => "x".repeat(Number(count)))
    .length;
}

const tokenOf = ({ index, 0: token, 1: body = "" }: RegExpExecArray, from: number): Token => ({
  start: from + index,
  token: token.replace(END_OF_SENTENCE, ""),
  body,
});

const END_OF_SENTENCE = /(?<![.-])[.-]+$/;
/** The end of a file name, `10-00-17-` and a UUID, which has the shape of an Okta token. */
const TIME_AND_UUID = /^\d\d-\d\d-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const findProviderTokens: Detector = (text, landmarks, spans) => {
  for (const { kind, find } of RULES) {
    for (const { start, token, body } of find(text, landmarks)) {
      if (!isFiller(body) && !TIME_AND_UUID.test(token)) {
        spans.push(spanOf(start, token, kind));
      }
    }
  }
};

/** Every literal spelling of a shape: `(a|b)` becomes two, so that each has a plain prefix. @internal Tests draw tokens. */
export function spellOut(shape: string): string[] {
  const choice = /\(([^)]*)\)/.exec(shape);
  if (!choice) {
    return [shape];
  }
  const before = shape.slice(0, choice.index);
  const after = shape.slice(choice.index + choice[0].length);
  return (choice[1] ?? "").split("|").flatMap((option) => spellOut(before + option + after));
}

/** The regular expression of a shape. An open last part takes all that follows, an exact one ends there. */
function sourceOf(shape: string): string {
  const parts = matchesIn(shape, PART);
  const sources = parts.map(([literal, letters, least, isOpen, most, choice], i) => {
    if (choice !== undefined) {
      return `(?:${choice.split("|").map(escaped).join("|")})`;
    }
    if (!letters) {
      return escaped(literal);
    }
    const isLast = i === parts.length - 1;
    const openMost = isLast ? "" : Number(least) + MOST_IN_MIDDLE;
    const count = isOpen ? `${least},${openMost}` : `${least},${most ?? least}`;
    const end = isLast && !isOpen ? "(?![A-Za-z0-9])" : "";
    return `[${ALPHABETS[letters]}]{${count}}${end}`;
  });
  const body = parts.findIndex(([, letters]) => letters !== undefined);
  const prefix = sources.slice(0, body).join("");
  return `(?<![A-Za-z0-9])${prefix}(${sources.slice(body).join("")})`;
}
