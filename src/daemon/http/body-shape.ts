/** How deep and of how many values JSON is, before anything is made of it: a million empty lists take a hundred times their bytes. */
import { SentinelError } from "../../ground/core/errors.ts";
import type { Steps } from "../../ground/core/steps.ts";
import { MOST_VALUES } from "../../sessions/remote/batches.ts";

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

/** Reads the bytes once, and no further than to what is too much. What is not JSON may pass. @throws SentinelError `bad_argument` */
export function* checkShape(bytes: Uint8Array): Steps<void> {
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
