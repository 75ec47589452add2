/** Answers over all lessons of a search: whole lessons and then titles, or an index with one line per lesson. */
import { type Budget, pack, shareOf, without } from "../../ground/core/budget.ts";
import { indexLine } from "../format/lesson-text.ts";
import { References } from "../queries/references.ts";
import { notShown, packInFull, type Shown } from "./fit-lessons.ts";
import type { Scope } from "./matches.ts";
import { titlesOf } from "./titles.ts";

/** The share of the budget for whole lessons, if not all of them fit. */
const SHARE_IN_FULL = 0.8;
/** Reserves room for the lines between the lessons and their titles. */
const RESERVE = "the rest by title ".repeat(8);
const INDEX_HEADING = "Id, title, relevance from 0 to 1. To read some in full, call with ids:";

/** All lessons in full while they fit. Otherwise those that fit, best match first, then the titles of the rest. */
export function showAll({ snapshot, ranked }: Scope, budget: Budget): Shown {
  const references = new References(snapshot);
  const lines = ranked.map(({ line }) => line);
  const whole = packInFull(lines, references, budget);
  if (whole.left.length === 0) return { lines: whole.texts, inFull: whole.taken, isPart: false };
  const room = without(budget, RESERVE);
  const full = packInFull(lines, references, shareOf(room, SHARE_IN_FULL));
  const titles = titlesOf(full.left, shareOf(room, 1 - SHARE_IN_FULL));
  const heading = `${full.taken.length} of ${lines.length} lessons; the rest by title. To read one, search for words of its title:`;
  return {
    lines: [
      ...full.texts,
      heading,
      ...titles.texts,
      ...notShown(full.left.length - titles.taken.length),
    ],
    inFull: full.taken,
    isPart: true,
  };
}

/** One line per lesson with its id, title and relevance: those that match, or all if none does. */
export function showIndex({ snapshot, ranked }: Scope, budget: Budget): Shown {
  const references = new References(snapshot);
  const matching = ranked.filter(({ comesUp, relevance }) => comesUp || relevance > 0);
  const listed = matching.length > 0 ? matching : ranked;
  const { texts, left } = pack(
    listed,
    without(budget, INDEX_HEADING + RESERVE),
    ({ line, relevance }) => {
      return `${indexLine(line.version, references.short(line), true)} | ${relevance.toFixed(2)}`;
    },
  );
  return {
    lines: [INDEX_HEADING, ...texts, ...notShown(ranked.length - texts.length)],
    inFull: [],
    isPart: left.length > 0,
  };
}
