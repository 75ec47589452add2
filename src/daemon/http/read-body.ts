/** The body of a call, as JSON, within limits. */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import type { Steps } from "../../ground/core/steps.ts";
import { inTurns, nextOwnTurn } from "../../ground/files/in-turns.ts";
import { MOST_VALUES } from "../../sessions/remote/batches.ts";
import type { TakeRoom } from "./body-room.ts";

/** Bytes of the body of a call: with texts and ids to ask for, of a message over MCP, and with events, far more than a batch of a capture has. */
export const MOST_BYTES = { asking: 256 * 1024, message: 1024 * 1024, events: 8 * 1024 * 1024 };
/** A larger body is read to its end up to this, and dropped: a reset connection would hide the answer. */
const MOST_DROPPED_BYTES = 64 * 1024 * 1024;
/** In a ms, of one for which there is no room: who sends many keeps nobody busy, and each still comes to its end in time. */
const DROPPED_BYTES = 4_000;

/** @param take is asked for room before anything is read. @throws SentinelError `too_large`, `bad_argument`, and what `take` throws. */
export async function readBody(request: IncomingMessage, most: number, take: TakeRoom): Promise<unknown> {
  const said = Number(request.headers["content-length"] ?? most);
  if (said > MOST_DROPPED_BYTES) throw tooLarge(most);
  try {
    if (said <= most) take(said);
  } catch (error) {
    void drop(request);
    throw error;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      bytes += part.length;
      if (bytes > MOST_DROPPED_BYTES) throw tooLarge(most);
      if (bytes <= most) parts.push(part);
      else parts.length = 0;
    }
  } catch (error) {
    if (error instanceof SentinelError) throw error;
    throw new SentinelError(
      "bad_argument",
      "The call ended before its body did.",
      "Send all of it, within 30 seconds.",
    );
  }
  if (bytes > most) throw tooLarge(most);
  const body = Buffer.concat(parts);
  await inTurns(checkShape(body));
  if (body.length > MOST_BYTES.asking) await nextOwnTurn();
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new SentinelError("bad_argument", "The body is not JSON.", "Send JSON in UTF-8.");
  }
}

/** Drops the rest of a body that was answered without being read. */
async function drop(request: IncomingMessage): Promise<void> {
  try {
    for await (const { length } of request) await sleep(length / DROPPED_BYTES, undefined, { ref: false });
  } catch {
    // The caller has its answer and is gone.
  }
}

function tooLarge(most: number): SentinelError {
  const message = `The body has more than ${most.toLocaleString("en")} bytes.`;
  return new SentinelError("too_large", message, "Send less in one call.");
}

/** A draft may nest in 500 levels. */
const DEEPEST = 600;
/** Some tenths of a millisecond. */
const STEP_BYTES = 128 * 1024;

/** Bytes that say something in JSON; no part of another character in UTF-8 is one of them. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Reads the bytes once, and no further than to what is too much. Anything but JSON may pass. @throws SentinelError `bad_argument` */
function* checkShape(bytes: Uint8Array): Steps<void> {
  let [depth, values, isText] = [0, 1, false];
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) yield;
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte === LIST || byte === OBJECT) {
      depth++;
      values++;
    } else if (byte === LIST_END || byte === OBJECT_END) depth--;
    if (depth > DEEPEST) throw refused(`is nested in more than ${DEEPEST} levels`, "Send it as a text.");
    if (values > MOST_VALUES)
      throw refused(`has more than ${MOST_VALUES.toLocaleString("en")} values`, "Send less in one call.");
  }
}

const refused = (why: string, fix: string): SentinelError => new SentinelError("bad_argument", `The body ${why}.`, fix);
