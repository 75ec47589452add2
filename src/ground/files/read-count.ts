/** Counts the bytes read from files of a memory or a session log, so that an answer can contain its cost. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface ReadCount {
  readonly bytes: number;
  /** Each time a file is opened or a part of it is read. */
  readonly reads: number;
}

const counts = new AsyncLocalStorage<{ bytes: number; reads: number }>();

/** Does some work that can ask how much was read for it so far. */
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
