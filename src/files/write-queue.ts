/**
 * Mutations that wait in one process share a turn: one lock, one reading, one replacement, however many there are.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../core/errors.ts";
import type { WorkingCopy } from "../lessons/merge/fold.ts";
import { YIELD_MS } from "./lock.ts";

/**
 * Changes a snapshot in place and says what came of it; throws before it touches anything.
 *
 * @param now in ms since 1970.
 */
export type Change<T> = (memory: WorkingCopy, now: number) => T;

export interface Waiting {
  readonly change: Change<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When it came, in ms of the process's own clock. */
  readonly since: number;
}

/** Takes one turn for all that wait, who came first being first; says whether other processes wait for theirs. */
export type TakeTurn = (waiting: readonly Waiting[]) => Promise<{ othersWait: boolean }>;

export class WriteQueue {
  readonly #take: TakeTurn;
  #queue: (Waiting & { readonly signal: AbortSignal | undefined })[] = [];
  #running = false;

  constructor(take: TakeTurn) {
    this.#take = take;
  }

  /** Resolves once the change is on disk; rejects, with nothing written, when its signal fired before its turn. */
  enqueue<T>(change: Change<T>, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.#queue.push({ change, resolve: resolve as (result: unknown) => void, reject, since, signal });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) {
      const arrived = this.#queue;
      this.#queue = [];
      for (const { signal, reject } of arrived) if (signal?.aborted) reject(cancelled());
      const waiting = arrived.filter(({ signal }) => !signal?.aborted);
      if (waiting.length === 0) continue;
      try {
        const { othersWait } = await this.#take(waiting);
        // Who has the next turn ready when one ends would take them all.
        if (othersWait && this.#queue.length > 0) await sleep(YIELD_MS);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    // In the same step as the look at the queue: a call that comes in between would wait for ever.
    this.#running = false;
  }
}

function cancelled(): SentinelError {
  return new SentinelError(
    "cancelled",
    "The call was cancelled before its turn, so nothing was written.",
    "Call again if it is still wanted.",
  );
}
