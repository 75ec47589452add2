/** Counts the bytes read from files of a memory or a session log, for tests and benches that limit them. */
import { AsyncLocalStorage } from "node:async_hooks";

interface ReadCount {
  readonly bytes: number;
  /** The number of times a file was opened or part of it was read. */
  readonly reads: number;
}

const counts = new AsyncLocalStorage<{ bytes: number; reads: number }>();

/** Runs a function that can query the bytes and reads counted for it so far. @internal */
export function countingReads<Result>(
  work: (soFar: () => ReadCount) => Promise<Result>,
): Promise<Result> {
  const count = { bytes: 0, reads: 0 };
  return counts.run(count, () => work(() => ({ ...count })));
}

/** Adds one read to the surrounding `countingReads`, if any. */
export function countRead(bytes: number): void {
  const count = counts.getStore();
  if (!count) return;
  count.bytes += bytes;
  count.reads += 1;
}
