/** Serves over standard input and output until the client closes the connection or the process is told to stop. */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { LenientTransport } from "./lenient-transport.ts";
import { SERVER_INFO } from "./server.ts";

/** How long pending calls may take when the server has to stop. A first call takes less, even on a very busy machine. */
const GRACE_PERIOD_MS = 20_000;

/** Resolves when input has ended or `stop` has fired, and all pending calls are answered or GRACE_PERIOD_MS has passed. */
export async function serveStdio(
  server: Server,
  input: Readable,
  output: Writable,
  stop: AbortSignal,
): Promise<void> {
  const transport = new LenientTransport(input, output, SERVER_INFO);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(transport);
  await Promise.race([transport.ended, stopped]);
  await Promise.race([transport.finish(), sleep(GRACE_PERIOD_MS)]);
  await flushed(output);
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || !output.writable) resolve();
    else output.write("", () => resolve());
  });
}
