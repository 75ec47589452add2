/**
 * Predicts the files that an agent will need next from the query, the search hits and the session's files. Pure. Measured with `npm run
 * bench:recall`.
 */
import { countEach } from "../../ground/core/collections.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { BriefEvent } from "../kinds/event.ts";
import { pathsIn } from "../kinds/kind.ts";
import { isFromPerson } from "../kinds/message.ts";

/** A read or change of a file. @internal */
export interface Touch {
  readonly event: string;
  readonly path: string;
  readonly session: string;
  /** The id of the request that it belongs to. */
  readonly work: string;
}

/** The request that a search hit belongs to. @internal */
export interface FoundWork {
  readonly work: string | undefined;
  readonly score: number;
}

export interface FileRequest {
  readonly query: string;
  readonly session: string;
  readonly found: readonly FoundWork[];
  /** In order of time. */
  readonly touches: readonly Touch[];
}

/** Scores from 0 to 1 by path. Missing paths have 0. */
type Scores = ReadonlyMap<string, number>;

/** After this many files, the recency score is half. */
const HALF_AFTER = 5;

/** Best first. Among equal scores, the last touched comes first. */
export function relevantFiles({ query, session, found, touches }: FileRequest, limit: number) {
  const recent = lastTouched(touches, session);
  const named = namedIn(query, recent);
  const hits = foundInWorkOn(found, touches);
  const files = recent.map((path, place) => {
    const recency = 1 / (1 + place / HALF_AFTER);
    return { path, score: (named.get(path) ?? 0) + (hits.get(path) ?? 0) + recency };
  });
  return files.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** The touches of events, in their order, and the request of each event. @param events in order of time. */
export function touchesOf(events: Iterable<BriefEvent>) {
  const requests = new Map<string, string>();
  const works = new Map<string, string>();
  const touches: Touch[] = [];
  for (const event of events) {
    const { id, kind, session, content } = event;
    if (isFromPerson(event)) {
      requests.set(session, id);
    }
    const work = requests.get(session) ?? id;
    works.set(id, work);
    if (kind !== "tool_call" && kind !== "tool_result") {
      continue;
    }
    for (const path of pathsIn(content)) {
      touches.push({ event: id, path, session, work });
    }
  }
  return { touches, works };
}

/** Files by their last touch, those of the session first. */
function lastTouched(touches: readonly Touch[], session: string): string[] {
  const newest = touches.toReversed();
  const files = new Set<string>();
  for (const touch of newest) {
    if (touch.session === session) {
      files.add(touch.path);
    }
  }
  for (const { path } of newest) {
    files.add(path);
  }
  return [...files];
}

/** How much of a path the query contains, weighted by the rarity of terms. Squared, because most paths share some terms. */
function namedIn(query: string, paths: readonly string[]): Scores {
  const asked = new Set(tokenize(query));
  const known = paths.map((path) => ({ path, terms: [...new Set(tokenize(path))] }));
  const holders = countEach(known.flatMap(({ terms }) => terms));
  const weightOf = (terms: readonly string[]): number =>
    terms.reduce((sum, term) => sum + Math.log(1 + paths.length / (holders.get(term) ?? 1)), 0);
  const scores = new Map<string, number>();
  for (const { path, terms } of known) {
    const named = weightOf(terms.filter((term) => asked.has(term)));
    if (named > 0) {
      scores.set(path, (named / weightOf(terms)) ** 2);
    }
  }
  return scores;
}

/** The best hit among the requests for which the file was touched. */
function foundInWorkOn(found: readonly FoundWork[], touches: readonly Touch[]): Scores {
  const bestOfWork = new Map<string, number>();
  for (const { work, score } of found) {
    if (work !== undefined) {
      raise(bestOfWork, work, score);
    }
  }
  const best = new Map<string, number>();
  for (const { path, work } of touches) {
    const score = bestOfWork.get(work);
    if (score !== undefined) {
      raise(best, path, score);
    }
  }
  return best;
}

function raise(scores: Map<string, number>, key: string, score: number): void {
  scores.set(key, Math.max(scores.get(key) ?? 0, score));
}
