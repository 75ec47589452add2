/** Serves over standard input and output until the client closes its end or the process has to stop. */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { LenientTransport } from "./lenient-transport.ts";
import { SERVER_INFO } from "./server.ts";

/** For the calls received when the server has to stop; more than the first one takes on a very busy machine. */
const GRACE_PERIOD_MS = 20_000;

/** Resolves when input ended or `stop` fired, and each call until then was answered or took longer than GRACE_PERIOD_MS. */
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
