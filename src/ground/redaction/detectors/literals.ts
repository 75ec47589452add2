/** Detectors whose forms begin with a known word share one pass that finds the words, because a pattern at each character costs too much. */
import { type Landmarks, matchAt } from "../span.ts";
import { type Automaton, buildAutomaton, scan } from "./automaton.ts";
import { longRuns } from "./runs.ts";

const groups: (readonly string[])[] = [];
const numbers = new Map<string, number>();
let automaton: Automaton | undefined;

/** Adds literals to look for; equal groups share one list. The result reads their occurrences from a text's landmarks. */
export function literals(group: readonly string[]): (landmarks: Landmarks) => readonly number[] {
  const name = group.join(" ");
  const number = numbers.get(name) ?? groups.push(group) - 1;
  numbers.set(name, number);
  automaton = undefined;
  return (landmarks) => landmarks.literals[number] as readonly number[];
}

/** So much of a word is looked for where a pattern reads the rest: more would make the automaton large, and its first use slow. */
const HEAD = 4;

/** What a word begins with, in lower case. */
export const headOf = (word: string): string => word.slice(0, HEAD).toLowerCase();

/** What words begin with, each once. */
export const headsOf = (words: readonly string[]): string[] => [...new Set(words.map(headOf))];

/** One pass over the text for all literals, and one for the runs. */
export function landmarksOf(text: string): Landmarks {
  automaton ??= buildAutomaton(groups);
  return { literals: scan(automaton, text), runs: longRuns(text) };
}

/** A search for a sticky pattern that begins with one of these literals: its matches, none of which overlaps another. */
export function searchFrom(group: readonly string[], pattern: RegExp) {
  const occurrences = literals(headsOf(group));
  return (text: string, landmarks: Landmarks): readonly RegExpExecArray[] => {
    const starts = occurrences(landmarks);
    const matches: RegExpExecArray[] = [];
    let past = 0;
    for (let i = 0; i < starts.length; i += 2) {
      const start = starts[i] as number;
      const match = start < past ? undefined : matchAt(pattern, text, start);
      if (!match) continue;
      past = start + match[0].length;
      matches.push(match);
    }
    return matches;
  };
}
