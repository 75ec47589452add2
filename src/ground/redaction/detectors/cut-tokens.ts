/**
 * Secrets that a tool cut off: at the end of a text, or before `…` and `[truncated]`, a piece that begins like a provider's
 * token and is too short for one.
 */
import { FORMATS } from "../formats.ts";
import { measure } from "../letters.ts";
import { isFiller, isWords, SEQUENCE } from "../shape.ts";
import type { Detector, Landmarks } from "../span.ts";
import { literals } from "./literals.ts";
import { spellOut } from "./provider-formats.ts";
import { alphabet, isIn, pairs, WORD } from "./runs.ts";

/** Prefixes with which no word begins, the longest first. */
const PREFIXES = [
  ...new Set(FORMATS.flatMap(({ shape }) => spellOut(shape)).map((spelled) => /^[^{]*/.exec(spelled)?.[0] ?? "")),
]
  .filter((prefix) => prefix.length >= 4 || /^[A-Za-z]{2,3}[_-]$/.test(prefix))
  .sort((a, b) => b.length - a.length);
/** Marks of a place where something was cut off, and what may stand between the token and such a mark. */
const marks = literals(["…", "...", "truncated", " more", " characters"]);
const BEFORE_MARK = /["'`]?(?:[ \t]?(?:[[(<]?(?:output )?|[[(]\+?\d{1,12}))?$/;
const LONGEST_MARK = 24;
const LETTERS = alphabet(/[\w.+~-]/);
const LONGEST = 400;
/** A key that is meant to be shown. */
const PUBLIC = /^(?:live|test)_/i;
/** `api02-notarealkey` */
const LONGEST_PIECE = 4;
/** Least number of random characters after the prefix. */
const SHORTEST = 6;

export const findCutTokens: Detector = (text, landmarks, spans) => {
  for (const index of endsOfTokens(text, landmarks)) {
    if (!isIn(WORD, text.charCodeAt(index - 1))) continue;
    let start = index;
    while (start > Math.max(0, index - LONGEST) && isIn(LETTERS, text.charCodeAt(start - 1))) start--;
    const token = text.slice(start, index);
    if (token.length < 2 * SHORTEST) continue;
    const prefix = PREFIXES.find((known) => token.startsWith(known));
    const body = prefix && token.slice(prefix.length);
    if (!body || body.length < SHORTEST || isWords(body) || isFiller(body)) continue;
    if (SEQUENCE.test(body) || PUBLIC.test(body)) continue;
    if (/\d/.test(body) && /[A-Za-z]/.test(body) && !/[/.]/.test(body) && measure(body).meanPiece <= LONGEST_PIECE)
      spans.push({ start, end: index, kind: "cut-token" });
  }
};

/** Before each mark, and at the end of the text. */
function* endsOfTokens(text: string, landmarks: Landmarks): Generator<number> {
  for (const [mark] of pairs(marks(landmarks))) {
    const before = text.slice(Math.max(0, mark - LONGEST_MARK), mark);
    yield mark - (BEFORE_MARK.exec(before)?.[0].length ?? 0);
  }
  const end = text.trimEnd();
  yield end.length - (/["'`]{0,2}$/.exec(end.slice(-2))?.[0].length ?? 0);
}
