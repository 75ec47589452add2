/**
 * Secrets that a tool cut off: at the end of a text, or before `…` and `[truncated]`, a piece that begins like a provider's
 * token and is too short for one.
 */

import { FORMATS } from "../formats.ts";
import { isFiller, isWords } from "../shape.ts";
import type { Detector, Span } from "../span.ts";
import { spellOut } from "./provider-formats.ts";
import { alphabet, isIn } from "./runs.ts";

/** Prefixes with which no word begins, the longest first. */
const PREFIXES = [
  ...new Set(FORMATS.flatMap(({ shape }) => spellOut(shape)).map((spelled) => /^[^{]*/.exec(spelled)?.[0] ?? "")),
]
  .filter((prefix) => prefix.length >= 4 || /^[A-Za-z]{2,3}[_-]$/.test(prefix))
  .sort((a, b) => b.length - a.length);
/** Marks of a place where something was cut off; the end of the text is another such place. */
const CUTS = /["'`]?(?:…|\.{3}|[ \t]?[[(<]?(?:output )?truncated|[ \t]?[[(]\+?\d+ (?:more|characters)|["'`]?\s*$)/g;
const LETTERS = alphabet(/[\w.+~-]/);
const LONGEST = 400;
/** Least number of random characters after the prefix. */
const SHORTEST = 6;

export const findCutTokens: Detector = (text) => {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(CUTS)) {
    let start = index;
    while (start > Math.max(0, index - LONGEST) && isIn(LETTERS, text.charCodeAt(start - 1))) start--;
    const token = text.slice(start, index);
    if (token.length < 2 * SHORTEST || token.endsWith(".")) continue;
    const prefix = PREFIXES.find((known) => token.startsWith(known));
    const body = prefix && token.slice(prefix.length);
    if (!body || body.length < SHORTEST || isWords(body) || isFiller(body)) continue;
    if (/\d/.test(body) && /[A-Za-z]/.test(body) && !/[/.]/.test(body))
      spans.push({ start, end: index, kind: "cut-token" });
  }
  return spans;
};
