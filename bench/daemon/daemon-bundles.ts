/** How long bundles take on Postgres, beside the file store's of the same events, and what an event takes there. */
import { join } from "node:path";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { DAY_MS } from "../../src/ground/core/time.ts";
import { NO_OWN_WORDS } from "../../src/ground/redaction/own-words.ts";
import { openBundle } from "../../src/sessions/bundle/open-bundle.ts";
import { updateBriefs } from "../../src/sessions/files/briefs.ts";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { furnishRecord } from "../support/furnish-record.ts";
import { corpusQuery } from "../support/index-corpus.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round, type Section } from "../support/table.ts";
import { bundleEvent } from "./bundle-corpus.ts";
import { fillOthers, sizesOf } from "./daemon-database.ts";
import { startDaemon, TENANT } from "./daemon-process.ts";

const WARM_UP = sized(10, 1);
const BUILDS = sized(100, 2);
const BATCH = 1_000;
const MOST_TIMES = 2;

export async function measureBundles(
  postgres: Postgres,
  sizes: readonly number[],
): Promise<Section[]> {
  const rows: Row[] = [];
  const disk: Row[] = [];
  for (const size of sizes) {
    const home = scratchFolder("daemon");
    const daemon = await startDaemon(postgres);
    const admin = poolOf(postgres.port, "admin", daemon.database, { max: 1 });
    const pool = poolOf(postgres.port, "daemon", daemon.database);
    const events = endingNow(size);
    const parts = { redactor: UNREDACTED, now: Date.now };
    const folder = join(home, "record");
    const { events: count, chunks } = furnishRecord(folder, size, events);
    const files = jsonlEventStore({ folder, ...parts });
    while (await files.prepareSearch()) {}
    await withLogLock(folder, () => updateBriefs(folder, Date.now()));
    const database = postgresEventStore({
      pool,
      tenant: TENANT,
      owner: "ann",
      channel: "private",
      ...parts,
    });
    for (let first = 0; first < count; first += BATCH) {
      await database.append(
        Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => events(first + at)),
      );
    }
    disk.push({ chunks, ...(await sizesOf(admin)) });
    await fillOthers(admin, TENANT);
    const remote = remoteEventStore({ ...(await daemon.as("ann")), redactor: UNREDACTED });
    for (const intent of ["recall", "continue"] as const) {
      rows.push({ chunks, intent, ...(await measure({ files, database, remote }, intent)) });
    }
    await Promise.all([pool.end(), admin.end(), daemon.end()]);
    removeFolder(home);
  }
  return [
    {
      title: `Building a bundle, p95 in ms, beside 20 other tenants. Goal: ${MOST_TIMES} times the file store's`,
      rows,
    },
    { title: "An event on disk, in bytes", rows: disk },
  ];
}

/** The events of the corpus at times that end about now. */
function endingNow(size: number): (number: number) => EventDraft {
  const shift = Math.floor((Date.now() - Date.parse(bundleEvent(size).ts ?? "")) / DAY_MS) * DAY_MS;
  return (number) => {
    const event = bundleEvent(number);
    return { ...event, ts: new Date(Date.parse(event.ts ?? "") + shift).toISOString() };
  };
}

type Stores = Readonly<Record<"files" | "database" | "remote", EventStore>>;

/** In turns, so that all of them find the machine as busy. */
async function measure(stores: Stores, intent: "recall" | "continue"): Promise<Row> {
  const session = (await stores.files.brief("recent")).at(-1)?.session ?? "";
  const times: Record<keyof Stores, number[]> = { files: [], database: [], remote: [] };
  for (let turn = 0; turn < WARM_UP + BUILDS; turn++) {
    for (const name of ["files", "database", "remote"] as const) {
      const query = intent === "continue" ? "" : corpusQuery(turn);
      const request = { query, intent, session, channel: "private", maxTokens: 4_000 } as const;
      const began = performance.now();
      await openBundle(request, {
        project: new Map(),
        events: stores[name],
        lessons: undefined,
        ownWords: NO_OWN_WORDS,
        now: Date.now(),
      });
      if (turn >= WARM_UP) {
        times[name].push(performance.now() - began);
      }
    }
  }
  const [files, database, remote] = [times.files, times.database, times.remote].map((ms) =>
    quantile(ms, 0.95),
  );
  return {
    "in files": round(files ?? 0, 1),
    "on Postgres": round(database ?? 0, 1),
    times: round((database ?? 0) / (files ?? 1), 2),
    "through a daemon": round(remote ?? 0, 1),
    "times the files": round((remote ?? 0) / (files ?? 1), 2),
    "median, times": round(quantile(times.database, 0.5) / quantile(times.files, 0.5), 2),
  };
}
