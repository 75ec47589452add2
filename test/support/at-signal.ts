/** What a process that is ended by a signal still does: it comes to no `finally` and no `exit`, and what it started would stay. */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const acts = new Set<() => void>();

/** @returns takes it back, once there is nothing left to do. */
export function atSignal(act: () => void): () => void {
  if (acts.size === 0) {
    for (const signal of SIGNALS) {
      process.on(signal, endAll);
    }
  }
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size === 0) {
      for (const signal of SIGNALS) {
        process.off(signal, endAll);
      }
    }
  };
}

function endAll(signal: NodeJS.Signals): void {
  for (const act of acts) {
    try {
      act();
    } catch (error) {
      process.stderr.write(`${error}\n`);
    }
  }
  // Libraries that listen, too, would each leave the end to the other.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
