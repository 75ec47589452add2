/** Whether work grows with its text, by the time of the processor in this process: what others on the machine do is not in it. */

/** More cost nothing where work is linear, and a machine that does much else at once gets a quiet moment. */
const TRIES = 10;

/** Milliseconds of the processor that the work takes. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether a text of four times the length costs more than `growth` times as much, however often it is measured. Work that is linear
 * costs 4 times as much, work that grows with the square 16 times.
 */
export function growsFaster(length: number, growth: number, work: (length: number) => void): boolean {
  const cost = (characters: number) => processorMs(() => work(characters));
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let again = 0; again < TRIES; again++) {
    long = Math.min(long, cost(4 * length));
    short = Math.min(short, cost(length), cost(length));
    if (long <= growth * short) return false;
  }
  return true;
}
