/** The bodies of calls and of answers, as JSON, within limits. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, SentinelError } from "../../ground/core/errors.ts";
import { MOST_VALUES } from "../../sessions/remote/batches.ts";
import { LARGE_BYTES } from "../worker-thread.ts";

/** The most bytes of a query, of an MCP message, and of a call with events. A capture's batches are far smaller than `events`. */
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
  if (declared > most) {
    throw tooLarge(most);
  }
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
      if (bytes > most) {
        throw tooLarge(most);
      }
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof SentinelError) {
      throw error;
    }
    throw new SentinelError(
      "bad_argument",
      "The call ended before its body did.",
      "Send all of it, within 30 seconds.",
    );
  }
  const body = Buffer.concat(parts);
  return bytes <= LARGE_BYTES ? parseBody(body) : parseLarge(new Uint8Array(body));
}

/** Drops the rest of a refused body. */
export async function dropBody(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const { length } of request) {
      bytes += length;
      if (bytes > MOST_DROPPED_BYTES) {
        break;
      }
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

/** Parses a body. Depth and number of values are limited first, because parsing too many takes seconds. @throws SentinelError `bad_argument` */
export function parseBody(bytes: Uint8Array): unknown {
  checkShape(bytes);
  try {
    return JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
    );
  } catch {
    throw new SentinelError("bad_argument", "The body is not JSON.", "Send JSON in UTF-8.");
  }
}

/** The most levels of nesting in a body. A draft may have 500. */
const DEEPEST = 600;

/** The bytes of JSON's syntax. In UTF-8 they're never part of another character. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Stops at the first exceeded limit. Doesn't check that the JSON is valid. */
function checkShape(bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
    }
    if (isStart(byte)) {
      depth++;
    }
    if (byte === LIST_END || byte === OBJECT_END) {
      depth--;
    }
    if (isStart(byte) || byte === COMMA) {
      values++;
    }
    if (depth > DEEPEST) {
      throw new SentinelError(
        "bad_argument",
        `The body is nested in more than ${DEEPEST} levels.`,
        "Send it as a text.",
      );
    }
    if (values > MOST_VALUES) {
      throw new SentinelError(
        "bad_argument",
        `The body has more than ${MOST_VALUES.toLocaleString("en")} values.`,
        "Send less in one call.",
      );
    }
  }
}

/** Whether a byte starts a list or an object. */
const isStart = (byte: number | undefined): boolean => byte === LIST || byte === OBJECT;

/** @param start of the opening quote. @returns the position of the closing quote. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  bad_argument: 400,
  unauthorised: 401,
  not_allowed: 403,
  not_found: 404,
  lock_timeout: 409,
  too_large: 413,
  too_many_calls: 429,
  read_failed: 500,
  write_failed: 500,
  cancelled: 503,
  daemon_unreachable: 503,
  database_unreachable: 503,
  newer_format: 503,
  old_format: 503,
  read_only: 503,
  role_refused: 503,
  schema_outdated: 503,
  disk_full: 507,
};
const OTHERS = 422;
const UNEXPECTED = 500;

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Hides the text of an unexpected error, which may contain anything. */
export function replyError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isKnown = error instanceof SentinelError;
  const { code, message, fix } = isKnown ? error : UNKNOWN;
  if (code === "unauthorised") {
    response.setHeader("www-authenticate", "Bearer");
  }
  if (code === "too_many_calls") {
    response.setHeader("retry-after", "1");
  }
  replyJson(response, isKnown ? (STATUSES[error.code] ?? OTHERS) : UNEXPECTED, {
    error: { code, message, fix },
  });
}

const UNKNOWN = {
  code: "failed",
  message: "The daemon failed.",
  fix: "Look into its log, then call again.",
} as const;
