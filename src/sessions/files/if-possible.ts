/** Writes a cache if possible. If that fails, the next process that needs the cache tries again. @returns whether the work was done. */
export function ifPossible(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
