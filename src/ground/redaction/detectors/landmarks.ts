import type { Occurrences } from "./automaton.ts";

/** What all detectors look at first in a text: where their literals stand, and the long runs in which a generated value may stand. */
export interface Landmarks {
  readonly literals: Occurrences;
  /** Start and end of each, one after the other. */
  readonly runs: readonly number[];
}
