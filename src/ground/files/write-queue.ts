/** Group commit. All changes waiting in one process share one lock, one read and one write. */
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../core/errors.ts";
import { YIELD_MS } from "./lock.ts";

/** A change that waits for its batch. */
export interface Waiting<State> {
  /** Changes the state and returns the result. If it throws, it hasn't changed anything. */
  readonly change: (state: State) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The time it was enqueued, in ms of the process's monotonic clock. */
  readonly sinceMs: number;
}

/** Applies a batch to one state in order, writes the state, then answers each change. @returns whether other processes wait for the lock. */
export type Commit<State> = (batch: readonly Waiting<State>[]) => Promise<{ othersWait: boolean }>;

export class WriteQueue<State> {
  readonly #commit: Commit<State>;
  #queue: (Waiting<State> & { readonly signal: AbortSignal | undefined })[] = [];
  #running = false;

  /** @param commit if it rejects, so does every change in its batch. */
  constructor(commit: Commit<State>) {
    this.#commit = commit;
  }

  /** Resolves once the change is on disk. If its signal fires before its batch begins, it rejects and nothing is written. */
  enqueue<Result>(change: (state: State) => Result, signal?: AbortSignal): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const sinceMs = performance.now();
      this.#queue.push({
        change,
        resolve: resolve as (result: unknown) => void,
        reject,
        sinceMs,
        signal,
      });
      if (!this.#running) {
        void this.#run();
      }
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) {
      const arrived = this.#queue;
      this.#queue = [];
      for (const { signal, reject } of arrived) {
        if (signal?.aborted) {
          reject(cancelled());
        }
      }
      const batch = arrived.filter(({ signal }) => !signal?.aborted);
      if (batch.length > 0) {
        await this.#commitOrReject(batch);
      }
    }
    // Must be set synchronously after the queue check, or a change enqueued in between would never run.
    this.#running = false;
  }

  async #commitOrReject(batch: readonly Waiting<State>[]): Promise<void> {
    try {
      const { othersWait } = await this.#commit(batch);
      // Otherwise a process that always has the next batch ready would keep the lock from all others.
      if (othersWait && this.#queue.length > 0) {
        await sleep(YIELD_MS);
      }
    } catch (error) {
      for (const { reject } of batch) {
        reject(error);
      }
    }
  }
}

function cancelled(): SentinelError {
  return new SentinelError(
    "cancelled",
    "The call was cancelled before its turn, so nothing was written.",
    "Call again if it is still wanted.",
  );
}
