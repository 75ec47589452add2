/** How work compares with other work, by the time of the processor in this process: what others on the machine do is not in it. */

/** More cost nothing where work is linear, and a machine that does much else at once gets a quiet moment. */
const TRIES = 10;

/** Milliseconds of the processor that the work takes. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whether work costs at most so many times as much as other work, however often both are measured. */
function costsAtMost(times: number, work: () => void, other: () => void): boolean {
  let [least, leastOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let again = 0; again < TRIES; again++) {
    least = Math.min(least, processorMs(work));
    leastOther = Math.min(leastOther, processorMs(other), processorMs(other));
    if (least <= times * leastOther) {
      return true;
    }
  }
  return false;
}

/**
 * Whether a text of four times the length costs more than `growth` times as much. Work that is linear costs 4 times as much, work that
 * grows with the square 16 times.
 */
export const growsFaster = (
  length: number,
  growth: number,
  work: (length: number) => void,
): boolean =>
  !costsAtMost(
    growth,
    () => work(4 * length),
    () => work(length),
  );
