/** Applies the table of provider formats. */

import { FORMATS } from "../formats.ts";
import { isFiller } from "../shape.ts";
import { type Detector, matchAt, type Span } from "../span.ts";
import { alphabet, isIn, pairs, runsOf, WORD } from "./runs.ts";

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
  readonly pattern: RegExp;
}

const PART = /\{(\w):(\d+)(?:(\+)|-(\d+))?\}|\(([^)]*)\)|[^{(]+/g;
/** How many first characters a rule is looked up by. */
const LOOKUP = 2;

/** Rules by the codes of their first characters, so that a word costs one look-up and not one trial for each rule. */
const byPrefix: (Rule[] | undefined)[] = new Array(128 * 128);
/** Rules that begin with a random part; tried only on long runs in which their longest literal occurs. */
const floating: (Rule & { readonly literal: string; readonly least: number })[] = [];
/** All characters that a rule with a random beginning may hold. */
const ANY = alphabet(/[A-Za-z0-9_.+/=:|!~-]/);

for (const { kind, shape } of FORMATS) {
  for (const spelled of spellOut(shape)) {
    const prefix = /^[^{]*/.exec(spelled)?.[0] ?? "";
    if (prefix.length >= LOOKUP) {
      const key = prefix.charCodeAt(0) * 128 + prefix.charCodeAt(1);
      const rules = byPrefix[key] ?? [];
      rules.push({ kind, prefix, pattern: new RegExp(toPattern(spelled), "y") });
      byPrefix[key] = rules;
    } else {
      const literal = spelled
        .split(/\{[^}]*\}/)
        .reduce((longest, part) => (part.length > longest.length ? part : longest));
      const least = spelled.replace(/\{\w:(\d+)[^}]*\}/g, (_, count: string) => "x".repeat(Number(count))).length;
      const pattern = new RegExp(`(?<![A-Za-z0-9])${toPattern(spelled)}`, "g");
      floating.push({ kind, prefix: "", literal, least, pattern });
    }
  }
}
const SHORTEST_FLOATING = Math.min(...floating.map(({ least }) => least));

export const findProviderTokens: Detector = (text) => {
  const spans: Span[] = [];
  let past = 0;
  let before = 0;
  for (let i = 0; i + 1 < text.length; i++) {
    const code = text.charCodeAt(i);
    const isStart = code < 128 && !isIn(WORD, before) && (isIn(WORD, code) || code === UNDERSCORE);
    before = code;
    if (!isStart || i < past) continue; // inside a token already
    const next = text.charCodeAt(i + 1);
    const rules = next < 128 ? byPrefix[code * 128 + next] : undefined;
    if (!rules) continue;
    for (const { kind, prefix, pattern } of rules) {
      if (!text.startsWith(prefix, i)) continue;
      const found = matchAt(pattern, text, i)?.[0];
      if (!found) continue;
      // a filler is passed too: looked at from each prefix inside it, a run would cost the square of its length
      past = Math.max(past, i + found.length);
      if (!isFiller(found.slice(prefix.length))) add(spans, kind, i, found);
    }
  }
  findFloating(text, spans);
  return spans;
};

const UNDERSCORE = 95;

function findFloating(text: string, spans: Span[]): void {
  const rules = floating.filter(({ literal }) => text.includes(literal));
  if (rules.length === 0) return;
  for (const [start, end] of pairs(runsOf(text, ANY, SHORTEST_FLOATING))) {
    const run = text.slice(start, end);
    if (!/\d.*\d/.test(run)) continue;
    const isDense = /[A-Za-z0-9]{15}/.test(run);
    for (const { kind, literal, least, pattern } of rules) {
      if (run.length < least || (literal.length < 2 && !isDense) || !run.includes(literal)) continue;
      for (const found of run.matchAll(pattern))
        if (/\d.*\d/.test(found[0]) && !isFiller(found[0])) add(spans, kind, start + found.index, found[0]);
    }
  }
}

function add(spans: Span[], kind: string, start: number, found: string): void {
  spans.push({ start, end: start + found.replace(/[.-]+$/, "").length, kind });
}

/** Every literal spelling of a shape: `(a|b)` becomes two, so that each has a plain prefix. */
export function spellOut(shape: string): string[] {
  const choice = /\(([^)]*)\)/.exec(shape);
  if (!choice) return [shape];
  const before = shape.slice(0, choice.index);
  const after = shape.slice(choice.index + choice[0].length);
  return (choice[1] ?? "").split("|").flatMap((option) => spellOut(before + option + after));
}

/** The regular expression of a spelled-out shape. An open count takes all that follows; an exact one ends there. */
function toPattern(shape: string): string {
  const parts = [...shape.matchAll(PART)];
  return parts
    .map(([part, alphabet, least, more, most], i) => {
      if (!alphabet) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      const letters = `[${ALPHABETS[alphabet]}]`;
      const last = i === parts.length - 1;
      // an open part in the middle is bounded, or repeated near-misses would cost the square of their length
      const count = more ? `${least},${last ? "" : Number(least) + 300}` : most ? `${least},${most}` : least;
      return `${letters}{${count}}${!more && last ? "(?![A-Za-z0-9])" : ""}`;
    })
    .join("");
}
