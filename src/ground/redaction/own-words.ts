/** Words that a team or a user never wants stored (docs/design/ground.md, "Own words"). */
import { countEach, groupBy } from "../core/collections.ts";
import { folded } from "./folded-text.ts";
import type { Redaction } from "./redact.ts";
import { escaped } from "./search.ts";
import { MARKS, mask, matchAt, matchesIn, merge, type Place, type Span } from "./span.ts";

export interface OwnWords {
  /** Replaces every match with `[REDACTED]`. Takes text without secrets: a `RedactedText` stays one. */
  redact<Text extends string>(
    text: Text,
  ): { readonly text: Text; readonly findings: Redaction["findings"] };
}

/** Returns the matches of a pattern, in order and not empty, with a kind if they have one. */
export type OwnPattern = (text: string) => readonly (Place & Partial<Span>)[];

/** For projects without own words. */
export const NO_OWN_WORDS: OwnWords = { redact: (text) => ({ text, findings: [] }) };

/** The fewest characters of a folded word. Shorter ones occur by chance. */
const FEWEST_CHARACTERS = 3;
const MOST_CHARACTERS = 200;
const SCRIPTS_WITHOUT_SPACES = [
  "Han",
  "Hangul",
  "Hiragana",
  "Katakana",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
];
const WRITTEN_TOGETHER = SCRIPTS_WITHOUT_SPACES.map((script) => `\\p{scx=${script}}`).join("");
const SPACED = String.raw`[[\p{L}\p{N}\p{M}]--[${WRITTEN_TOGETHER}]]`;
/** The edge of a word: not between two letters or digits of scripts with spaces. */
const EDGE = `(?:(?<!${SPACED})|(?!${SPACED}))`;
const BLANKS = /[\t-\r \u2028\u2029]+/;
/** Replaces the characters of a mark, so that no word matches inside it. */
const OPAQUE = "\ufffc";

/** The reason why a word can't be used, or undefined. */
export function unusableWord(word: string): "too short" | "too long" | undefined {
  const { length } = [...folded(word.trim()).text];
  if (length < FEWEST_CHARACTERS) {
    return "too short";
  }
  return length > MOST_CHARACTERS ? "too long" : undefined;
}

/** Finds whole words in scripts with spaces, and words anywhere in other scripts. Ignores case, width, Unicode form and kind of white space. */
export function ownWords(words: readonly string[], patterns: readonly OwnPattern[]): OwnWords {
  const findWords = findWordsOf(words.map((word) => folded(word.trim()).text));
  return {
    redact<Text extends string>(text: Text) {
      // Patterns first, because removing their matches may set a word apart.
      const byPatterns = without(text, "own-pattern", (opaque) =>
        patterns.flatMap((pattern) => pattern(opaque)),
      );
      const byWords = without(byPatterns.text, "own-word", (opaque) => {
        const form = folded(opaque);
        return findWords(form.text).map(({ start, end }) => form.place(start, end));
      });
      return {
        text: byWords.text as Text,
        findings: [...byPatterns.findings, ...byWords.findings],
      };
    },
  };
}

/** Masks the matches in a text. A mark inside a match becomes part of the new mark. */
function without(text: string, kind: string, find: OwnPattern) {
  const marks = matchesIn(text, MARKS).map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
    kind,
  }));
  const opaque =
    marks.length > 0 ? text.replace(MARKS, (mark) => OPAQUE.repeat(mark.length)) : text;
  const found = find(opaque);
  if (found.length === 0) {
    return { text, findings: [] };
  }
  const ends = new Map(marks.map(({ start, end }) => [start, end]));
  const spans = merge([...found.map((span) => ({ kind, ...span })), ...marks]);
  const taken = joined(spans.filter(({ start, end }) => ends.get(start) !== end));
  const counts = countEach(taken.map((span) => span.kind));
  return {
    text: mask(text, taken),
    findings: Array.from(counts, ([kind, count]) => ({ kind, count })),
  };
}

/** Joins spans without a gap between them. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last?.end === span.start) {
      result[result.length - 1] = { ...last, end: span.end };
    } else {
      result.push(span);
    }
  }
  return result;
}

/** Finds the longest word at each place of a folded text. @param words folded and trimmed. */
function findWordsOf(words: readonly string[]): OwnPattern {
  if (words.length === 0) {
    return () => [];
  }
  const pattern = new RegExp(
    `${EDGE}${oneOf(words.map((word) => word.split(BLANKS).join(" ")))}${EDGE}`,
    "gv",
  );
  return (text) => {
    const found: Place[] = [];
    for (let from = 0; ; ) {
      const match = matchAt(pattern, text, from);
      if (!match) {
        return found;
      }
      const { index, 0: word } = match;
      found.push({ start: index, end: index + word.length });
      // Another word may begin inside this one.
      from = index + String.fromCodePoint(word.codePointAt(0) as number).length;
    }
  };
}

/** A pattern for any of these texts, the longest first. It's a tree with one way on at each character, so time is linear. */
function oneOf(texts: readonly string[]): string {
  const byFirst = groupBy(texts, ([first = ""]) => first);
  const ways = [...byFirst]
    .sort(([a], [b]) => b.length - a.length)
    .map(([first, all]) => {
      if (first === "") {
        return "";
      }
      const character = first === " " ? BLANKS.source : escaped(first);
      return character + oneOf(all.map((text) => text.slice(first.length)));
    });
  return ways.length === 1 ? (ways[0] as string) : `(?:${ways.join("|")})`;
}
