import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { RankedLine } from "./lesson-ranking.ts";

/** From this `relevance` on one common word is enough: half of a query whose other words are in the memory too. */
const FLOOR = 0.44;
/** The same for a word that may be a name, because the lesson does not write it in small letters. */
const FLOOR_OF_A_NAME = 0.25;
/** Two words in common are less often a coincidence. */
const FLOOR_OF_TWO_WORDS = 0.2;
/** Unless nothing shares more: then it takes this. Of Chinese, two pairs of characters are as good as three words. */
const FLOOR_OF_NO_MORE = 0.3;
const CHINESE = /\p{sc=Han}/u;
/** From this `rarity` on a name is enough, however long the query is: at most three lessons of sixty have it. */
const RARE = 0.5;
/** Next to a match with all words of the query, one with a third of them is not meant. */
const LEAST_OF_THE_BEST = 0.4;

/** Terms of a query, its names, and the words of topics: one of these alone does not mean every lesson that has it, unless few have. */
type Asked = Readonly<Record<"terms" | "names" | "topics", ReadonlySet<string>>>;

/** Those of some ranked lessons that clearly match, or say themselves that they are meant, in their order. */
export function clearMatches(ranked: readonly RankedLine[], query: string): RankedLine[] {
  const best = Math.max(
    0,
    ...ranked.map(({ relevance, sharedWords }) => (sharedWords > 0 ? relevance : 0)),
  );
  const terms = new Set(tokenize(query));
  const telling = [...terms].filter((term) => !isEveryday(term));
  const topics = new Set(
    [...new Set(ranked.map(({ line }) => line.version.topic))].flatMap((topic) => tokenize(topic)),
  );
  const asked = {
    terms: new Set(telling.length > 0 ? telling : terms),
    names: writtenIn(query).names,
    topics,
  };
  const matches = ranked.filter(
    (place) =>
      place.comesUp ||
      (place.sharedWords > 0 &&
        place.relevance >= best * LEAST_OF_THE_BEST &&
        isEnough(place, asked)),
  );
  const isMore = ({ comesUp, sharedWords, relevance }: RankedLine) =>
    comesUp || sharedWords !== 2 || relevance >= FLOOR_OF_NO_MORE;
  return CHINESE.test(query) || matches.some(isMore) ? matches : [];
}

function isEnough({ line, relevance, rarity, sharedWords }: RankedLine, asked: Asked): boolean {
  if (relevance >= FLOOR) return true;
  if (sharedWords > 1) return relevance >= FLOOR_OF_TWO_WORDS;
  if (relevance < FLOOR_OF_A_NAME && rarity < RARE) return false;
  const { topic, missing_context, lesson, ask_next_time = "" } = line.version;
  const texts = [missing_context, lesson, ask_next_time].join("\n");
  const { names, common } = writtenIn(texts);
  const shared = tokenize(`${topic}\n${texts}`).filter((term) => asked.terms.has(term));
  if (rarity >= RARE && shared.some((term) => names.has(term) || asked.names.has(term)))
    return true;
  return (
    relevance >= FLOOR_OF_A_NAME &&
    shared.some((term) => !common.has(term) && (rarity >= RARE || !asked.topics.has(term)))
  );
}

/** A word of a script that has capitals, with the joints of an identifier inside. */
const WORD =
  /(?:(?![\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}]|[_.-](?=[\p{L}\p{N}]))+/gu;
/** A joint, a capital after another letter, three digits, or a digit next to a letter. */
const IDENTIFIER = /[\p{L}\p{N}][_.-]|\p{L}\p{Lu}|\d{3}|\p{L}\d|\d\p{L}/u;
/** The two characters before a word that does not begin a sentence. */
const INSIDE = /[^\s.!?:;] $/;

/** Names are identifiers, abbreviations and capitals inside a sentence. Common words are in small letters. A joined identifier is one term. */
function writtenIn(text: string) {
  const names = new Set<string>();
  const common = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const [term] = tokenize(word);
    if (term === undefined) continue;
    const isInside = INSIDE.test(text.slice(Math.max(0, index - 2), index));
    if (IDENTIFIER.test(word) || (isInside && /^\p{Lu}\p{L}/u.test(word))) names.add(term);
    else if (/^\p{Ll}/u.test(word)) common.add(term);
  }
  return { names, common };
}
