/** What an act gives; where it fails, for whatever reason, what is given instead. */
export function orElse<Result, Other>(act: () => Result, other: Other): Result | Other {
  try {
    return act();
  } catch {
    return other;
  }
}
