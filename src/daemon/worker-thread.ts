/** A thread for the work on large bodies: meanwhile the daemon answers other callers. */
import { type TransferListItem, Worker } from "node:worker_threads";
import { SentinelError } from "../ground/core/errors.ts";

/** A body or a batch of drafts that is smaller is worked on where it is: to hand it over would take longer. */
export const LARGE_BYTES = 64 * 1024;

/** A task for the thread, and the result that comes back under the same number. */
export interface Task {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
export interface Outcome {
  readonly id: number;
  readonly result?: unknown;
  /** What the task threw: a `SentinelError`, or any other. */
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

  /** It starts with the first task. @param file its program. */
  constructor(file: URL) {
    this.#file = file;
  }

  /** @param transfer what is moved to the thread and not copied. @throws what the task throws. */
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
      if (refused) waiting?.reject(new SentinelError(refused.code, refused.message, refused.fix));
      else if (error !== undefined) waiting?.reject(error);
      else waiting?.resolve(result as never);
    });
    // Without memory it ends, and the daemon does not: the next task starts another one.
    let cause: unknown;
    thread.once("error", (error) => {
      cause = error;
    });
    thread.once("exit", () => {
      this.#thread = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(cause ?? new Error("The thread ended."));
    });
    return thread;
  }
}
