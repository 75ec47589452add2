/**
 * Which lessons speak to a prompt so clearly that they should be put before the agent unasked?
 *
 * The relevance is that of ranking.ts, reckoned without reading a memory whole: a hook lives for one question, so it looks
 * only for the question's own terms, and into each word of the memory once. That takes a quarter of the time.
 */
import type { Ledger } from "../memory/ledger.ts";
import { rarityOf } from "../memory/ranking.ts";
import { tokenize } from "../memory/tokenizer.ts";
import type { LessonLine } from "../memory/versions.ts";

/** Above this, what a lesson shares with a prompt is hardly chance; see `Ranked.relevance`. */
const RELEVANCE_FLOOR = 0.5;
/** "run the tests" is all of two terms, so any lesson about tests would seem to speak to the whole of it. */
const LEAST_TERMS = 3;
/** A prompt is a task in its first lines; what is pasted below is not. */
const PROMPT_CHARACTERS = 1_000;

const JOINED = String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー`;
/** A run of the scripts that are cut into pairs, or a word of another; no term reaches over its end. */
const PIECES = new RegExp(`[${JOINED}]+|[^\\s${JOINED}]+`, "gu");
const IS_JOINED = new RegExp(`^[${JOINED}]`, "u");

/** The lessons that clearly speak to a prompt, the most relevant first. */
export function lessonsFor(ledger: Ledger, prompt: string): LessonLine[] {
  const asked = new Set(tokenize(prompt.slice(0, PROMPT_CHARACTERS)));
  const find = finderOf(asked);
  const found = ledger.lessons().map((line) => ({ line, held: find(line) }));
  const holders = new Map<string, number>();
  for (const { held } of found) for (const term of held) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weigh = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) sum += rarityOf(holders.get(term) ?? 0, ledger.count);
    return sum;
  };
  const whole = Math.sqrt(weigh(asked));
  return found
    .filter(({ held }) => held.size >= LEAST_TERMS)
    .map(({ line, held }) => ({ line, relevance: weigh(held) / whole }))
    .filter(({ relevance }) => relevance > RELEVANCE_FLOOR)
    .sort((a, b) => b.relevance - a.relevance || b.line.instant - a.line.instant)
    .map(({ line }) => line);
}

/** Finds which of some terms a lesson holds; a piece of text that was met before is not looked into again. */
function finderOf(asked: ReadonlySet<string>): (line: LessonLine) => ReadonlySet<string> {
  const known = new Map<string, readonly string[]>();
  const joined = [...asked].filter((term) => IS_JOINED.test(term));
  const lookInto = (piece: string): readonly string[] => {
    // Terms of these scripts stand in the text as they are.
    if (IS_JOINED.test(piece) && !joined.some((term) => piece.includes(term))) return [];
    return tokenize(piece).filter((term) => asked.has(term));
  };
  return ({ version }) => {
    const { topic, missing_context, lesson, ask_next_time = "" } = version;
    const held = new Set<string>();
    for (const piece of [topic, missing_context, lesson, ask_next_time].join("\n").normalize("NFKC").match(PIECES) ??
      []) {
      const terms = known.get(piece) ?? lookInto(piece);
      known.set(piece, terms);
      for (const term of terms) held.add(term);
    }
    return held;
  };
}
