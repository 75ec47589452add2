/** A lock that a caller holds while its connection is open. Blank lines on the way show each side that the other is there. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { aborted } from "node:util";
import * as z from "zod";
import { SentinelError } from "../../ground/core/errors.ts";
import { readAs } from "../../ground/tool/schema.ts";
import type { EventStore } from "../../sessions/store.ts";

const BODY = z.strictObject({ patienceMs: z.number().min(0).default(10_000) });
const MOST_PATIENCE_MS = 60_000;
const HEARTBEAT_MS = 5_000;
/** A proxy that collects an answer until it is whole would never hand this one on; each has a sign of its own not to. */
const STREAM = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
  "cache-control": "no-store, no-transform",
};

/** @param stop ends it with the daemon. @throws SentinelError `lock_timeout`, or `daemon_unreachable` where the daemon ends first. */
export async function hold(
  body: unknown,
  store: Pick<EventStore, "exclusively">,
  response: ServerResponse,
  stop: AbortSignal,
): Promise<void> {
  const { patienceMs } = readAs(BODY, body);
  const gone = Promise.race([once(response, "close"), aborted(stop, response)]);
  const keep = async () => {
    if (response.destroyed || stop.aborted) return;
    response.writeHead(200, STREAM);
    response.write("\n");
    const beat = setInterval(() => response.write("\n"), HEARTBEAT_MS);
    await gone;
    clearInterval(beat);
  };
  const held = store.exclusively(keep, Math.min(patienceMs, MOST_PATIENCE_MS));
  // The end of the daemon does not wait until the lock is there, nor does who has hung up.
  held.catch(() => undefined);
  await Promise.race([held, gone]);
  if (response.destroyed) return;
  if (!response.headersSent)
    throw new SentinelError("daemon_unreachable", "The daemon ends.", "Call again.");
  response.end();
}
