/** Counts what is read from files, so that an answer can say what it cost. What reads files of a memory or a session log counts here. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface ReadCount {
  readonly bytes: number;
  /** Each time a file is opened or a part of it is read. */
  readonly reads: number;
}

const counts = new AsyncLocalStorage<{ bytes: number; reads: number }>();

/** Does some work, and gives what was read for it up to any moment. */
export function countingReads<Result>(
  work: (soFar: () => ReadCount) => Promise<Result>,
): Promise<Result> {
  const count = { bytes: 0, reads: 0 };
  return counts.run(count, () => work(() => ({ ...count })));
}

/** Adds a reading to the count of whoever wants to know. */
export function countRead(bytes: number): void {
  const count = counts.getStore();
  if (!count) return;
  count.bytes += bytes;
  count.reads += 1;
}
