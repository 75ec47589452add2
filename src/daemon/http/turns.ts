/** So many calls of one caller run at a time, and the others wait for their turn: nobody takes all that a daemon has. */
import { SentinelError } from "../../ground/core/errors.ts";

export interface TurnLimits {
  readonly running: number;
  readonly waiting: number;
}

export class Turns {
  readonly #most: TurnLimits;
  /** Each of `waiting` begins one that waits. */
  readonly #callers = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(most: TurnLimits) {
    this.#most = most;
  }

  /** @throws SentinelError `too_many_calls` where too many wait already, and what the act throws. */
  async within<Result>(caller: string, act: () => Promise<Result>): Promise<Result> {
    await this.#begin(caller);
    try {
      return await act();
    } finally {
      this.#end(caller);
    }
  }

  /** How many calls of all callers wait. */
  get waiting(): number {
    return [...this.#callers.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  async #begin(caller: string): Promise<void> {
    const calls = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, calls);
    if (calls.running < this.#most.running) {
      calls.running++;
      return;
    }
    if (calls.waiting.length >= this.#most.waiting) throw tooMany(this.#most);
    await new Promise<void>((resolve) => calls.waiting.push(resolve));
  }

  /** The turn passes to the one that has waited longest. */
  #end(caller: string): void {
    const calls = this.#callers.get(caller);
    const next = calls?.waiting.shift();
    if (next) next();
    else if (calls && --calls.running === 0) this.#callers.delete(caller);
  }
}

function tooMany({ running, waiting }: TurnLimits): SentinelError {
  const message = `This token has ${running + waiting} calls under way that have not been answered yet.`;
  return new SentinelError("too_many_calls", message, "Wait for their answers, then call again.");
}
