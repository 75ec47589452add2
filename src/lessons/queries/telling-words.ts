/** Finds the words that show that a text was copied from another: names, numbers, identifiers, quoted and rare words. Pure. */
import { isEveryday } from "../../ground/search/everyday.ts";
import {
  FUNCTION_CHARACTERS,
  runsOf,
  scriptOf,
  tokenize,
  wordsOf,
} from "../../ground/search/tokenizer.ts";
import { cuesOf, type Lesson } from "../format/lesson.ts";

/** The telling words in a lesson, as it spells them, the surest first. */
export type TellingWords = (record: Lesson) => readonly string[];

/** A word in up to this many other lessons is still rare. */
const FEW_RECORDS = 2;
/** Shorter words without a mark are rarely names. */
const LEAST_CHARACTERS = 4;

const QUOTED =
  /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|「([^」\n]+)」|『([^』\n]+)』|《([^》\n]+)》|«([^»\n]+)»/gu;
/** A capital that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{M}\p{N}_.-]*/gu;
const CAPITAL = /^\p{Lu}/u;
const NUMBER = /\p{N}/u;
const IDENTIFIER = /\p{N}|[_.]\p{L}{2}|\p{Ll}\p{Lu}/u;

/**
 * Finds words that tell of some texts in other lessons (docs/design/lessons.md, "Purging").
 * @param texts all versions of what is looked for. @param others that have nothing to do with it; versions of one lesson count once.
 */
export function tellingWordsOf(texts: readonly Lesson[], others: readonly Lesson[]): TellingWords {
  const said = texts.flatMap(textsOf);
  const marked = new Set(said.flatMap(markedTerms));
  const { holders, records } = holdersIn(others);
  const terms = new Set(said.flatMap(runsOf).flatMap(signsOf));
  const tells = (term: string, isMarked: boolean) => {
    const count = holders.get(term)?.size ?? 0;
    if (isEveryday(term)) return false;
    return isMarked
      ? count <= Math.max(FEW_RECORDS, records / 2)
      : term.length >= LEAST_CHARACTERS && count <= FEW_RECORDS;
  };
  return (record) => {
    const held = textsOf(record);
    const isMarked = new Set([...marked, ...held.flatMap(markedTerms)]);
    const isTelling = (term: string) => terms.has(term) && tells(term, isMarked.has(term));
    const places = new Map<string, { word: string; place: number }>();
    for (const word of held.flatMap(runsOf).flatMap((run) => partsThat(isTelling, run))) {
      const isSure = tokenize(word).some((term) => isTelling(term) && isMarked.has(term));
      const place = isSure ? 0 : placeOf(word);
      if (!places.has(word.toLowerCase())) places.set(word.toLowerCase(), { word, place });
    }
    return [...places.values()].sort((a, b) => a.place - b.place).map(({ word }) => word);
  };
}

const placeOf = (word: string): number => (CAPITAL.test(word) ? 1 : 2);

/** The words of a lesson that are or contain one of these. @param words in lower case. */
export function wordsWith(words: readonly string[]): TellingWords {
  return (record) => {
    const runs = textsOf(record).flatMap(runsOf);
    return [
      ...new Set(runs.filter((run) => words.some((word) => run.toLowerCase().includes(word)))),
    ];
  };
}

/** All texts of a lesson: its own, those of `when`, of unknown fields, and its cues. */
function textsOf({ id: _, type: __, meta, ...fields }: Lesson): string[] {
  return [...Object.values(fields).flatMap(textsIn), ...cuesOf(meta)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The number of lessons, and which of them contain a term. */
function holdersIn(others: readonly Lesson[]) {
  const holders = new Map<string, Set<string>>();
  for (const lesson of others) {
    for (const term of textsOf(lesson).flatMap(tokenize))
      holders.set(term, (holders.get(term) ?? new Set()).add(lesson.id));
  }
  return { holders, records: new Set(others.map(({ id }) => id)).size };
}

function markedTerms(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match.slice(1).join(""));
  const names = text.match(NAME) ?? [];
  const named = [...quoted, ...names].flatMap(runsOf);
  return [...named.flatMap(wholeOf), ...runsOf(text).flatMap(markedIn)];
}

/** The whole identifier, and each number in it. In scripts without capitals every word. */
function markedIn(run: string): readonly string[] {
  if (scriptOf(run) === "other" && !IDENTIFIER.test(run)) return [];
  return [...wholeOf(run), ...signsOf(run).filter((sign) => NUMBER.test(sign))];
}

/** A word without its parts. */
const wholeOf = (run: string): readonly string[] =>
  scriptOf(run) === "other" ? signsOf(run).slice(0, 1) : signsOf(run);

/** The terms that tell a word from others: those of a Chinese run without its function characters. */
function signsOf(run: string): readonly string[] {
  return wholes(run).flatMap((word) => wordsOf(word).flatMap(({ signs }) => signs));
}

/** The word if one of its terms counts. In a Chinese run, the stretches whose pairs count. */
function partsThat(counts: (term: string) => boolean, run: string): readonly string[] {
  if (!isHan(run)) return tokenize(run).some(counts) ? [run] : [];
  return wholes(run).flatMap((whole) => {
    const characters = [...whole];
    const isIn = characters.map((_, index) => {
      const pairAt = (start: number) =>
        start >= 0 && counts(characters.slice(start, start + 2).join(""));
      return pairAt(index - 1) || pairAt(index);
    });
    const marked = characters.map((character, index) => (isIn[index] ? character : " ")).join("");
    return marked.split(" ").filter((stretch) => stretch !== "");
  });
}

function wholes(run: string): readonly string[] {
  if (!isHan(run)) return [run];
  const spaced = [...run]
    .map((character) => (FUNCTION_CHARACTERS.has(character) ? " " : character))
    .join("");
  return spaced.split(" ").filter((part) => part !== "");
}

const isHan = (run: string): boolean => scriptOf(run) === "Han";
