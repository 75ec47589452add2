/** Splits input into lines and drops lines over the limit. Valid calls are about a thousand times smaller than the limit. */
import { Writable } from "node:stream";
import { SentinelError } from "../../ground/core/errors.ts";
import { requestId } from "../../ground/tool/messages.ts";

/** The longest line a client may send. */
export const LONGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;
/** Bytes kept from each end of a dropped line, to find its id. */
const KEPT_BYTES = 512;

export interface DroppedLine {
  readonly bytes: number;
  /** The request's id. Undefined for a notification, or if the id wasn't found. */
  readonly id: string | number | undefined;
  readonly isToolCall: boolean;
}

/** Returns a stream for input. @param longestBytes the most bytes in a line. */
export function messageGuard(
  longestBytes: number,
  onLine: (line: Buffer) => void,
  onDropped: (line: DroppedLine) => void,
): Writable {
  let held: Buffer[] = [];
  let length = 0;
  const hold = (part: Buffer) => {
    held.push(part);
    length += part.length;
    if (length <= longestBytes || held.length < 3) return;
    // The line is already too long, so keep only both ends.
    const all = Buffer.concat(held);
    held = [all.subarray(0, KEPT_BYTES), all.subarray(-KEPT_BYTES)];
  };
  const release = () => {
    const line = Buffer.concat(held);
    if (length <= longestBytes) onLine(line);
    else {
      const head = line.toString("latin1", 0, KEPT_BYTES);
      const tail = line.toString("latin1", Math.max(0, line.length - KEPT_BYTES));
      onDropped({
        bytes: length,
        id: findId(head, tail),
        isToolCall: head.includes('"tools/call"'),
      });
    }
    held = [];
    length = 0;
  };
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
        hold(rest.subarray(0, end + 1));
        release();
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) hold(rest);
      done();
    },
    // A client may end its input without a final line break.
    final(done) {
      if (length > 0) release();
      done();
    },
  });
}

/** Some clients put the id before the params, others at the very end. */
function findId(head: string, tail: string): string | number | undefined {
  const id =
    /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : requestId(JSON.parse(id));
}

/** The error that a client gets for a dropped line. */
export function tooLarge({ bytes }: DroppedLine): SentinelError {
  const most = LONGEST_MESSAGE_BYTES.toLocaleString("en");
  return new SentinelError(
    "too_large",
    `A message of ${bytes.toLocaleString("en")} bytes was dropped; ${most} is the most.`,
    "Send what matters of it, in less: log_memory takes texts of up to 1,024 bytes, and record_event a call of up to that size.",
  );
}
