/**
 * Tokens in the formats that providers publish; `token-formats.json` lists kind, shape and source by trade. Tests draw tokens from the shapes.
 *
 * A shape is literal text with `{alphabet:count}` for the random part and `(a|b)` for a choice. Alphabets: d digits,
 * x hexadecimal, l lower case and digits, u upper case and digits, w letters and digits, v base64url, b base64,
 * p base64 of either sort with padding, t base64url and dots, c base64 that may be URL-encoded. A count is `36`, `20-30` or `20+`; the
 * last part of a shape ends at a word's end unless its count is open. Counts are the documented ones, or a little below where samples vary.
 */

import { headOf, headsOf, literals } from "../search/literals.ts";
import { alphabet, isIn, runsOf, WORD } from "../search/runs.ts";
import { type Detector, type Landmarks, matchAt, matchesIn, type Span, spanOf } from "../span.ts";
import byTrade from "../token-formats.json" with { type: "json" };
import { isFiller } from "../values/shape.ts";

/** @internal Tests draw tokens from the shapes. */
export const FORMATS = Object.values(byTrade)
  .flatMap((rows) => rows as unknown as [kind: string, shape: string, source: string][])
  .map(([kind, shape, source]) => ({ kind, shape, source }));

/** The alphabets a shape may name, as character classes. */
const ALPHABETS: Readonly<Record<string, string>> = {
  d: "0-9",
  x: "0-9a-fA-F",
  l: "a-z0-9",
  u: "A-Z0-9",
  w: "A-Za-z0-9",
  v: "A-Za-z0-9_-",
  b: "A-Za-z0-9+/",
  p: "A-Za-z0-9+/_=-",
  t: "A-Za-z0-9_.-",
  c: "A-Za-z0-9%+/_=-",
};

interface Rule {
  readonly kind: string;
  readonly prefix: string;
  /** Compiled when it is first needed: hundreds of patterns at once would delay the first call. */
  readonly pattern: () => RegExp;
}

const PART = /\{(\w):(\d+)(?:(\+)|-(\d+))?\}|\(([^)]*)\)|[^{(]+/g;
/** A prefix shorter than this would be tried at every other word. */
const SHORTEST_PREFIX = 2;

/** Rules that begin with a literal; tried only where it occurs. */
const prefixed: Rule[] = [];
/** Rules that begin with a random part; tried only on long runs in which their rarest literal occurs. */
const floating: (Rule & { readonly literal: string; readonly least: number })[] = [];
/** All characters that a rule with a random beginning may hold. */
const ANY = alphabet(/[A-Za-z0-9_.+/=:|!~-]/);

for (const { kind, shape } of FORMATS) {
  for (const spelled of spellOut(shape)) {
    const prefix = /^[^{]*/.exec(spelled)?.[0] ?? "";
    if (prefix.length >= SHORTEST_PREFIX)
      prefixed.push({ kind, prefix, pattern: onDemand(() => toPattern(spelled), "y") });
    else {
      const literal = spelled
        .split(/\{[^}]*\}/)
        .reduce((rarest, part) =>
          part.length > rarest.length || (part.length === rarest.length && /\W|_/.test(part))
            ? part
            : rarest,
        );
      const least = spelled.replace(/\{\w:(\d+)[^}]*\}/g, (_, count: string) =>
        "x".repeat(Number(count)),
      ).length;
      const pattern = onDemand(() => `(?<![A-Za-z0-9])${toPattern(spelled)}`, "g");
      floating.push({ kind, prefix: "", literal, least, pattern });
    }
  }
}
/** The end of a file's name, `10-00-17-` and a UUID from the full hour on, has the shape of a token of Okta. */
const TIME_AND_UUID = /^\d\d-\d\d-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const heads = headsOf(prefixed.map(({ prefix }) => prefix));
/** By number of the head, the rules whose prefixes begin with it in either case. */
const rulesOf = heads.map((): number[] => []);
for (const [rule, { prefix }] of prefixed.entries())
  rulesOf[heads.indexOf(headOf(prefix))]?.push(rule);
const occurrences = literals(heads);
const SHORTEST_FLOATING = Math.min(...floating.map(({ least }) => least));

export const findProviderTokens: Detector = (text, landmarks, spans) => {
  let past = 0;
  let last = -1;
  for (const [start, rule] of beginnings(text, landmarks)) {
    if (start < past && start !== last) continue; // inside a token already
    const { kind, prefix, pattern } = prefixed[rule] as Rule;
    const found = matchAt(pattern(), text, start)?.[0];
    if (!found) continue;
    // a filler is passed too: looked at from each prefix inside it, a run would cost the square of its length
    past = Math.max(past, start + found.length);
    last = start;
    if (!isFiller(found.slice(prefix.length)) && !TIME_AND_UUID.test(found))
      spans.push(spanOf(start, withoutEnd(found), kind));
  }
  findFloating(text, landmarks, spans);
};

/** Where a rule's prefix begins a word, from the first to the last; at one place, in the order of the rules. */
function beginnings(
  text: string,
  landmarks: Landmarks,
): (readonly [start: number, rule: number])[] {
  const found: (readonly [start: number, rule: number])[] = [];
  for (const { start, literal: head } of occurrences(landmarks)) {
    if (isIn(WORD, text.charCodeAt(start - 1))) continue;
    for (const rule of rulesOf[head] ?? [])
      if (text.startsWith((prefixed[rule] as Rule).prefix, start)) found.push([start, rule]);
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function findFloating(text: string, landmarks: Landmarks, spans: Span[]): void {
  if (landmarks.runs.length === 0) return;
  const rules = floating.filter(({ literal }) => text.includes(literal));
  if (rules.length === 0) return;
  for (const { start, end } of runsOf(text, landmarks.runs, ANY, SHORTEST_FLOATING)) {
    const run = text.slice(start, end);
    for (const { kind, literal, least, pattern } of rules) {
      if (run.length < least || !run.includes(literal) || run.search(pattern()) < 0) continue;
      for (const found of matchesIn(run, pattern()))
        if (/\d.*\d/.test(found[0]) && !isFiller(found[0]))
          spans.push(spanOf(start + found.index, withoutEnd(found[0]), kind));
    }
  }
}

/** Dots and hyphens behind a token are those of a sentence. */
const withoutEnd = (found: string): string => found.replace(/(?<![.-])[.-]+$/, "");

/** Every literal spelling of a shape: `(a|b)` becomes two, so that each has a plain prefix. @internal Tests draw tokens. */
export function spellOut(shape: string): string[] {
  const choice = /\(([^)]*)\)/.exec(shape);
  if (!choice) return [shape];
  const before = shape.slice(0, choice.index);
  const after = shape.slice(choice.index + choice[0].length);
  return (choice[1] ?? "").split("|").flatMap((option) => spellOut(before + option + after));
}

function onDemand(source: () => string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source(), flags);
    return pattern;
  };
}

/** The regular expression of a spelled-out shape. An open count takes all that follows; an exact one ends there. */
function toPattern(shape: string): string {
  const parts = matchesIn(shape, PART);
  return parts
    .map(([part, alphabet, least, more, most], i) => {
      if (!alphabet) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const letters = `[${ALPHABETS[alphabet]}]`;
      const last = i === parts.length - 1;
      // an open part in the middle is bounded, or repeated near-misses would cost the square of their length
      const count = more
        ? `${least},${last ? "" : Number(least) + 300}`
        : most
          ? `${least},${most}`
          : least;
      return `${letters}{${count}}${!more && last ? "(?![A-Za-z0-9])" : ""}`;
    })
    .join("");
}
