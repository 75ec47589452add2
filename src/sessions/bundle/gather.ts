/** Reads what a bundle needs from the stores, within limits, and counts it. (docs/design/sessions.md, "The bundle") */
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS, localMinute } from "../../ground/core/time.ts";
import { countingReads, type ReadCount } from "../../ground/files/read-count.ts";
import type { Moment } from "../../lessons/for-bundles.ts";
import {
  block,
  clearMatches,
  LessonRanking,
  markOver,
  References,
} from "../../lessons/for-bundles.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { Event } from "../kinds/event.ts";
import { type BriefEvent, eventText, isOwn } from "../kinds/event.ts";
import { introduces } from "../kinds/importance.ts";
import { isFromPerson } from "../kinds/message.ts";
import { pinsOf } from "../projections/pins.ts";
import { RECENT } from "../resume/recent.ts";
import type { EventStore, SearchHit } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { audienceOf, maySee } from "./audience.ts";
import { figuresOf } from "./conflicts.ts";
import { intentOf } from "./intent.ts";
import type { BundleRequest } from "./request.ts";
import { handoffIn } from "./sections/handoff.ts";
import type { Budgets, SectionName } from "./settings/budgets.ts";
import { type Settings, viewsFor } from "./settings/settings.ts";

export interface Sources {
  readonly events: EventStore;
  readonly lessons: Pick<LessonStore, "read"> | undefined;
  readonly settings: Settings;
  readonly branch: string | undefined;
  /** In ms since 1970. */
  readonly now: number;
}

const WINDOW_EVENTS = 200;
const WINDOW_DAYS = 3;
const WINDOW_BYTES = 4_000_000;
/** Where a query says what is wanted: enough for where the session stands, and for its last after a compaction. */
const MOMENT_BYTES = 750_000;
const MOST_REFERRED = 20;
const MOST_INTRODUCTIONS = 6;
const LEAST_HITS = 40;
/** Tokens of a bundle for each hit that is looked at; a large bundle takes more hits, in case they are short. */
const TOKENS_PER_HIT = 60;
const TOKENS_PER_HIT_OF_LARGE = 20;
const LARGE_BUNDLE = 10_000;
/** Where a project explains itself. */
const INTRODUCTIONS = "readme overview package manifest main entry index usage install run";

/** The stores hand this to a bundle; everything that it says comes from here. */
export type Material = Readonly<Awaited<ReturnType<typeof gatherCounting>>> & {
  /** Sections for which there is nothing, where there is no clone of the project. */
  readonly unavailableSections?: readonly SectionName[];
};

export function gather(request: BundleRequest, sources: Sources): Promise<Material> {
  return countingReads((soFar) => gatherCounting(request, sources, soFar));
}

async function gatherCounting(request: BundleRequest, sources: Sources, soFar: () => ReadCount) {
  const began = performance.now();
  const { events, settings, branch, now } = sources;
  const audience = audienceOf(request.channel, settings);
  const intent = intentOf(request);
  const isFor = (event: BriefEvent) => maySee(audience, event);
  const [recent, ledger, window] = await Promise.all([
    events.brief("recent"),
    events.brief("ledger"),
    windowOf(events, request.session, now, intent === "continue" ? WINDOW_BYTES : MOMENT_BYTES),
  ]);
  const isLongAgo = intent === "continue" && !recent.some(isFromPerson);
  const packet =
    request.handoff === undefined ? undefined : handedOver(ledger.filter(isFor), request.handoff);
  const pinned = pinsOf(ledger).flatMap(({ ref }) => (ref === undefined ? [] : eventNamed(ref)));
  const introduced = intent === "onboarding" ? introductionsIn(recent.filter(isFor)) : [];
  const wanted = packet ? packet.refs.map(eventNamed) : [...introduced, ...pinned];
  const isSearched = intent !== "continue" && packet === undefined && request.query.trim() !== "";
  const text = intent === "onboarding" ? `${request.query}\n${INTRODUCTIONS}` : request.query;
  const mostHits = mostHitsFor(request, settings.budgets);
  const [found, referred, lessons] = await Promise.all([
    isSearched ? events.search({ text, limit: mostHits }) : undefined,
    wanted.length > 0 ? events.find(wanted.slice(0, MOST_REFERRED)) : [],
    lessonsFor(sources.lessons, request.query, { now: localMinute(now), branch }),
  ]);
  const mayBeShown = [...(found?.hits.map(({ event }) => event) ?? []), ...referred];
  return {
    now,
    branch,
    settings,
    views: viewsFor(request.channel, settings),
    lessons,
    /** Events of the last days, in brief. */
    recent: isLongAgo ? [...(await lastSession(events)), ...recent] : recent,
    /** What was decided, is to be done, was pinned or handed over, at any time, in brief. */
    ledger,
    window,
    /** The hits of the query; undefined where nothing was searched. */
    found,
    /** The limit of the search: a search that reached it may have more hits. */
    mostHits,
    /** Events that pins and handoffs refer to, and those that introduce the project to who is new. */
    referred,
    /** What stands beside the figures of the summaries among these: what contradicts one may have nothing to do with the query. */
    besideSummaries: await besideFigures(
      events,
      mayBeShown.filter(({ kind }) => kind === "summary"),
    ),
    cost: { ms: Math.round(performance.now() - began), ...soFar() },
  };
}

