/** Long work of a process that serves others: it stops after each turn, and they are answered. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { finishInTurns, type Steps } from "../core/steps.ts";

const TURN_MS = 5;
let last: Promise<unknown> = Promise.resolve();

/** Does all of it. However much long work is under way, others wait for one turn of one of them, and not of each. */
export function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  return finishInTurns(steps, { now: () => performance.now(), turnMs: TURN_MS, others: nextOwnTurn });
}

/** Resolves when others have had theirs. What cannot stop begins with one: so at most one of many runs before others are answered. */
export function nextOwnTurn(): Promise<unknown> {
  last = last.then(() => nextTurn());
  return last;
}
