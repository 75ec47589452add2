/** Appending in batches, beside plain INSERTs of the same rows, and single calls, beside a bare POST; each in turns with its floor. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { type EventDraft, identityIn } from "../../src/sessions/kinds/event.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { eventRedactor, type Redactor } from "../../src/sessions/storing/redactor.ts";
import { migratedDatabase, type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round, type Section } from "../support/table.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { insertPlain, makePlain, rowsOf } from "./daemon-floor.ts";
import { startDaemon, TENANT } from "./daemon-process.ts";
import { realEvents } from "./real-texts.ts";

const BATCH = sized(500, 5);
const WARM_UP = sized(4, 1);
const BATCHES = sized(20, 1);
/** Fewer than a token may make in a second, from so many callers at once. */
const CALLERS = sized(8, 2);
const CALLS = sized(100, 2);
const GOAL_OF_BATCHES = 0.5;
const GOAL_OF_CALLS = 0.4;
const GOAL_OF_ONE_CALLER = 10;
const TURNS = sized(5, 1);
/** Events of a turn with a call for each. */
const SINGLE = sized(50, 3);

let drawn = 0;
const draw = (count: number, eventAt = bundleEvent): EventDraft[] =>
  Array.from({ length: count }, () => eventAt(drawn++));

/** @param data a folder with real sessions; without them texts are made up, of far more different words than people and programs use. */
export async function measureBatches(
  postgres: Postgres,
  data: string | undefined,
): Promise<Section> {
  const eventAt = data === undefined ? bundleEvent : realEvents(data);
  const daemon = await startDaemon(postgres);
  const pool = poolOf(postgres.port, "daemon", daemon.database);
  const open = (redactor: Redactor) =>
    postgresEventStore({
      pool,
      tenant: TENANT,
      owner: "ann",
      channel: "private",
      redactor,
      now: Date.now,
    });
  const remote = remoteEventStore({ ...(await daemon.as("ann")), redactor: UNREDACTED });
  const rows: Row[] = [];
  const ways: Record<string, EventStore> = {
    "the store": open(UNREDACTED),
    "the store, with redaction": open(eventRedactor()),
    "the daemon": remote,
  };
  for (const [way, store] of Object.entries(ways)) {
    rows.push({ way, ...(await besideInserts(postgres, daemon.database, store, eventAt)) });
  }
  await Promise.all([pool.end(), daemon.end()]);
  const texts = data === undefined ? "made up" : "of real sessions";
  const title = `Appending in batches of ${BATCH}, texts ${texts}, events a second in the median. Goal: ${GOAL_OF_BATCHES} of plain INSERTs`;
  return { title, rows };
}

async function besideInserts(
  postgres: Postgres,
  database: string,
  store: EventStore,
  eventAt: (number: number) => EventDraft,
): Promise<Row> {
  const admin = poolOf(postgres.port, "admin", database, { max: 1 });
  const plain = poolOf(postgres.port, "admin", await migratedDatabase(postgres), { max: 1 });
  await makePlain(plain);
  const client = await plain.connect();
  const times = { store: [] as number[], floor: [] as number[] };
  for (let turn = 0; turn < WARM_UP + BATCHES; turn++) {
    const drafts = draw(BATCH, eventAt);
    const began = performance.now();
    const stored = await store.append(drafts);
    const ms = performance.now() - began;
    const parts = await rowsOf(
      admin,
      stored.flatMap((event) => (event ? [identityIn(event.id)] : [])),
    );
    const floorBegan = performance.now();
    await insertPlain(client, parts);
    if (turn < WARM_UP) {
      continue;
    }
    times.store.push(ms);
    times.floor.push(performance.now() - floorBegan);
  }
  client.release();
  await Promise.all([admin.end(), plain.end()]);
  const perSecond = (ms: readonly number[]) => (1_000 * BATCH) / quantile(ms, 0.5);
  const [own, floor] = [perSecond(times.store), perSecond(times.floor)];
  return {
    "events/s": Math.round(own),
    "plain INSERTs": Math.round(floor),
    share: round(own / floor, 2),
  };
}

