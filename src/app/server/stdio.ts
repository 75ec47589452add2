/** Serves over standard input and output until the client closes its end or the process has to stop. */
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { SentinelError } from "../../ground/core/errors.ts";
import { log } from "../../ground/files/stderr.ts";
import { explain } from "../../ground/tool/explain.ts";
import { MessageGuard } from "./message-guard.ts";
import type { MemoryServer } from "./server.ts";

/**
 * How long the calls received so far may still take when the server has to stop: more than the first one takes on a very busy machine,
 * which loads what calls need. A client that cannot wait kills the process.
 */
const GRACE_PERIOD_MS = 20_000;
/** The longest line a client may send; the SDK ends the server at 10 MiB. */
const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Resolves when input has ended or `stop` has fired, and every call received by then was answered or took longer than
 * GRACE_PERIOD_MS.
 */
export async function serveStdio(
  { server, idle }: MemoryServer,
  input: Readable,
  output: Writable,
  stop: AbortSignal,
): Promise<void> {
  const guard = new MessageGuard(LONGEST_MESSAGE_BYTES, (line) => {
    const error = new SentinelError(
      "too_large",
      `A message of ${line.bytes.toLocaleString("en")} bytes was dropped; ${LONGEST_MESSAGE_BYTES.toLocaleString("en")} is the most.`,
      "Send what matters of it, in less: log_memory takes texts of up to 1,024 bytes, and record_event a call of up to that size.",
    );
    log(error.message);
    if (line.id !== undefined) void transport.send(answerTo(line.id, line.isToolCall, explain(error)));
  });
  const transport = new StdioServerTransport(guard as never, output as never);
  // A client that is gone reads no answers, which is not a failure.
  output.on("error", () => input.destroy());
  // Each answer that waits for a slow client listens for the output to drain.
  output.setMaxListeners(0);

  await server.connect(transport);
  const ended = new Promise<void>((resolve) => {
    guard.once("end", resolve);
    input.once("close", resolve);
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  input.pipe(guard);
  await ended;
  input.unpipe(guard);
  // The last lines may have arrived together with the end: let their calls start.
  await sleep(1);
  await Promise.race([idle(), sleep(GRACE_PERIOD_MS)]);
  await flushed(output);
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || !output.writable) resolve();
    else output.write("", () => resolve());
  });
}

function answerTo(id: string | number, isToolCall: boolean, text: string): JSONRPCMessage {
  if (isToolCall) return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } };
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidRequest, message: text } };
}
