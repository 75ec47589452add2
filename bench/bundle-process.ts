/**
 * A process of the bench of bundles: `bundle-process.mjs DO PROJECT RECORD TIME NUMBER [DATA]`; sends or prints what it measured. With DATA, a folder
 * with real sessions, events and prompts are theirs.
 */
import { setTimeout as wait } from "node:timers/promises";
import { openStores } from "../src/app/stores.ts";
import { findProject } from "../src/ground/project/find-project.ts";
import { NO_OWN_WORDS } from "../src/ground/redaction/own-words.ts";
import type { BundleRequest } from "../src/sessions/bundle/bundle.ts";
import { openBundle } from "../src/sessions/bundle/open-bundle.ts";
import { updateBriefs } from "../src/sessions/files/briefs.ts";
import { ifPossible } from "../src/sessions/files/log-files.ts";
import { JsonlEventStore } from "../src/sessions/files/store.ts";
import { UNREDACTED } from "../test/support/unredacted.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { furnishRecord } from "./furnish-record.ts";
import { corpusQuery } from "./index-corpus.ts";
import { realEvents, realPrompts } from "./real-texts.ts";
import { sized } from "./sized.ts";

export interface Built {
  readonly ms: number;
  readonly pool: number;
  readonly bytes: number;
  readonly reads: number;
  readonly tokens: number;
}

const BUILDS = sized(200, 2);
/** The compiler of Node takes that many until it has seen what a bundle does. */
const WARM_UP = sized(30, 1);
const WRITE_EVERY_MS = 100;
const CAPTURE_EVERY = 20;

const [work = "", projectFolder = "", folder = "", time = "0", number = "0", data] =
  process.argv.slice(2);
const [eventAt, queryAt] = data
  ? [realEvents(data), realPrompts(data)]
  : [bundleEvent, corpusQuery];
/** The session log ends now. */
const now = () => Number(time) + performance.now();
const store = new JsonlEventStore({ folder, redactor: UNREDACTED, now });
const project = findProject({ flag: projectFolder, env: {}, cwd: projectFolder });
const { lessons } = openStores(project);

const WORKS: Readonly<Record<string, () => unknown>> = {
  furnish,
  index,
  fast,
  retrieval,
  once,
  write,
};
const measured = await WORKS[work]?.();
if (process.connected) process.send?.(measured ?? null);
else if (measured !== undefined) console.log(JSON.stringify(measured));

function furnish() {
  return furnishRecord(folder, Number(number), eventAt);
}

/** As captures leave a record: of a long one each brings a part into the ledger. */
async function index() {
  while (await store.prepareSearch());
  await store.exclusively(() => updateBriefs(folder, now()));
}

function fast() {
  return builds(() => ({ query: "", intent: "continue" }));
}

function retrieval() {
  return builds((at) => ({ query: queryAt(at), intent: "recall" }));
}

function once() {
  return build({ query: queryAt(Number(number)), intent: "recall" });
}

async function builds(
  requestAt: (at: number) => Pick<BundleRequest, "query" | "intent">,
): Promise<Built[]> {
  const built: Built[] = [];
  for (let at = 0; at < WARM_UP + BUILDS; at++) {
    const one = await build(requestAt(at));
    if (at >= WARM_UP) built.push(one);
  }
  return built;
}

async function build(asked: Pick<BundleRequest, "query" | "intent">): Promise<Built> {
  const began = performance.now();
  const request = {
    ...asked,
    session: await lastSession(),
    channel: "private",
    maxTokens: 4_000,
  } as const;
  const { bundle } = await openBundle(request, {
    project,
    events: store,
    lessons,
    ownWords: NO_OWN_WORDS,
    now: now(),
  });
  const { bytes, reads } = bundle.provenance.read ?? { bytes: 0, reads: 0 };
  const pool = bundle.provenance.candidate_pool_size;
  return { ms: performance.now() - began, pool, bytes, reads, tokens: bundle.token_used_est };
}

let session: string | undefined;
async function lastSession(): Promise<string> {
  session ??= (await store.brief("recent")).at(-1)?.session ?? "";
  return session;
}

/** Appends until the parent goes away; now and then it brings windows and index up to date, as a capture does at its end. Ready once it did. */
async function write() {
  for (let at = 0; process.connected; at++) {
    const ts = new Date(now()).toISOString();
    await store.append([
      {
        ...eventAt(at * 4 + Number(number)),
        ts,
        session: `writer ${number}`,
        origin: `${number}:${at}`,
      },
    ]);
    if (at % CAPTURE_EVERY === 0) {
      await ifPossible(store.exclusively(() => updateBriefs(folder, now()), 0));
      while (await store.prepareSearch());
    }
    if (at === 0) process.send?.("ready");
    await wait(WRITE_EVERY_MS);
  }
}
