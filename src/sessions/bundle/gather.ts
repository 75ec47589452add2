/** Reads a bundle's material from the stores, within limits, and counts the reads. (docs/design/sessions.md, "The bundle") */
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS, localMinute } from "../../ground/core/time.ts";
import { countingReads, type ReadCount } from "../../ground/files/read-files.ts";
import {
  block,
  clearMatches,
  type Moment,
  markOver,
  References,
  rankLessons,
} from "../../lessons/for-bundles.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { type BriefEvent, type Event, eventText, identityIn, isOwn } from "../kinds/event.ts";
import { introduces, introductionOrder } from "../kinds/importance.ts";
import { isFromPerson } from "../kinds/message.ts";
import { pinsOf } from "../projections/pins.ts";
import { RECENT } from "../resume/recent.ts";
import type { EventStore, SearchHit, SearchResult } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { audienceOf, maySee } from "./audience.ts";
import type { BundleRequest, FoundLesson, Intent, Material } from "./bundle.ts";
import { figuresOf } from "./conflicts.ts";
import { intentOf } from "./intent.ts";
import { handoffIn } from "./sections/handoff.ts";
import { type Budgets, type Settings, viewsFor } from "./settings/settings.ts";

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
const MOST_REFERRED = 20;
const MOST_INTRODUCTIONS = 6;
const LEAST_HITS = 40;
/** Tokens of a bundle per hit, in case all hits are short. */
const TOKENS_PER_HIT = 20;
/** Words of texts in which a project explains itself. */
const INTRODUCTIONS = "readme overview package manifest main entry index usage install run";

export function gather(request: BundleRequest, sources: Sources): Promise<Material> {
  return countingReads((soFar) => gatherCounting(request, sources, soFar));
}

async function gatherCounting(
  request: BundleRequest,
  sources: Sources,
  soFar: () => ReadCount,
): Promise<Material> {
  const began = performance.now();
  const { events, settings, branch, now } = sources;
  const intent = intentOf(request);
  const [recent, ledger, window] = await Promise.all([
    events.brief("recent"),
    events.brief("ledger"),
    windowOf(events, request.session, now),
  ]);
  const wanted = referencesFor(request, intent, { recent, ledger, settings });
  const mostHits = mostHitsFor(request, settings.budgets);
  const [found, referred, lessons] = await Promise.all([
    searchFor(request, intent, events, mostHits),
    findInOrder(events, wanted.slice(0, MOST_REFERRED)),
    lessonsFor(sources.lessons, request.query, { now: localMinute(now), branch }),
  ]);
  const hits = found?.hits.map(({ event }) => event) ?? [];
  const mayBeShown = [...hits, ...referred];
  const summaries = mayBeShown.filter(({ kind }) => kind === "summary");
  const isLongAgo = intent === "continue" && !recent.some(isFromPerson);
  return {
    now,
    branch,
    settings,
    views: viewsFor(request.channel, settings),
    lessons,
    recent: isLongAgo ? [...(await lastSession(events)), ...recent] : recent,
    ledger,
    window,
    found,
    mostHits,
    referred,
    besideSummaries: await besideFigures(events, summaries),
    cost: { ms: Math.round(performance.now() - began), ...soFar() },
  };
}

/** Ids of events to read: for a handoff, its references. Otherwise, pinned events and those that introduce the project. @throws SentinelError `not_found`. */
function referencesFor(
  { channel, handoff }: BundleRequest,
  intent: Intent,
  { recent, ledger, settings }: Pick<Material, "recent" | "ledger" | "settings">,
): string[] {
  const audience = audienceOf(channel, settings);
  const isFor = (event: BriefEvent) => maySee(audience, event);
  if (handoff !== undefined) {
    return handedOver(ledger.filter(isFor), handoff).refs.map(eventNamed);
  }
  const pinned = pinsOf(ledger).flatMap(({ ref }) => (ref === undefined ? [] : [eventNamed(ref)]));
  const introduced = intent === "onboarding" ? introductionsIn(recent.filter(isFor)) : [];
  return [...introduced, ...pinned];
}

