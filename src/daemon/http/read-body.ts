/** The body of a call, as JSON, within limits. */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { LARGE_BYTES } from "../worker-thread.ts";
import { parseBody } from "./parse-body.ts";

/** The most bytes of a query, of an MCP message, and of a call with events. A capture's batch is far smaller than the last. */
export const MOST_BYTES = { asking: 256 * 1024, message: 1024 * 1024, events: 8 * 1024 * 1024 };
/** The rest of a refused body is read and dropped up to this size, because a reset connection would hide the answer. */
const MOST_DROPPED_BYTES = 64 * 1024 * 1024;
/** Bytes per ms. The pace keeps the daemon free for other callers. */
const DROPPED_BYTES = 4_000;

/** Parses a large body in another thread. */
export type ParseLarge = (body: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** Returns the declared size of a body, or the maximum if it's unknown. @throws SentinelError `too_large` */
export function declaredBytes({ headers }: IncomingMessage, most: number): number {
  const unknown = headers["transfer-encoding"] === undefined ? 0 : most;
  const declared = Number(headers["content-length"] ?? unknown);
  if (declared > most) throw tooLarge(most);
  return declared;
}

/** @throws SentinelError `too_large`, `bad_argument`. */
export async function readBody(
  request: IncomingMessage,
  most: number,
  parseLarge: ParseLarge,
): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      bytes += part.length;
      if (bytes > most) throw tooLarge(most);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof SentinelError) throw error;
    throw new SentinelError(
      "bad_argument",
      "The call ended before its body did.",
      "Send all of it, within 30 seconds.",
    );
  }
  if (bytes <= LARGE_BYTES) return parseBody(Buffer.concat(parts));
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return parseLarge(body);
}

/** Drops the rest of a refused body. */
export async function dropBody(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const { length } of request) {
      bytes += length;
      if (bytes > MOST_DROPPED_BYTES) break;
      await sleep(length / DROPPED_BYTES, undefined, { ref: false });
    }
  } catch {
    // The caller hung up after the answer.
  }
}

function tooLarge(most: number): SentinelError {
  const message = `The body has more than ${most.toLocaleString("en")} bytes.`;
  return new SentinelError("too_large", message, "Send less in one call.");
}
