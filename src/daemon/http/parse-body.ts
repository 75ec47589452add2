/** Parses a body as JSON. Depth and number of values are limited first, because parsing too many takes seconds. */
import { SentinelError } from "../../ground/core/errors.ts";
import { MOST_VALUES } from "../../sessions/remote/batches.ts";

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

/** @throws SentinelError `bad_argument` */
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

/** Stops at the first exceeded limit. Doesn't check that the JSON is valid. */
function checkShape(bytes: Uint8Array): void {
  let [depth, values, isText] = [0, 1, false];
  for (let at = 0; at < bytes.length; at++) {
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
    if (depth > DEEPEST)
      throw refused(`is nested in more than ${DEEPEST} levels`, "Send it as a text.");
    if (values > MOST_VALUES)
      throw refused(
        `has more than ${MOST_VALUES.toLocaleString("en")} values`,
        "Send less in one call.",
      );
  }
}

const refused = (why: string, fix: string): SentinelError =>
  new SentinelError("bad_argument", `The body ${why}.`, fix);
