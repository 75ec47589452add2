/** Replays sessions: at each moment, which files would have been named, and which did the session then touch? */

import { rankChunks } from "../../src/ground/search/chunk-ranking.ts";
import {
  type FoundWork,
  relevantFiles,
  type Touch,
  touchesOf,
} from "../../src/sessions/projections/relevant-files.ts";
import { chunksOf, eventOfChunk } from "../../src/sessions/storing/chunks.ts";
import { PostingsInMemory, postingsOf } from "../../test/support/postings-in-memory.ts";
import type { Sessions } from "../support/coding-sessions.ts";
import { MOMENTS, type Moment, type MomentKind } from "../support/moments.ts";
import { type Row, round } from "../support/table.ts";

const NAMED = 10;
/** As many hits as a search of the session log gives. */
const HITS = 200;

interface FoundHit extends FoundWork {
  readonly event: string;
}

/** What is known at a moment. */
interface Known {
  readonly moment: Moment;
  readonly touches: readonly Touch[];
  readonly found: readonly FoundHit[];
  /** As if no chunk had neighbours. */
  readonly foundApart: readonly FoundHit[];
}

/** Paths, best first. */
type Ranking = (known: Known) => readonly string[];

const RANKINGS: Readonly<Record<string, Ranking>> = {
  "sentinel-memory": (known) => memoryRanking(known, known.found),
  "without neighbours": (known) => memoryRanking(known, known.foundApart),
  recency: ({ touches }) => [...new Set(touches.map(({ path }) => path).reverse())],
  frequency: ({ touches }) => {
    const counts = new Map<string, number>();
    for (const { path } of touches) {
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a).map(([path]) => path);
  },
  "BM25 of the best chunk": ({ touches, foundApart }) => {
    const paths = new Map(touches.map(({ event, path }) => [event, path]));
    return [...new Set(foundApart.flatMap(({ event }) => paths.get(event) ?? []))];
  },
  "BM25 of the path": ({ moment, touches }) => {
    const paths = [...new Set(touches.map(({ path }) => path))];
    const postings = postingsOf(paths.map((path) => ({ id: path, text: path, session: path })));
    return rankChunks(moment.prompt, postings, NAMED).map(({ id }) => id);
  },
};

/** Means over the moments of each kind, in %. */
export function measureNextFiles({ events, moments }: Sessions): Row[] {
  const { touches, works } = touchesOf(events);
  const at = new Map(events.map(({ id }, index) => [id, index]));
  const [postings, apart] = [new PostingsInMemory(), new PostingsInMemory()];
  const shares = new Map<string, number[]>();
  let indexed = 0;
  for (const moment of moments) {
    for (const event of events.slice(indexed, moment.at)) {
      for (const { id, text } of chunksOf(event)) {
        postings.add({ id, text, session: event.session });
        apart.add({ id, text, session: id });
      }
    }
    indexed = moment.at;
    const search = (from: PostingsInMemory) => {
      const ranked = rankChunks(moment.prompt, from, HITS);
      const best = ranked[0]?.score ?? 1;
      return ranked.map(({ id, score }) => {
        const event = eventOfChunk(id);
        return { event, work: works.get(event), score: score / best };
      });
    };
    const before = touches.filter(({ event }) => (at.get(event) as number) < moment.at);
    const known = { moment, touches: before, found: search(postings), foundApart: search(apart) };
    for (const [name, ranking] of Object.entries(RANKINGS)) {
      const named = ranking(known).slice(0, NAMED);
      const share = named.filter((path) => moment.touched.has(path)).length / moment.touched.size;
      const key = `${name} ${moment.kind}`;
      shares.set(key, [...(shares.get(key) ?? []), share]);
    }
  }
  return Object.keys(RANKINGS).map((name) => {
    const means = MOMENTS.map((kind) => meanOf(kind, shares.get(`${name} ${kind}`) ?? []));
    return { ranking: name, ...Object.fromEntries(means) };
  });
}

function meanOf(kind: MomentKind, shares: readonly number[]): [string, number] {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return [`${kind} (${shares.length})`, round(100 * mean, 1)];
}

function memoryRanking({ moment, touches }: Known, found: readonly FoundWork[]): readonly string[] {
  const { prompt, session } = moment;
  const files = relevantFiles({ query: prompt, session, found, touches }, NAMED);
  return files.map(({ path }) => path);
}