/** Each call is one event of the size of a median one. */
export async function measureCalls(postgres: Postgres): Promise<Section> {
  const daemon = await startDaemon(postgres);
  const callers = await Promise.all(
    Array.from({ length: CALLERS }, (_, at) => daemon.as(`person ${at}`)),
  );
  const bare = createServer((request, response) => {
    request.on("data", () => undefined).on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => bare.once("listening", resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const times = { daemon: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.daemon.push(
      await callsASecond(
        callers,
        callers.map(({ url }) => url),
      ),
    );
    times.bare.push(
      await callsASecond(
        callers,
        callers.map(() => bareUrl),
      ),
    );
  }
  bare.close();
  await daemon.end();
  const [own, floor] = [quantile(times.daemon, 0.5), quantile(times.bare, 0.5)];
  return {
    title: `Calls a second with one event each, ${CALLERS} callers at once. Goal: ${GOAL_OF_CALLS} of a bare POST`,
    rows: [
      { "calls/s": Math.round(own), "bare POST": Math.round(floor), share: round(own / floor, 2) },
    ],
  };
}

/** One caller who waits for each answer: the same events in batches, one a call, and as an agent without a clone says them. */
export async function measureOneCaller(
  postgres: Postgres,
  data: string | undefined,
): Promise<Section> {
  const eventAt = data === undefined ? bundleEvent : realEvents(data);
  const daemon = await startDaemon(postgres);
  const { url, token } = await daemon.as("ann");
  const remote = remoteEventStore({ url, token, redactor: UNREDACTED });
  const ways: Record<string, (drafts: readonly EventDraft[]) => Promise<unknown>> = {
    "in batches": (drafts) => remote.append(drafts),
    "one a call": async (drafts) => {
      for (const draft of drafts) {
        await remote.append([draft]);
      }
    },
    "one a call, over MCP": async (drafts) => {
      for (const { content } of drafts) {
        await record(url, token, JSON.stringify(content));
      }
    },
  };
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]));
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    for (const [way, append] of Object.entries(ways)) {
      const drafts = draw(way === "in batches" ? BATCH : SINGLE, eventAt);
      const began = performance.now();
      await append(drafts);
      if (turn >= WARM_UP) {
        times[way]?.push((performance.now() - began) / drafts.length);
      }
    }
  }
  await daemon.end();
  const perSecond = (way: string) => 1_000 / quantile(times[way] ?? [], 0.5);
  const rows = Object.keys(ways).map((way) => ({
    way,
    "events/s": Math.round(perSecond(way)),
    "batches, times": round(perSecond("in batches") / perSecond(way), 1),
  }));
  return {
    title: `Events a second of one caller. Goal: batches at least ${GOAL_OF_ONE_CALLER} times single calls`,
    rows,
  };
}

async function record(url: string, token: string, text: string): Promise<void> {
  const params = { name: "record_event", arguments: { kind: "message", content: { text } } };
  const accept = "application/json, text/event-stream";
  const response = await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const answer = await response.text();
  if (!response.ok || answer.includes('"isError":true')) {
    throw new Error(`${response.status} ${answer}`);
  }
}

async function callsASecond(
  callers: readonly { readonly token: string }[],
  urls: readonly string[],
): Promise<number> {
  const began = performance.now();
  await Promise.all(
    callers.map(async ({ token }, at) => {
      for (let call = 0; call < CALLS; call++) {
        const [draft] = draw(1);
        const text = `${draft?.content.text ?? draft?.kind}`.slice(0, 456);
        const drafts = [{ ...draft, content: { text }, kind: "message", origin: `${at} ${drawn}` }];
        const response = await fetch(new URL("/v1/events/append", urls[at]), {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ drafts }),
        });
        if (!response.ok) {
          throw new Error(`${response.status} ${await response.text()}`);
        }
        await response.arrayBuffer();
      }
    }),
  );
  return (1_000 * CALLERS * CALLS) / (performance.now() - began);
}
