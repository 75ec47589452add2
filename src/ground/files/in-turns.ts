/** Long work of a process that serves others: it stops after each turn, and they are answered. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Steps } from "../core/steps.ts";

let last: Promise<unknown> = Promise.resolve();

/** Resolves when others have had theirs. What cannot stop begins with one: so at most one of many runs before others are answered. */
function nextOwnTurn(): Promise<unknown> {
  last = last.then(() => nextTurn());
  return last;
}

/** A turn ends with the first step that ends after so many milliseconds; then the others have theirs. */
const TURNS = { now: () => performance.now(), turnMs: 5, others: nextOwnTurn };

/** Does all of it. However much long work is under way, others wait for one turn of one of them, and not of each. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  { now, turnMs, others } = TURNS,
): Promise<Result> {
  for (let began = now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (now() - began < turnMs) continue;
    await others();
    began = now();
  }
}
