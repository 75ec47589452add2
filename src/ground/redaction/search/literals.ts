/** One pass finds the beginnings of all detectors' forms, because trying each pattern at each character costs too much. */
import { type Landmarks, matchAt } from "../span.ts";
import { type Automaton, buildAutomaton, type Occurrence, scan } from "./automaton.ts";
import { longRuns } from "./runs.ts";

const groups: (readonly string[])[] = [];
const indices = new Map<string, number>();
let automaton: Automaton | undefined;

/** Registers literals. The result reads their occurrences from a text's landmarks. Equal groups share one list. */
export function literals(
  group: readonly string[],
): (landmarks: Landmarks) => readonly Occurrence[] {
  const name = group.join(" ");
  const index = indices.get(name) ?? groups.push(group) - 1;
  indices.set(name, index);
  automaton = undefined;
  return (landmarks) => landmarks.literals[index] ?? [];
}

/** The characters of a word that the automaton searches for. A pattern reads the rest, so that the automaton stays small. */
const HEAD = 4;

/** The beginning of a word in lower case. */
export const headOf = (word: string): string => word.slice(0, HEAD).toLowerCase();

/** The different beginnings of words. */
export const headsOf = (words: readonly string[]): string[] => [...new Set(words.map(headOf))];

/** Passes over the text once for all literals and once for the runs. */
export function landmarksOf(text: string): Landmarks {
  automaton ??= buildAutomaton(groups);
  return { literals: scan(automaton, text), runs: longRuns(text) };
}

/** Searches for a sticky pattern that begins with one of these words. */
export type Search = (text: string, landmarks: Landmarks) => readonly RegExpExecArray[];

/** @returns a search for the pattern's matches, in order and without overlaps. */
export function searchFrom(words: readonly string[], pattern: RegExp): Search {
  const occurrences = literals(headsOf(words));
  return (text, landmarks) => {
    const matches: RegExpExecArray[] = [];
    let past = 0;
    for (const { start } of occurrences(landmarks)) {
      const match = start < past ? undefined : matchAt(pattern, text, start);
      if (!match) continue;
      past = start + match[0].length;
      matches.push(match);
    }
    return matches;
  };
}
