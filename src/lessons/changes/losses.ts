/** Compares a principle with its sources: figures, names, quoted words and prohibitions. (docs/design/lessons.md, "Compaction") */
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine, plural } from "../../ground/core/text.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { wordsOf } from "../../ground/search/tokenizer.ts";
import type { Lesson } from "../format/lesson.ts";
import { folded, holdsWord } from "../queries/matches-when.ts";

const MOST_LISTED = 20;
/** The most characters of a detail in a list. */
const MOST_CHARACTERS = 120;
const MOST_QUOTED = 60;

/** A number counts next to a Chinese or Korean word, because these scripts have no space there. */
const NUMBER = /(?<![\p{sc=Latin}\p{N}_])\p{N}+(?:[.,:]\p{N}+)*/gu;
/** `snake_case`, `camelCase`, `X-Request-Id`, `package.json`, `VAT`, but no word with a plain hyphen. */
const NAME =
  /[\p{sc=Latin}\p{N}$@]+(?:[_.][\p{sc=Latin}\p{N}]+)+|\p{Lu}?\p{Ll}+\p{Lu}[\p{sc=Latin}\p{N}]*|\p{Lu}[\p{sc=Latin}\p{N}]*(?:-\p{Lu}[\p{sc=Latin}\p{N}]*)+|\p{Lu}\p{Lu}[\p{Lu}\p{N}]*/gu;
