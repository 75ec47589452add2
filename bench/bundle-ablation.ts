/** What each part of the choice is worth: the same bundles with one part of it off. */

import { rankChunks } from "../src/ground/search/chunk-ranking.ts";
import { buildBundle } from "../src/sessions/bundle/build-bundle.ts";
import type { Bundle, BundleRequest, Material } from "../src/sessions/bundle/bundle.ts";
import { gather } from "../src/sessions/bundle/gather.ts";
import { SCORING } from "../src/sessions/bundle/scoring.ts";
import type { Event } from "../src/sessions/kinds/event.ts";
import type { EventStore, SearchHit } from "../src/sessions/store.ts";
import { chunksOf, eventOfChunk } from "../src/sessions/storing/chunks.ts";
import { BARE } from "../test/support/bundle-record.ts";
import { postingsOf } from "../test/support/postings-in-memory.ts";
import { type Build, measureConversations } from "./bundle-conversations.ts";
import { measureMoments } from "./bundle-sessions.ts";
import type { Sessions } from "./coding-sessions.ts";
import type { Conversation } from "./locomo.ts";
import type { Row, Section } from "./table.ts";

const SIZE = 2_000;

interface Variant {
  readonly without: string;
  readonly build: Build;
}

const VARIANTS: readonly Variant[] = [
  { without: "nothing", build: (request, from) => bundleFrom(request, from) },
  {
    without: "neighbours",
    build: async (request, from) =>
      bundleFrom(request, { ...from, store: await withoutNeighbours(from.store) }),
  },
  {
    // Seen from the end of time, everything is as old as everything else.
    without: "recency",
    build: (request, from) =>
      bundleFrom(request, from, (material) => ({ ...material, now: Number.POSITIVE_INFINITY })),
  },
  {
    without: "importance",
    build: (request, from) => withoutImportance(() => bundleFrom(request, from)),
  },
];

export async function measureAblation(
  conversations: readonly Conversation[],
  sessions: readonly Sessions[],
): Promise<Section> {
  const rows: Row[] = [];
  for (const { without, build } of VARIANTS) {
    const [asked] = await measureConversations(conversations, [SIZE], build);
    const row: Record<string, string | number> = {
      without,
      [`evidence in ${SIZE} tokens %`]: asked?.["evidence %"] ?? "",
    };
    // The files without neighbours are measured by bench:recall.
    if (without !== "neighbours")
      for (const one of sessions) Object.assign(row, await measureMoments(one, build));
    rows.push(row);
  }
  return { title: "Bundles with one part of the choice off", rows };
}

async function bundleFrom(
  request: BundleRequest,
  { store, now }: Parameters<Build>[1],
  change: (material: Material) => Material = (material) => material,
): Promise<Bundle> {
  return buildBundle(request, change(await gather(request, { ...BARE, events: store, now })));
}

/** For as long as it takes, the product's own weights are others. */
async function withoutImportance<Result>(act: () => Promise<Result>): Promise<Result> {
  const { gamma } = SCORING;
  SCORING.gamma = 0;
  try {
    return await act();
  } finally {
    SCORING.gamma = gamma;
  }
}

const apart = new WeakMap<EventStore, EventStore>();

/** The same store, with a search in which each event is a session of its own. */
async function withoutNeighbours(store: EventStore): Promise<EventStore> {
  const known = apart.get(store);
  if (known) return known;
  const events = new Map<string, Event>();
  for await (const event of store.read()) events.set(event.id, event);
  const chunks = [...events.values()].flatMap((event) =>
    chunksOf(event).map((chunk) => ({ ...chunk, session: chunk.id })),
  );
  const texts = new Map(chunks.map(({ id, text }) => [id, text]));
  const postings = postingsOf(chunks);
  const search: EventStore["search"] = async ({ text, limit = 10 }) => {
    const hits = rankChunks(text, postings, limit).map(
      ({ id, score }): SearchHit => ({
        id,
        score,
        text: texts.get(id) ?? "",
        event: events.get(eventOfChunk(id)) as Event,
      }),
    );
    return { hits, chunks: chunks.length, notIndexed: { days: [], bytes: 0 }, isCut: false };
  };
  const wrapped = Object.assign(Object.create(store) as EventStore, {
    search,
    brief: store.brief.bind(store),
    read: store.read.bind(store),
    find: store.find.bind(store),
  });
  apart.set(store, wrapped);
  return wrapped;
}
