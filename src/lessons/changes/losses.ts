/** Compares a principle with its sources: figures, names, quoted words and prohibitions. (docs/design/lessons.md, "Compaction") */
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine } from "../../ground/core/text.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize, writtenWords } from "../../ground/search/tokenizer.ts";
import type { Lesson } from "../format/lesson.ts";
import { folded, holdsWord } from "../queries/matches-when.ts";

const ALL = "all";
const MOST_LISTED = 20;
const MOST_QUOTED = 60;
/** A principle of more sources says each in fewer words. */
const MOST_COMPARED = 8;
const LEAST_LEFT = 0.4;

/** A figure counts beside a word of Chinese or Korean, which have no space there. */
const NUMBER = /(?<![\p{sc=Latin}\p{N}_])\p{N}+(?:[.,:]\p{N}+)*/gu;
/** `snake_case`, `camelCase`, `X-Request-Id`, `package.json`, `VAT`; a word with a plain hyphen is none. */
const NAME =
  /[\p{sc=Latin}\p{N}$@]+(?:[_.][\p{sc=Latin}\p{N}]+)+|\p{Lu}?\p{Ll}+\p{Lu}[\p{sc=Latin}\p{N}]*|\p{Lu}[\p{sc=Latin}\p{N}]*(?:-\p{Lu}[\p{sc=Latin}\p{N}]*)+|\p{Lu}\p{Lu}[\p{Lu}\p{N}]*/gu;
const PATH = /(?:[\w.@~*-]*\/){2,}[\w.@*-]*|[./~][\w.@*-]*\/[\w.@*-]+|[\w@*-]+\/[\w@*-]+\.\w+/g;
const OPTION = /(?<=^|\s)--?[a-z][\w-]*/gi;
const QUOTED = /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|「([^」\n]+)」/g;
const NEGATION =
  /(?:^|[^\p{L}])(?:not|never|no|without|cannot|\p{L}+n['’]t|avoid|only|nor|forbidden)(?![\p{L}])|않|말고|말 것|말아|마라|마세요|금지|없이|못 |안 된|不(?!同)|勿|(?<![差区个])别(?!的)|禁止|没|避免|只能/iu;
const SENTENCE = /[^.!?;。！？；\n]+(?:[.!?;](?=\S)[^.!?;。！？；\n]*)*/g;
/** Capitals that only stress, and what has a full stop of its own. */
const EMPHASIS = /^(?:e\.g|i\.e|NOT|NEVER|NO|ALWAYS|ONLY|MUST|AND|OR|DO|ALL|ANY|BEFORE|AFTER)$/;

type Texts = Pick<Lesson, "lesson" | "ask_next_time">;

/** @param drop what may go: as the error lists it, or "all". @throws SentinelError `would_lose`, which lists the rest. */
export function mustKeep(
  principle: Texts,
  sources: readonly Texts[],
  drop: readonly string[],
): void {
  const may = new Set(drop.map((each) => folded(each).trim()));
  if (may.has(ALL)) return;
  const lost = lostIn(principle, sources).filter((each) => !may.has(folded(each)));
  if (lost.length === 0) return;
  const listed = lost.slice(0, MOST_LISTED).join(" | ");
  const more = lost.length > MOST_LISTED ? ` and ${lost.length - MOST_LISTED} more` : "";
  throw new SentinelError(
    "would_lose",
    `The principle leaves this out of its sources, so nothing was saved: ${listed}${more}`,
    'Say it in lesson or ask_next_time and call again; or call with drop, a list of those that may go, or ["all"].',
  );
}

/** Everything that the sources say in so many characters and the principle does not, each once. */
function lostIn(principle: Texts, sources: readonly Texts[]): string[] {
  const [kept, said] = [textOf(principle), sources.map(textOf)];
  const [whole, figures, forbidding] = [
    folded(kept),
    new Set(numbersIn(kept)),
    prohibitionsIn(kept).map(tellingWords),
  ];
  const lost = [
    ...said.flatMap(numbersIn).filter((number) => !figures.has(number)),
    ...said.flatMap(namesIn).filter((name) => !holdsWord(whole, folded(name))),
    ...said
      .flatMap(prohibitionsIn)
      .flatMap((sentence) => (isKept(sentence, forbidding) ? [] : [`"${sentence}"`])),
  ];
  return [
    ...new Map([...wordsLost(kept, said), ...lost].map((each) => [folded(each), each])).values(),
  ];
}

const textOf = ({ lesson, ask_next_time = "" }: Texts): string => `${lesson}\n${ask_next_time}`;

/** Whether each of two texts has a figure that the other has not, or one of them forbids. */
export function contradicts(one: string, other: string): boolean {
  const [mine, theirs] = [new Set(numbersIn(one)), new Set(numbersIn(other))];
  const hasMore = (some: ReadonlySet<string>, than: ReadonlySet<string>) =>
    [...some].some((each) => !than.has(each));
  return (
    NEGATION.test(one) !== NEGATION.test(other) || (hasMore(mine, theirs) && hasMore(theirs, mine))
  );
}

/** Without the marks that group thousands. */
function numbersIn(text: string): string[] {
  return (text.normalize("NFKC").match(NUMBER) ?? []).map((number) =>
    number.replaceAll(/,(?=\p{N}{3}(?!\p{N}))/gu, ""),
  );
}

function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].flatMap(
    (found) => found.slice(1).find((part) => part !== undefined) ?? [],
  );
  const found = [PATH, NAME, OPTION].flatMap((form) => text.match(form) ?? []);
  return [...quoted.filter((part) => part.length <= MOST_QUOTED), ...found]
    .map((name) => oneLine(name).replace(/[.,:]+$/, ""))
    .filter((name) => name.length > 1 && !EMPHASIS.test(name));
}

function prohibitionsIn(text: string): string[] {
  const sentences = (text.match(SENTENCE) ?? []).filter((sentence) => NEGATION.test(sentence));
  return sentences.map((sentence) => oneLine(sentence));
}

/** A sentence that forbids something is kept by one that forbids and shares a word with it. */
function isKept(sentence: string, forbidding: readonly ReadonlySet<string>[]): boolean {
  const words = [...tellingWords(sentence)];
  return words.length === 0 || forbidding.some((other) => words.some((word) => other.has(word)));
}

/** Rare words, where so few of them are left that the principle speaks of something else; none where it is in another script. */
function wordsLost(kept: string, said: readonly string[]): string[] {
  if (said.length > MOST_COMPARED || new Set([kept, ...said].map(scriptOf)).size > 1) return [];
  const words = [...new Set(said.flatMap(writtenWords))].filter(
    (word) => tellingWords(word).size > 0,
  );
  const [left, whole] = [tellingWords(kept), folded(kept)];
  const isLeft = (word: string) =>
    whole.includes(word) || [...tellingWords(word)].some((term) => left.has(term));
  const lost = words.filter((word) => !isLeft(word));
  return words.length - lost.length >= LEAST_LEFT * words.length ? [] : lost;
}

/** Names and figures are compared as they are written. */
const tellingWords = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).filter((term) => !isEveryday(term) && !/[\p{N}_.-]/u.test(term)));

function scriptOf(text: string): string {
  return /\p{Script=Hangul}/u.test(text)
    ? "hangul"
    : /\p{Script=Han}/u.test(text)
      ? "han"
      : "other";
}
