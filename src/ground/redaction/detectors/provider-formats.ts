/**
 * Tokens in the formats that providers publish. `token-formats.json` lists kind, shape and source by trade. Tests draw tokens
 * from the shapes.
 *
 * A shape is literal text with `{alphabet:count}` for the random part and `(a|b)` for a choice. A count is `36`, `20-30` or
 * `20+`. The last part ends at a word's end unless its count is open. Counts are the documented ones, or slightly lower if
 * samples vary.
 */

import { headOf, headsOf, literals } from "../search/literals.ts";
import { type Detector, type Landmarks, matchAt, matchesIn, type Span, spanOf } from "../span.ts";
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

interface Rule {
  readonly kind: string;
  readonly shape: string;
  /** Compiled on first use, because hundreds of patterns at once would delay the first call. */
  readonly pattern: () => RegExp;
}

/** A rule that begins with a literal. It's tried only at the literal. */
interface PrefixedRule extends Rule {
  readonly prefix: string;
}

/** A rule that begins with a random part. It's tried only on long runs that contain its rarest literal. */
interface FloatingRule extends Rule {
  readonly literal: string;
  /** The length of its shortest token. */
  readonly least: number;
}

/** A shorter prefix would be tried at every other word. */
const SHORTEST_PREFIX = 2;

const prefixed: PrefixedRule[] = [];
const floating: FloatingRule[] = [];
for (const { kind, shape: choices } of FORMATS)
  for (const shape of spellOut(choices)) {
    const prefix = prefixOf(shape);
    if (prefix.length >= SHORTEST_PREFIX)
      prefixed.push({ kind, shape, prefix, pattern: compiledOnce(shape, "", "y") });
    else {
      const pattern = compiledOnce(shape, "(?<![A-Za-z0-9])", "g");
      floating.push({ kind, shape, literal: rarestLiteral(shape), least: leastOf(shape), pattern });
    }
  }

function prefixOf(shape: string): string {
  return /^[^{]*/.exec(shape)?.[0] ?? "";
}

/** The longest literal of a shape, preferably with a symbol. */
function rarestLiteral(shape: string): string {
  let rarest = "";
  for (const part of shape.split(/\{[^}]*\}/)) {
    const isAsLong = part.length === rarest.length && /\W|_/.test(part);
    if (part.length > rarest.length || isAsLong) rarest = part;
  }
  return rarest;
}

function leastOf(shape: string): number {
  return shape.replace(/\{\w:(\d+)[^}]*\}/g, (_, count: string) => "x".repeat(Number(count)))
    .length;
}

const heads = headsOf(prefixed.map(({ prefix }) => prefix));
const occurrences = literals(heads);
/** The indices of the rules for each head. */
const rulesOfHead = heads.map((head) =>
  [...prefixed.keys()].filter((rule) => headOf(prefixed[rule]?.prefix ?? "") === head),
);

export const findProviderTokens: Detector = (text, landmarks, spans) => {
  findPrefixed(text, landmarks, spans);
  findFloating(text, landmarks, spans);
};

/** The end of a file name, `10-00-17-` and a UUID, which has the shape of an Okta token. */
const TIME_AND_UUID = /^\d\d-\d\d-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function findPrefixed(text: string, landmarks: Landmarks, spans: Span[]): void {
  let past = 0;
  let last = -1;
  for (const { start, rule } of beginningsIn(text, landmarks)) {
    const isInsideToken = start < past && start !== last;
    if (isInsideToken) continue;
    const found = matchAt(rule.pattern(), text, start)?.[0];
    if (!found) continue;
    // Fillers are skipped as well. Otherwise a run with many prefixes would cost the square of its length.
    past = Math.max(past, start + found.length);
    last = start;
    if (!isFiller(found.slice(rule.prefix.length)) && !TIME_AND_UUID.test(found))
      spans.push(spanOf(start, withoutEnd(found), rule.kind));
  }
}

interface Beginning {
  readonly start: number;
  readonly rule: PrefixedRule;
}

/** Finds the words that begin with a rule's prefix, in order. Rules for one place are in the order of the formats. */
function beginningsIn(text: string, landmarks: Landmarks): Beginning[] {
  const found: (Beginning & { index: number })[] = [];
  for (const { start, literal: head } of occurrences(landmarks)) {
    const isInsideWord = /[A-Za-z0-9]/.test(text.charAt(start - 1));
    if (isInsideWord) continue;
    for (const index of rulesOfHead[head] ?? []) {
      const rule = prefixed[index];
      if (rule && text.startsWith(rule.prefix, start)) found.push({ start, rule, index });
    }
  }
  return found.sort((a, b) => a.start - b.start || a.index - b.index);
}

function findFloating(text: string, landmarks: Landmarks, spans: Span[]): void {
  const rules = floating.filter(({ literal }) => text.includes(literal));
  if (rules.length === 0) return;
  for (const { start, end } of landmarks.runs) {
    const run = text.slice(start, end);
    for (const rule of rules)
      if (run.length >= rule.least && run.includes(rule.literal))
        spans.push(...floatingIn(run, start, rule));
  }
}

function floatingIn(run: string, start: number, { kind, pattern }: FloatingRule): Span[] {
  return matchesIn(run, pattern())
    .filter(([found]) => /\d.*\d/.test(found) && !isFiller(found))
    .map(({ index, 0: found }) => spanOf(start + index, withoutEnd(found), kind));
}

/** Removes the dots and hyphens of a sentence. */
const withoutEnd = (found: string): string => found.replace(/(?<![.-])[.-]+$/, "");

/** Every literal spelling of a shape: `(a|b)` becomes two, so that each has a plain prefix. @internal Tests draw tokens. */
export function spellOut(shape: string): string[] {
  const choice = /\(([^)]*)\)/.exec(shape);
  if (!choice) return [shape];
  const before = shape.slice(0, choice.index);
  const after = shape.slice(choice.index + choice[0].length);
  return (choice[1] ?? "").split("|").flatMap((option) => spellOut(before + option + after));
}

function compiledOnce(shape: string, before: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(before + toPattern(shape), flags);
    return pattern;
  };
}

const PART = /\{(\w):(\d+)(?:(\+)|-(\d+))?\}|[^{(]+/g;
/** An open part in the middle is bounded. Otherwise repeated near-misses would cost the square of their length. */
const MOST_IN_MIDDLE = 300;

/** The regular expression of a spelled-out shape. An open last part takes all that follows, an exact one ends there. */
function toPattern(shape: string): string {
  const parts = matchesIn(shape, PART);
  return parts
    .map(([literal, letters, least, isOpen, most], i) => {
      if (!letters) return literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const isLast = i === parts.length - 1;
      const openMost = isLast ? "" : Number(least) + MOST_IN_MIDDLE;
      const count = isOpen ? `${least},${openMost}` : `${least},${most ?? least}`;
      const end = isLast && !isOpen ? "(?![A-Za-z0-9])" : "";
      return `[${ALPHABETS[letters]}]{${count}}${end}`;
    })
    .join("");
}
