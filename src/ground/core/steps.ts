/** Long work that stops at many places. Whoever drives it decides there whether it goes on, and who has a turn first. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export interface Turns {
  /** Milliseconds since any point in time. */
  readonly now: () => number;
  /** A turn ends with the first step that ends after so long. */
  readonly turnMs: number;
  /** Resolves when others have had their turn. */
  readonly others: () => Promise<unknown>;
}

/** Does all of it in turns, so that a process that serves others answers them meanwhile. */
export async function finishInTurns<Result>(steps: Steps<Result>, { now, turnMs, others }: Turns): Promise<Result> {
  for (let began = now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (now() - began < turnMs) continue;
    await others();
    began = now();
  }
}
