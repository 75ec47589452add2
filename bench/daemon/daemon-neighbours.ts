/** How long the small calls of one person take while another one's token sends bodies of 8 MB, eight at once, beside a daemon that has no other calls. */
import { once } from "node:events";
import type { Daemon } from "../../src/sessions/remote/call-daemon.ts";
import { callDaemon } from "../../src/sessions/remote/call-daemon.ts";
import { LARGE_BODIES, sendAgainAndAgain } from "../../test/support/large-bodies.ts";
import type { Postgres } from "../../test/support/postgres-server.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round, type Section } from "../support/table.ts";
import { startDaemon } from "./daemon-process.ts";

const AT_ONCE = sized(8, 1);
const CALLS = sized(30, 2);
const KINDS = sized(Number.POSITIVE_INFINITY, 2);

export async function measureNeighbours(postgres: Postgres): Promise<Section> {
  const daemon = await startDaemon(postgres);
  const [ann, rex] = [await daemon.as("ann"), await daemon.as("rex")];
  await timesOf(ann);
  const rows: Row[] = [];
  for (const [kind, body] of Object.entries(LARGE_BODIES).slice(0, KINDS)) {
    for (const name of ["append", "not-stored"]) {
      const idle = await timesOf(ann);
      const sender = sendAgainAndAgain({
        ...rex,
        path: `/v1/events/${name}`,
        body,
        atOnce: AT_ONCE,
      });
      let answered = {};
      sender.on("message", (counts) => {
        answered = counts;
      });
      await once(sender, "message");
      const times = await timesOf(ann);
      await sender.terminate();
      const half = quantile(times, 0.5);
      rows.push({
        kind,
        name,
        "idle p50, ms": round(quantile(idle, 0.5), 1),
        "p50, ms": round(half, 1),
        "p95, ms": round(quantile(times, 0.95), 1),
        times: round(half / quantile(idle, 0.5), 1),
        answered: JSON.stringify(answered),
      });
    }
  }
  await daemon.end();
  return { title: `Small calls beside ${AT_ONCE} at once of 8 MB of another token`, rows };
}

async function timesOf(daemon: Daemon): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const began = performance.now();
    await callDaemon(daemon, "events/read", {});
    times.push(performance.now() - began);
  }
  return times;
}
