/** What a fortnight of a large team costs: a window, also after a purge, and calls of many clients beside an empty tenant. */
import { readFileSync } from "node:fs";
import type pg from "pg";
import type { Daemon } from "../../src/sessions/remote/call-daemon.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round, type Section } from "../support/table.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { startDaemon, TENANT } from "./daemon-process.ts";

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 14;
const PERSONS = 50;
/** Those that are appended; each is copied so many times, with other keys, times, persons and sessions. */
const APPENDED = sized(2_000, 20);
const COPIES = sized(200, 2);
const SESSION = 76;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? sized(50, 3));
const SECONDS = Number(process.env.BENCH_SECONDS ?? sized(60, 0.3));
const PURGES = sized(5, 1);
const TURNS = sized(20, 1);
const MOST_TIMES = 3;
/** More than this for objects would only let Node collect later. */
const HEAP_MB = Number(process.env.BENCH_HEAP_MB ?? 256);
const MOST_MB = 400;
export async function measureWindows(postgres: Postgres): Promise<Section[]> {
  const daemon = await startDaemon(
    postgres,
    { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
    process.env.BENCH_PEER,
  );
  const admin = poolOf(postgres.port, "admin", daemon.database, { max: 1 });
  const people = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => daemon.as(`person ${at}`)),
  );
  const empty = await beside(people, "an empty tenant");
  await fill(admin, storeOf(people[0] as Daemon));
  const windows: Row[] = [];
  for (const window of ["recent", "ledger"] as const) {
    const store = storeOf(people[1] as Daemon);
    const times = async (turns: number, before: () => Promise<unknown> = async () => {}) => {
      const ms: number[] = [];
      for (let turn = 0; turn < turns; turn++) {
        await before();
        const began = performance.now();
        await store.brief(window);
        ms.push(performance.now() - began);
      }
      return quantile(ms, 0.5);
    };
    const warm = await times(TURNS);
    const afterPurge = await times(PURGES, () => purgeNewest(people[2] as Daemon));
    windows.push({
      window,
      ms: round(warm, 0),
      "after a purge, ms": round(afterPurge, 0),
    });
  }
  const full = await beside(people, `${(APPENDED * COPIES).toLocaleString("en")} events`);
  const [, memory] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8")) ?? [];
  await Promise.all([admin.end(), daemon.end()]);
  return [
    {
      title: `A window of ${DAYS} days of a team`,
      rows: windows,
    },
    {
      title: `${CLIENTS} clients for ${SECONDS} s. Goal: nothing refused, p95 of append at most ${MOST_TIMES} times that of the empty tenant. Memory at its highest: ${Math.round(Number(memory) / 1024)} MB of at most ${MOST_MB}, with ${HEAP_MB} MB for objects`,
      rows: [...empty, ...full],
    },
  ];
}

const storeOf = (daemon: Daemon) => remoteEventStore({ ...daemon, redactor: UNREDACTED });

let purged = 0;

async function purgeNewest(daemon: Daemon): Promise<void> {
  const store = storeOf(daemon);
  const [event] = await store.append([
    {
      ...bundleEvent(20 * ++purged),
      ...{
        origin: `purged ${purged}`,
        session: "purged",
        ts: new Date().toISOString(),
        channel: "team" as const,
      },
    },
  ]);
  await store.brief("recent");
  await store.purge({ ids: [event?.id ?? ""] });
}

/** Of each kind of call how long it took, and how many were refused. */
async function beside(people: readonly Daemon[], tenant: string): Promise<Row[]> {
  const times: Record<string, number[]> = { append: [], search: [], brief: [] };
  let refused = 0;
  const end = performance.now() + SECONDS * 1_000;
  let drawn = 0;
  await Promise.all(
    people.map(async ({ url, token }, person) => {
      while (performance.now() < end) {
        const name = ["append", "append", "append", "append", "search", "brief"][
          drawn % 6
        ] as string;
        const draft = {
          ...bundleEvent(drawn++),
          ts: new Date().toISOString(),
          origin: `mixed ${tenant} ${drawn}`,
          // One of somebody else is refused.
          session: `mixed ${person} ${Math.floor(drawn / SESSION)}`,
          channel: "team",
        };
        const body = {
          append: { drafts: [draft] },
          search: { text: "the door of invoices" },
          brief: { window: "recent" },
        }[name];
        const began = performance.now();
        const response = await fetch(new URL(`/v1/events/${name}`, url), {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        if (!response.ok) {
          refused++;
        }
        times[name]?.push(performance.now() - began);
      }
    }),
  );
  return Object.entries(times).map(([call, ms]) => ({
    tenant,
    call,
    calls: ms.length,
    p50: round(quantile(ms, 0.5), 0),
    p95: round(quantile(ms, 0.95), 0),
    refused,
  }));
}

/** In the order in which captures would bring them. The chunks of the copies are left out: windows read none. */
async function fill(
  admin: pg.Pool,
  store: Pick<EventStore, "append">,
  copies = COPIES,
): Promise<void> {
  const begin = Date.now() - DAYS * DAY_MS;
  const at = (number: number) =>
    new Date(begin + (number / APPENDED) * DAYS * DAY_MS).toISOString();
  const drafts = Array.from({ length: APPENDED }, (_, number) => ({
    ...bundleEvent(number),
    origin: `filled ${number}`,
    ts: at(number),
    channel: "team" as const,
    session: `filled ${Math.floor(number / SESSION)}`,
  }));
  await store.append(drafts);
  const changed: Record<string, string> = {
    key: "new_key",
    owner: `'person ' || (n % ${PERSONS})`,
    session: "session || ' ' || n",
    ts: "new_ts",
    event: `(event::jsonb || jsonb_build_object(
      'id', left(event ->> 'id', 14) || new_key, 'ts', to_char(new_ts, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'session', session || ' ' || n, 'origin', (event ->> 'origin') || n))::json`,
  };
  const { rows } = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'sentinel.events'::regclass and attnum > 0 and attgenerated = ''`,
  );
  const names = rows.map(({ name }) => name);
  await admin.query("set timezone = 'UTC'");
  await admin.query(
    `insert into sentinel.events (${names.join(", ")})
     select ${names.map((name) => changed[name] ?? name).join(", ")}
     from sentinel.events, generate_series(1, ${copies - 1}) as n,
       lateral (select upper(left(md5(key || n), 16)) as new_key, ts - n * interval '5 minutes' as new_ts) as made
     where tenant = '${TENANT}' and event ->> 'origin' like 'filled %'
     order by date_trunc('hour', new_ts), n % ${PERSONS}`,
  );
  await admin.query("vacuum analyze");
}
