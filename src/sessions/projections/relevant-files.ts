/**
 * Predicts the files that an agent will need next from the query, the search hits and the session's files. Pure. Measured with `npm run
 * bench:recall`.
 */
import { memoize } from "../../ground/core/memoize.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { BriefEvent } from "../kinds/event.ts";
import { pathsIn } from "../kinds/kind.ts";
import { isFromPerson } from "../kinds/message.ts";

/** A read or change of a file. `work` is the id of the request that it belongs to. @internal */
export type Touch = Readonly<ReturnType<typeof touchesOf>[number]>;

/** A search hit. @internal */
export interface FoundEvent {
  readonly event: string;
  readonly session: string;
  readonly score: number;
}

/** When the prediction runs: at a session's first prompt, at a later one, or after a compaction. */
export type Moment = "first prompt" | "later prompt" | "after compaction";

export interface FileRequest {
  readonly query: string;
  readonly moment: Moment;
  readonly session: string;
  readonly found: readonly FoundEvent[];
  /** In order of time. */
  readonly touches: readonly Touch[];
}

/** Scores from 0 to 1 by path. Missing paths have 0. */
type Scores = ReadonlyMap<string, number>;

/** The weight of recency. Each score from words has the weight 1. A first prompt starts new work, and a compaction continues old work. */
const RECENT: Readonly<Record<Moment, number>> = {
  "first prompt": 0.5,
  "later prompt": 2,
  "after compaction": 3,
};
const PATHS_KEPT = 5_000;
/** After this many files, the recency score is half. */
const HALF_AFTER = 5;

/** Best first. Among equal scores, the last touched comes first. */
export function relevantFiles(
  { query, moment, session, found, touches }: FileRequest,
  limit: number,
) {
  const recent = lastTouched(touches, session);
  const parts: readonly (readonly [Scores, number])[] = [
    [namedIn(query, recent), 1],
    [foundInWorkOn(found, touches), 1],
    [new Map(recent.map((path, place) => [path, 1 / (1 + place / HALF_AFTER)])), RECENT[moment]],
  ];
  const files = recent.map((path) => {
    return {
      path,
      score: parts.reduce((sum, [scores, weight]) => sum + weight * (scores.get(path) ?? 0), 0),
    };
  });
  return files.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** The touches of events, in their order. @param events in order of time. */
export function touchesOf(events: Iterable<BriefEvent>) {
  const works = new Map<string, string>();
  return [...events].flatMap((event) => {
    const { id, kind, session, content } = event;
    if (isFromPerson(event)) works.set(session, id);
    const paths = kind === "tool_call" || kind === "tool_result" ? pathsIn(content) : [];
    return paths.map((path) => ({ event: id, path, session, work: works.get(session) ?? id }));
  });
}

/** Files by their last touch, those of the session first. */
function lastTouched(touches: readonly Touch[], session: string): string[] {
  const newest = touches.toReversed();
  const files = new Set<string>();
  for (const touch of newest) if (touch.session === session) files.add(touch.path);
  for (const { path } of newest) files.add(path);
  return [...files];
}

/** Caches the terms, because successive bundles look at the same paths. */
const termsOfPath = memoize((path): readonly string[] => [...new Set(tokenize(path))], PATHS_KEPT);

/** How much of a path the query contains, weighted by the rarity of terms. Squared, because most paths share some terms. */
function namedIn(query: string, paths: readonly string[]): Scores {
  const asked = new Set(tokenize(query));
  const known = new Map<string, { readonly isAsked: boolean; holders: number; rarity: number }>();
  const termsOf = paths.map((path) =>
    termsOfPath(path).map((term) => {
      const held = known.get(term) ?? { isAsked: asked.has(term), holders: 0, rarity: 0 };
      held.holders += 1;
      known.set(term, held);
      return held;
    }),
  );
  for (const term of known.values()) term.rarity = Math.log(1 + paths.length / term.holders);
  const shares = termsOf.map((terms) => {
    let whole = 0;
    let named = 0;
    for (const { rarity, isAsked } of terms) {
      whole += rarity;
      if (isAsked) named += rarity;
    }
    return named / whole;
  });
  return new Map(paths.map((path, index) => [path, (shares[index] || 0) ** 2]));
}

/** The best hit among the requests for which the file was touched. */
function foundInWorkOn(found: readonly FoundEvent[], touches: readonly Touch[]): Scores {
  const worksBySession = new Map<string, Set<string>>(
    found.map(({ session }) => [session, new Set()]),
  );
  for (const { session, work } of touches) worksBySession.get(session)?.add(work);
  const bestOfWork = new Map<string, number>();
  for (const { event, session, score } of found) {
    const work = workAt(event, worksBySession.get(session));
    if (work !== undefined) raise(bestOfWork, work, score);
  }
  const best = new Map<string, number>();
  for (const { path, work } of touches)
    if (bestOfWork.has(work)) raise(best, path, bestOfWork.get(work) ?? 0);
  return shareOfBest(best);
}

/** The last request before an event, relying on ids that sort by time. */
function workAt(event: string, works: Iterable<string> = []): string | undefined {
  let last: string | undefined;
  for (const work of works) if (work <= event && (last === undefined || work > last)) last = work;
  return last;
}

function raise(scores: Map<string, number>, key: string, score: number): void {
  scores.set(key, Math.max(scores.get(key) ?? 0, score));
}

function shareOfBest(scores: Scores): Scores {
  let best = 0;
  for (const score of scores.values()) best = Math.max(best, score);
  return new Map([...scores].map(([key, score]) => [key, best > 0 ? score / best : 0]));
}
