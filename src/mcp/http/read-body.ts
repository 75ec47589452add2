/** The body of a call, as JSON, within limits. */
import type { IncomingMessage } from "node:http";
import { SentinelError } from "../../core/errors.ts";

/** Far more than a batch of a capture has. */
const MOST_BODY_BYTES = 8 * 1024 * 1024;
/**
 * A body that is too large is taken to its end up to this, and dropped: a caller that still writes, such as `fetch`, would find the
 * connection reset in place of the answer. For how long, the server's limit of a call says.
 */
const MOST_DROPPED_BYTES = 64 * 1024 * 1024;

/** @throws SentinelError `too_large`, `bad_argument`. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > MOST_DROPPED_BYTES) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      bytes += part.length;
      if (bytes > MOST_DROPPED_BYTES) throw tooLarge();
      if (bytes <= MOST_BODY_BYTES) parts.push(part);
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
  if (bytes > MOST_BODY_BYTES) throw tooLarge();
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new SentinelError("bad_argument", "The body is not JSON.", "Send JSON in UTF-8.");
  }
}

function tooLarge(): SentinelError {
  const most = MOST_BODY_BYTES.toLocaleString("en");
  return new SentinelError("too_large", `The body has more than ${most} bytes.`, "Send less in one call.");
}
