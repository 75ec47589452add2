/** Applies the table of provider formats. */

import { FORMATS } from "../formats.ts";
import { isFiller } from "../shape.ts";
import { type Detector, matchAt, type Span } from "../span.ts";

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
};

interface Rule {
  readonly kind: string;
  readonly prefix: string;
  readonly pattern: RegExp;
}

const PART = /\{(\w):(\d+)(?:(\+)|-(\d+))?\}|\(([^)]*)\)|[^{(]+/g;
/** How many first characters a rule is looked up by. */
const LOOKUP = 2;

/** Rules by their first characters, so that a text costs one look-up a word and not one trial a rule. */
const byPrefix = new Map<string, Rule[]>();
/** Rules that begin with a random part; tried only where their longest literal occurs. */
const floating: (Rule & { readonly literal: string })[] = [];

for (const { kind, shape } of FORMATS) {
  for (const spelled of spellOut(shape)) {
    const prefix = /^[^{]*/.exec(spelled)?.[0] ?? "";
    if (prefix.length >= LOOKUP) {
      const key = prefix.slice(0, LOOKUP);
      byPrefix.set(key, [...(byPrefix.get(key) ?? []), { kind, prefix, pattern: new RegExp(toPattern(spelled), "y") }]);
    } else {
      const literal = spelled
        .split(/\{[^}]*\}/)
        .reduce((longest, part) => (part.length > longest.length ? part : longest));
      floating.push({ kind, prefix: "", literal, pattern: new RegExp(`(?<![A-Za-z0-9])${toPattern(spelled)}`, "g") });
    }
  }
}

export const findProviderTokens: Detector = (text) => {
  const spans: Span[] = [];
  let past = 0;
  for (const word of text.matchAll(/(?<![A-Za-z0-9])[A-Za-z0-9_]/g)) {
    if (word.index < past) continue; // inside a token already
    for (const { kind, prefix, pattern } of byPrefix.get(text.slice(word.index, word.index + LOOKUP)) ?? []) {
      if (!text.startsWith(prefix, word.index)) continue;
      const found = matchAt(pattern, text, word.index)?.[0];
      if (!found) continue;
      // a filler is passed too: looked at from each prefix inside it, a run would cost the square of its length
      past = Math.max(past, word.index + found.length);
      if (!isFiller(found.slice(prefix.length))) add(spans, kind, word.index, found);
    }
  }
  for (const { kind, literal, pattern } of floating) {
    if (!text.includes(literal)) continue;
    for (const found of text.matchAll(pattern))
      if (/\d.*\d/.test(found[0]) && !isFiller(found[0])) add(spans, kind, found.index, found[0]);
  }
  return spans;
};

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
