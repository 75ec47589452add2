/** Cuts input into lines, and drops those that are too long: no valid call is a thousandth of what it takes. */
import { Writable } from "node:stream";

const LINE_FEED = 0x0a;
/** How much of each end of a dropped line is kept, to find its id. */
const KEPT_BYTES = 512;

export interface DroppedLine {
  readonly bytes: number;
  /** The request's id; undefined for a notification, or where it could not be found. */
  readonly id: string | number | undefined;
  readonly isToolCall: boolean;
}

export class MessageGuard extends Writable {
  readonly #longestBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onDropped: (line: DroppedLine) => void;
  #held: Buffer[] = [];
  #length = 0;

  /** @param longestBytes a line may have. */
  constructor(longestBytes: number, onLine: (line: Buffer) => void, onDropped: (line: DroppedLine) => void) {
    super();
    this.#longestBytes = longestBytes;
    this.#onLine = onLine;
    this.#onDropped = onDropped;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      this.#hold(rest.subarray(0, end + 1));
      this.#release();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#hold(rest);
    done();
  }

  #hold(part: Buffer): void {
    this.#held.push(part);
    this.#length += part.length;
    if (this.#length <= this.#longestBytes || this.#held.length < 3) return;
    // Too long already: only the two ends are needed.
    const all = Buffer.concat(this.#held);
    this.#held = [all.subarray(0, KEPT_BYTES), all.subarray(-KEPT_BYTES)];
  }

  #release(): void {
    const line = Buffer.concat(this.#held);
    if (this.#length <= this.#longestBytes) this.#onLine(line);
    else {
      const head = line.toString("latin1", 0, KEPT_BYTES);
      const tail = line.toString("latin1", Math.max(0, line.length - KEPT_BYTES));
      this.#onDropped({ bytes: this.#length, id: findId(head, tail), isToolCall: head.includes('"tools/call"') });
    }
    this.#held = [];
    this.#length = 0;
  }
}

/** Some clients put the id before the params, others at the very end. */
function findId(head: string, tail: string): string | number | undefined {
  const id =
    /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}