const PATH = /(?:[\w.@~*-]*\/){2,}[\w.@*-]*|[./~][\w.@*-]*\/[\w.@*-]+|[\w@*-]+\/[\w@*-]+\.\w+/g;
const OPTION = /(?<=^|\s)--?[a-z][\w-]*/gi;
const QUOTED = /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|「([^」\n]+)」/g;
const NEGATION =
  /(?:^|[^\p{L}])(?:not|never|no|without|cannot|\p{L}+n['’]t|avoid|only|nor|forbidden)(?![\p{L}])|않|말고|말 것|말아|마라|마세요|금지|없이|못 |안 된|不(?!同)|勿|(?<![差区个])别(?!的)|禁止|没|避免|只能/iu;
/** Words that reject one of two ways. */
const REJECTION = /\b(?:instead of|rather than)\b|대신|而不是/iu;
const SENTENCE = /[^.!?;。！？；\n]+(?:[.!?;](?=\S)[^.!?;。！？；\n]*)*/g;
/** Words in capitals for emphasis, and abbreviations with a full stop. */
const EMPHASIS = /^(?:e\.g|i\.e|NOT|NEVER|NO|ALWAYS|ONLY|MUST|AND|OR|DO|ALL|ANY|BEFORE|AFTER)$/;

type Texts = Pick<Lesson, "lesson" | "ask_next_time">;
type Source = Texts & Pick<Lesson, "missing_context">;

/** @throws SentinelError `would_lose` if a principle in the script of its sources shares no telling word with them. */
export function mustConcern(principle: Texts, sources: readonly Source[]): void {
  const own = rulesOf(principle);
  const theirs = sources.map((source) => `${source.missing_context}\n${rulesOf(source)}`);
  if (new Set([own, ...theirs].map(scriptOf)).size > 1) {
    return;
  }
  const words = new Set(theirs.flatMap((text) => [...tellingWords(text)]));
  if (words.size === 0 || [...tellingWords(own)].some((word) => words.has(word))) {
    return;
  }
  throw new SentinelError(
    "would_lose",
    `The principle has no word in common with the ${plural(sources.length, "lesson")} it would replace, so nothing was saved.`,
    "State in lesson the rules of these lessons, and call again with the same source_ids.",
  );
}

/** Returns the numbers, names and prohibitions of the sources that a principle leaves out. Each appears once, in its original spelling. */
export function leftOutBy(principle: Texts, sources: readonly Texts[]): string[] {
  const kept = rulesOf(principle);
  const said = sources.map(rulesOf);
  const found = [
    ...numbersLeftOut(kept, said),
    ...namesLeftOut(kept, said),
    ...prohibitionsLeftOut(kept, said),
  ];
  return [...new Map(found.map((each) => [folded(each), each])).values()];
}

/** The left-out details of a principle, in one line. */
export function listLeftOut(leftOut: readonly string[]): string {
  const listed = leftOut.slice(0, MOST_LISTED).map(shortened).join(" | ");
  const more = leftOut.length - MOST_LISTED;
  return more > 0 ? `${listed} and ${more} more` : listed;
}

function shortened(detail: string): string {
  const characters = [...detail];
  if (characters.length <= MOST_CHARACTERS) {
    return detail;
  }
  return `${characters.slice(0, MOST_CHARACTERS).join("")}…`;
}

function numbersLeftOut(kept: string, said: readonly string[]): string[] {
  const numbers = new Set(numbersIn(kept));
  return said.flatMap(numbersIn).filter((number) => !numbers.has(number));
}

function namesLeftOut(kept: string, said: readonly string[]): string[] {
  const whole = folded(kept);
  const lost = said.flatMap(namesIn).filter((name) => !holdsWord(whole, folded(name)));
  // A path already contains the name of its file.
  return lost.filter((name) => !lost.some((path) => path.endsWith(`/${name}`)));
}

function prohibitionsLeftOut(kept: string, said: readonly string[]): string[] {
  const forbidding = prohibitionsIn(kept).map(tellingWords);
  const lost = said.flatMap(prohibitionsIn).filter((sentence) => !isKept(sentence, forbidding));
  return lost.map((sentence) => `"${sentence}"`);
}

const rulesOf = ({ lesson, ask_next_time = "" }: Texts): string => `${lesson}\n${ask_next_time}`;

/** Whether each of two texts has a number that the other lacks, or only one of them forbids or rejects something. */
export function contradicts(one: string, other: string): boolean {
  if (forbids(one) !== forbids(other)) {
    return true;
  }
  const mine = new Set(numbersIn(one));
  const theirs = new Set(numbersIn(other));
  const hasOwn = [...mine].some((number) => !theirs.has(number));
  const hasOther = [...theirs].some((number) => !mine.has(number));
  return hasOwn && hasOther;
}

const forbids = (text: string): boolean => NEGATION.test(text) || REJECTION.test(text);

/** Removes the marks that group thousands. */
function numbersIn(text: string): string[] {
  return (text.normalize("NFKC").match(NUMBER) ?? []).map((number) =>
    number.replaceAll(/,(?=\p{N}{3}(?!\p{N}))/gu, ""),
  );
}

function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const [, ...parts] of text.matchAll(QUOTED)) {
    const quoted = parts.find((part) => part !== undefined) ?? "";
    if (quoted.length <= MOST_QUOTED) {
      names.push(quoted);
    }
  }
  for (const form of [PATH, NAME, OPTION]) {
    names.push(...(text.match(form) ?? []));
  }
  return names
    .map((name) => oneLine(name).replace(/[.,:]+$/, ""))
    .filter((name) => name.length > 1 && !EMPHASIS.test(name));
}

function prohibitionsIn(text: string): string[] {
  const sentences = (text.match(SENTENCE) ?? []).filter((sentence) => NEGATION.test(sentence));
  return sentences.map((sentence) => oneLine(sentence));
}

/** Whether another prohibition shares a word with this one. */
function isKept(sentence: string, forbidding: readonly ReadonlySet<string>[]): boolean {
  const words = [...tellingWords(sentence)];
  return words.length === 0 || forbidding.some((other) => words.some((word) => other.has(word)));
}

/** Returns the words that show the subject of a text. Leaves out names and numbers, because those are compared in their exact spelling. */
function tellingWords(text: string): ReadonlySet<string> {
  const terms = wordsOf(text).flatMap(({ signs }) => signs);
  return new Set(terms.filter((term) => !isEveryday(term) && !/[\p{N}_.-]/u.test(term)));
}

function scriptOf(text: string): string {
  if (/\p{Script=Hangul}/u.test(text)) {
    return "hangul";
  }
  return /\p{Script=Han}/u.test(text) ? "han" : "other";
}
