/** A thread for the work on large bodies, so that the daemon can answer other callers meanwhile. */
import { type TransferListItem, Worker } from "node:worker_threads";
import { SentinelError } from "../ground/core/errors.ts";

/** The least size of work for the thread, in bytes. For smaller work, handing it over takes longer than doing it. */
export const LARGE_BYTES = 64 * 1024;

/** A task for the thread. The result has the same number. */
export interface Task {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
export interface Outcome {
  readonly id: number;
  readonly result?: unknown;
  /** The error that the task threw: a `SentinelError`, or any other. */
  readonly refused?: Pick<SentinelError, "code" | "message" | "fix">;
  readonly error?: unknown;
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class WorkerThread {
  readonly #file: URL;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #tasks = 0;

  /** The thread starts with the first task. @param file the thread's program. */
  constructor(file: URL) {
    this.#file = file;
  }

  /** @param transfer buffers to move to the thread without copying. @throws the task's error. */
  run<Result>(
    name: string,
    input: unknown,
    transfer: readonly TransferListItem[] = [],
  ): Promise<Result> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const id = ++this.#tasks;
    return new Promise<Result>((resolve, reject) => {
      thread.postMessage({ id, name, input } satisfies Task, transfer);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#file);
    thread.on("message", ({ id, result, refused, error }: Outcome) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (refused) {
        waiting?.reject(new SentinelError(refused.code, refused.message, refused.fix));
      } else if (error !== undefined) {
        waiting?.reject(error);
      } else {
        waiting?.resolve(result as never);
      }
    });
    // A thread that runs out of memory ends, but the daemon doesn't. The next task starts a new thread.
    let cause: unknown;
    thread.once("error", (error) => {
      cause = error;
    });
    thread.once("exit", () => {
      this.#thread = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) {
        reject(cause ?? new Error("The thread ended."));
      }
    });
    return thread;
  }
}
