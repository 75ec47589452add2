/** What the calls of one token may take at a time. Over it they are refused, so that nobody takes all that a daemon has. */
import { SentinelError } from "../../ground/core/errors.ts";
import { LARGE_BYTES } from "../worker-thread.ts";

export interface TokenLimits {
  /** Calls that run, and those that wait until one of these has ended. */
  readonly running: number;
  readonly waiting: number;
}

/** Bytes of bodies that are not answered yet: one of the largest size, or eight batches of a capture. */
const BYTES_OF_ONE = 8 * 1024 * 1024;
const BYTES_OF_ALL = 4 * BYTES_OF_ONE;

interface Use {
  running: number;
  bytes: number;
  /** Each begins one that waits. */
  readonly waiting: (() => void)[];
}

export class TokenLimit {
  readonly #most: TokenLimits;
  readonly #tokens = new Map<string, Use>();

  constructor(most: TokenLimits) {
    this.#most = most;
  }

  /** @param bytes of the body, which is not read yet. @throws SentinelError `too_many_calls`, and what the act throws. */
  async within<Result>(token: string, bytes: number, act: () => Promise<Result>): Promise<Result> {
    const use = this.#tokens.get(token) ?? { running: 0, bytes: 0, waiting: [] };
    // A daemon is never too busy for a small body.
    const counted = bytes > LARGE_BYTES ? bytes : 0;
    this.#mustHaveRoom(use, counted);
    this.#tokens.set(token, use);
    use.bytes += counted;
    try {
      // The one that ends hands on its place.
      if (use.running === this.#most.running)
        await new Promise<void>((resolve) => use.waiting.push(resolve));
      else use.running++;
      return await act();
    } finally {
      use.bytes -= counted;
      const next = use.waiting.shift();
      if (next) next();
      else if (--use.running === 0) this.#tokens.delete(token);
    }
  }

  /** How many calls of all tokens wait. */
  get waiting(): number {
    return sum(this.#tokens.values(), ({ waiting }) => waiting.length);
  }

  /** The bytes of all tokens, without small bodies. */
  get bytes(): number {
    return sum(this.#tokens.values(), ({ bytes }) => bytes);
  }

  #mustHaveRoom(use: Use, bytes: number): void {
    const { running, waiting } = this.#most;
    if (use.running === running && use.waiting.length >= waiting)
      throw refused(
        `This token has ${running + waiting} calls under way that have not been answered yet.`,
      );
    if (bytes === 0) return;
    if (use.bytes + bytes > BYTES_OF_ONE)
      throw noRoom("This token has", BYTES_OF_ONE, "Send them one after another. ");
    if (this.bytes + bytes > BYTES_OF_ALL)
      throw noRoom("All callers have", BYTES_OF_ALL, "Send less. ");
  }
}

function noRoom(who: string, most: number, fix: string): SentinelError {
  const message = `${who} ${most.toLocaleString("en")} bytes in calls that are not answered yet, with this one more.`;
  return new SentinelError("too_many_calls", message, `${fix}Wait a moment, then call again.`);
}

const refused = (message: string): SentinelError =>
  new SentinelError("too_many_calls", message, "Wait for their answers, then call again.");

function sum(uses: Iterable<Use>, count: (use: Use) => number): number {
  let all = 0;
  for (const use of uses) all += count(use);
  return all;
}