/** What the session log says in the words of the sentences of summaries that give a figure. */
async function besideFigures(
  events: EventStore,
  summaries: readonly Event[],
): Promise<SearchHit[]> {
  const figures = new Set(summaries.map((event) => figuresOf(eventText(event))));
  figures.delete("");
  const all = await Promise.all(
    [...figures].map((text) => events.search({ text, limit: LEAST_HITS })),
  );
  return all.flatMap(({ hits }) => hits);
}

/** Ids of the last results that show what the project says of itself, nearest to its root first: among alike texts no search may reach them. */
function introductionsIn(recent: readonly BriefEvent[]): string[] {
  const shown = recent.filter((event) => introduces(event) && event.content.edits !== true);
  const byPath = new Map(shown.map(({ id, content: { path = "" } }) => [path, id]));
  const depthOf = (path: string) => path.split(/[\\/]/).length;
  const nearest = [...byPath].sort(([a], [b]) => depthOf(a) - depthOf(b));
  return nearest.slice(0, MOST_INTRODUCTIONS).map(([, id]) => id);
}

/** @throws SentinelError `not_found`: everything else would be what a handoff holds back. */
function handedOver(ledger: readonly BriefEvent[], id: string): BriefEvent {
  const packet = handoffIn(ledger, id);
  if (packet) return packet;
  throw new SentinelError(
    "not_found",
    "No handoff that this channel may see has this id.",
    "Give the id that record_event answered for it, and the channel for which it was recorded.",
  );
}

function mostHitsFor({ maxTokens }: BundleRequest, { limits }: Budgets): number {
  const tokensPerHit = maxTokens < LARGE_BUNDLE ? TOKENS_PER_HIT : TOKENS_PER_HIT_OF_LARGE;
  return Math.min(limits.chunks, Math.max(LEAST_HITS, Math.ceil(maxTokens / tokensPerHit)));
}

/** The last events of the session, the newest first. */
async function windowOf(
  events: EventStore,
  session: string,
  now: number,
  mostBytes: number,
): Promise<Event[]> {
  const window: Event[] = [];
  const from = new Date(now - WINDOW_DAYS * DAY_MS).toISOString();
  for await (const event of events.read({ session, from, newestFirst: true, mostBytes })) {
    window.push(event);
    if (window.length === WINDOW_EVENTS) break;
  }
  return window;
}

/** The end of the person's newest session in brief, however long ago that was. */
async function lastSession(events: EventStore): Promise<BriefEvent[]> {
  for await (const { session, ...event } of events.read({
    kinds: ["message"],
    newestFirst: true,
  })) {
    if (!isFromPerson(event) || !isOwn(event)) continue;
    const ended: BriefEvent[] = [];
    for await (const one of events.read({ session, newestFirst: true, mostBytes: WINDOW_BYTES })) {
      const brief = RECENT.briefOf(one);
      if (brief) ended.push(brief);
    }
    return [...RECENT.keep(ended)];
  }
  return [];
}

/** The lessons that clearly match by the rule of a search, best first, and the references of those that hardly match. */
async function lessonsFor(store: Sources["lessons"], query: string, moment: Moment) {
  const snapshot = await store?.read();
  if (!snapshot || snapshot.count === 0) return { matching: [], near: [] };
  const references = new References(snapshot);
  const ranked = new LessonRanking(query).rank(snapshot.lessons(), query, moment);
  const matches = clearMatches(ranked, query);
  const isMatching = new Set(matches);
  const others = ranked.filter((place) => place.relevance > 0 && !isMatching.has(place));
  return {
    matching: matches.map(({ line }, at) => {
      const ref = references.short(line);
      return {
        ref,
        text: () => markOver(block(line.version, at + 1, ref, line.also), moment.now),
      };
    }),
    near: others.map(({ line }) => references.short(line)),
  };
}
