/**
 * A lock that a caller holds as long as it keeps the connection open: it ends with the caller's process, and with this one. Blank lines on
 * the way show each side that the other is there.
 */
import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { EventStore } from "../../events/store.ts";
import { readAs } from "./endpoints.ts";

const BODY = z.strictObject({ patienceMs: z.number().min(0).optional() });
/** A call that waits holds a connection to the database. */
const DEFAULT_PATIENCE_MS = 10_000;
const MOST_PATIENCE_MS = 60_000;
const HEARTBEAT_MS = 5_000;

/** @param stop ends it when the daemon does. @throws SentinelError `lock_timeout` */
export async function hold(
  body: unknown,
  store: Pick<EventStore, "exclusively">,
  response: ServerResponse,
  stop: AbortSignal,
): Promise<void> {
  const { patienceMs = DEFAULT_PATIENCE_MS } = readAs(BODY, body);
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  response.once("close", letGo);
  stop.addEventListener("abort", letGo);
  try {
    await store.exclusively(
      async () => {
        if (response.destroyed) return;
        response.writeHead(200, { "content-type": "text/plain" });
        response.write("\n");
        const beat = setInterval(() => response.write("\n"), HEARTBEAT_MS);
        await gone;
        clearInterval(beat);
      },
      Math.min(patienceMs, MOST_PATIENCE_MS),
    );
  } finally {
    stop.removeEventListener("abort", letGo);
  }
  response.end();
}
