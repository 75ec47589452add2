/** Which lessons match a query so clearly that they are shown as matches, and not only named. */
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { RankedLine } from "./lesson-ranking.ts";
import { writtenIn } from "./written-as.ts";

/** From this `relevance` on a word of common kind is enough: half of a query whose other words the memory knows too. */
const FLOOR = 0.44;
/** The same for a word that may be a name, because the lesson does not write it in small letters. */
const FLOOR_OF_A_NAME = 0.25;
/** Two words in common are less often a coincidence. */
const FLOOR_OF_TWO_WORDS = 0.2;
/** From this `rarity` on a name is enough, however long the query is: at most three lessons of sixty have it. */
const RARE = 0.5;
/** Beside a match that holds all of the query, one that holds a third of it is not meant. */
const LEAST_OF_THE_BEST = 0.4;

interface Asked {
  readonly terms: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Those of some ranked lessons that clearly match, or say themselves that they are meant, in their order. */
export function clearMatches(ranked: readonly RankedLine[], query: string): RankedLine[] {
  const best = Math.max(0, ...ranked.map(({ relevance, sharedWords }) => (sharedWords > 0 ? relevance : 0)));
  const terms = new Set(tokenize(query));
  const telling = [...terms].filter((term) => !isEveryday(term));
  const asked = { terms: new Set(telling.length > 0 ? telling : terms), names: writtenIn(query).names };
  return ranked.filter(
    (place) =>
      place.comesUp || (place.sharedWords > 0 && place.relevance >= best * LEAST_OF_THE_BEST && isEnough(place, asked)),
  );
}

function isEnough({ line, relevance, rarity, sharedWords }: RankedLine, asked: Asked): boolean {
  if (relevance >= FLOOR) return true;
  if (sharedWords > 1) return relevance >= FLOOR_OF_TWO_WORDS;
  if (relevance < FLOOR_OF_A_NAME && rarity < RARE) return false;
  const { topic, missing_context, lesson, ask_next_time = "" } = line.version;
  const texts = [missing_context, lesson, ask_next_time].join("\n");
  const { names, common } = writtenIn(texts);
  const shared = tokenize(`${topic}\n${texts}`).filter((term) => asked.terms.has(term));
  if (rarity >= RARE && shared.some((term) => names.has(term) || asked.names.has(term))) return true;
  return relevance >= FLOOR_OF_A_NAME && shared.some((term) => !common.has(term));
}
