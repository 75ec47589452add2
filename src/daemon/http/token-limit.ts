/** Limits how much of the daemon the calls of one token can use at a time, so that one caller can't block the others. */
import { SentinelError } from "../../ground/core/errors.ts";
import { LARGE_BYTES } from "../worker-thread.ts";

export interface TokenLimits {
  /** Calls that run at the same time. */
  readonly running: number;
  /** Calls that wait until one of these has ended. */
  readonly waiting: number;
}

/** The most bytes of unanswered bodies per token: one body of the largest size, or eight batches of a capture. */
const BYTES_OF_ONE = 8 * 1024 * 1024;
const BYTES_OF_ALL = 4 * BYTES_OF_ONE;

interface Use {
  running: number;
  bytes: number;
  /** Each function starts one waiting call. */
  readonly waiting: (() => void)[];
}

export class TokenLimit {
  readonly #most: TokenLimits;
  readonly #tokens = new Map<string, Use>();

  constructor(most: TokenLimits) {
    this.#most = most;
  }

  /**
   * Runs a call when it's the token's turn.
   * @param bytes the size of the body, which isn't read yet. Small bodies don't count, so they're never refused for their size.
   * @throws SentinelError `too_many_calls`, and the errors of the call.
   */
  async within<Result>(token: string, bytes: number, act: () => Promise<Result>): Promise<Result> {
    const use = this.#tokens.get(token) ?? { running: 0, bytes: 0, waiting: [] };
    const counted = bytes > LARGE_BYTES ? bytes : 0;
    this.#mustHaveRoom(use, counted);
    this.#tokens.set(token, use);
    use.bytes += counted;
    try {
      await this.#turn(use);
      return await act();
    } finally {
      use.bytes -= counted;
      this.#end(token, use);
    }
  }

  /** The number of waiting calls of all tokens. */
  get waiting(): number {
    let all = 0;
    for (const { waiting } of this.#tokens.values()) {
      all += waiting.length;
    }
    return all;
  }

  /** The counted bytes of all tokens. */
  get bytes(): number {
    let all = 0;
    for (const { bytes } of this.#tokens.values()) {
      all += bytes;
    }
    return all;
  }

  async #turn(use: Use): Promise<void> {
    if (use.running < this.#most.running) {
      use.running++;
      return;
    }
    // The call that ends passes its slot on.
    await new Promise<void>((resolve) => use.waiting.push(resolve));
  }

  #end(token: string, use: Use): void {
    const next = use.waiting.shift();
    if (next) {
      next();
      return;
    }
    use.running--;
    if (use.running === 0) {
      this.#tokens.delete(token);
    }
  }

  #mustHaveRoom(use: Use, bytes: number): void {
    const { running, waiting } = this.#most;
    if (use.running === running && use.waiting.length >= waiting) {
      throw refused(
        `This token has ${running + waiting} calls under way that have not been answered yet.`,
        "Wait for their answers, then call again.",
      );
    }
    if (bytes === 0) {
      return;
    }
    if (use.bytes + bytes > BYTES_OF_ONE) {
      throw noRoom("This token has", BYTES_OF_ONE, "Send them one after another.");
    }
    if (this.bytes + bytes > BYTES_OF_ALL) {
      throw noRoom("All callers have", BYTES_OF_ALL, "Send less.");
    }
  }
}

function noRoom(who: string, most: number, fix: string): SentinelError {
  return refused(
    `${who} ${most.toLocaleString("en")} bytes in calls that are not answered yet, with this one more.`,
    `${fix} Wait a moment, then call again.`,
  );
}

function refused(message: string, fix: string): SentinelError {
  return new SentinelError("too_many_calls", message, fix);
}
