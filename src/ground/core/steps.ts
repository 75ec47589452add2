/** Long work that stops at many places. Whoever drives it decides there whether it goes on, and who has a turn first. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** What comes of such work, by its function. */
export type ResultOf<Work extends (...args: never[]) => Generator> =
  ReturnType<Work> extends Generator<unknown, infer Result> ? Readonly<Result> : never;

/** Does all of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
