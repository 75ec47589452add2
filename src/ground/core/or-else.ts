/** Gives the result of an act; where it fails, for whatever reason, the other one. */
export function orElse<Result, Other>(act: () => Result, other: Other): Result | Other {
  try {
    return act();
  } catch {
    return other;
  }
}