async function searchFor(
  { query, handoff }: BundleRequest,
  intent: Intent,
  events: EventStore,
  limit: number,
): Promise<SearchResult | undefined> {
  if (intent === "continue" || handoff !== undefined || query.trim() === "") {
    return undefined;
  }
  const text = intent === "onboarding" ? `${query}\n${INTRODUCTIONS}` : query;
  return events.search({ text, limit });
}

async function findInOrder(events: EventStore, ids: readonly string[]): Promise<Event[]> {
  if (ids.length === 0) {
    return [];
  }
  const places = new Map(ids.map((id, place) => [identityIn(id), place]));
  const placeOf = ({ id }: Event) => places.get(identityIn(id)) ?? ids.length;
  return [...(await events.find(ids))].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Hits for the sentences of summaries that have a figure. */
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

/** Ids of the last results that show the README, the manifest and other introductions. A search might not find them among similar texts. */
function introductionsIn(recent: readonly BriefEvent[]): string[] {
  const shown = recent.filter((event) => introduces(event) && event.content.edits !== true);
  const byPath = new Map(shown.map(({ id, content: { path = "" } }) => [path, id]));
  const inOrder = [...byPath].sort(([a], [b]) => introductionOrder(a) - introductionOrder(b));
  return inOrder.slice(0, MOST_INTRODUCTIONS).map(([, id]) => id);
}

/** @throws SentinelError `not_found`, because a bundle without the handoff would contain items that the handoff left out. */
function handedOver(ledger: readonly BriefEvent[], id: string): BriefEvent {
  const packet = handoffIn(ledger, id);
  if (packet) {
    return packet;
  }
  throw new SentinelError(
    "not_found",
    "No handoff that this channel may see has this id.",
    "Give the id that record_event answered for it, and the channel for which it was recorded.",
  );
}

function mostHitsFor({ maxTokens }: BundleRequest, { limits }: Budgets): number {
  return Math.min(limits.chunks, Math.max(LEAST_HITS, Math.ceil(maxTokens / TOKENS_PER_HIT)));
}

/** The last events of the session, the newest first. */
async function windowOf(events: EventStore, session: string, now: number): Promise<Event[]> {
  const window: Event[] = [];
  const from = windowStart(now);
  for await (const event of events.read({ session, from, newestFirst: true })) {
    window.push(event);
    if (window.length === WINDOW_EVENTS) {
      break;
    }
  }
  return window;
}

/** The time `WINDOW_DAYS` before an instant in ms. */
const windowStart = (instant: number): string =>
  new Date(Math.max(0, instant - WINDOW_DAYS * DAY_MS)).toISOString();

/** The end of the user's newest session in brief, however long ago that was. */
async function lastSession(events: EventStore): Promise<BriefEvent[]> {
  for await (const message of events.read({ kinds: ["message"], newestFirst: true })) {
    if (!isFromPerson(message) || !isOwn(message)) {
      continue;
    }
    const briefs: BriefEvent[] = [];
    const query = { session: message.session, from: windowStart(Date.parse(message.ts)) };
    for await (const one of events.read({ ...query, newestFirst: true })) {
      const brief = RECENT.briefOf(one);
      if (brief) {
        briefs.push(brief);
      }
    }
    return [...RECENT.keep(briefs)];
  }
  return [];
}

/** Finds the lessons for a query, with the rule for clear matches that a search of the lessons uses. */
async function lessonsFor(
  store: Sources["lessons"],
  query: string,
  moment: Moment,
): Promise<FoundLesson[]> {
  const snapshot = await store?.read();
  if (!snapshot || snapshot.count === 0) {
    return [];
  }
  const references = new References(snapshot);
  const ranked = rankLessons(snapshot.lessons(), query, moment);
  return clearMatches(ranked, query).map(({ line }, at) => {
    const ref = references.short(line);
    return { ref, text: markOver(block(line.version, at + 1, ref, line.also), moment.now) };
  });
}
