/**
 * Which lessons speak to a prompt so clearly that they should be put before the agent unasked?
 *
 * The relevance is that of ranking.ts, reckoned without reading a memory whole: a hook lives for one question, so it looks
 * only for the question's own terms, and only where a text holds something like them.
 */
import { formsOf } from "../memory/english.ts";
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

/** Up to here a character parts words; the others that do part them for the tokenizer, too. */
const LAST_BLANK = 0x20;
/** Joints that an identifier is also known without. */
const JOINT = "[_-]?";

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

/** Finds which of some terms a lesson holds; a word that was met before is not looked into again. */
function finderOf(asked: ReadonlySet<string>): (line: LessonLine) => ReadonlySet<string> {
  const words = new Map<string, readonly string[]>();
  const hints = new RegExp([...asked].flatMap((term) => [term, ...formsOf(term)].map(hintOf)).join("|"), "gi");
  return ({ version }) => {
    const { topic, missing_context, lesson, ask_next_time = "" } = version;
    const text = [topic, missing_context, lesson, ask_next_time].join("\n").normalize("NFKC");
    const held = new Set<string>();
    hints.lastIndex = 0;
    while (asked.size > 0 && hints.test(text)) {
      const end = endOfWord(text, hints.lastIndex);
      const word = text.slice(startOfWord(text, hints.lastIndex - 1), end);
      hints.lastIndex = end;
      const terms = words.get(word) ?? tokenize(word).filter((term) => asked.has(term));
      words.set(word, terms);
      for (const term of terms) held.add(term);
    }
    return held;
  };
}

/** What every text with a term holds: stemming changes no more than the last letter of what it leaves. */
function hintOf(term: string): string {
  const letters = [...(term.length > 2 ? term.slice(0, -1) : term)].map((letter) => letter.replace(/\W/u, "\\$&"));
  return letters.join(JOINT).replaceAll(`s${JOINT}s`, `(?:s${JOINT}s|\u00df)`);
}

function startOfWord(text: string, within: number): number {
  let start = within;
  while (start > 0 && text.charCodeAt(start - 1) > LAST_BLANK) start--;
  return start;
}

function endOfWord(text: string, within: number): number {
  let end = within;
  while (end < text.length && text.charCodeAt(end) > LAST_BLANK) end++;
  return end;
}
