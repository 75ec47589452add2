/** One pattern finds the beginnings of all detectors' forms, because trying each form at each character costs too much. */
import { type Landmarks, matchAt, type Occurrence, type Occurrences } from "../span.ts";
import { longRuns } from "./runs.ts";

/** A literal of a registered group, by its index there. */
interface Literal {
  readonly group: number;
  readonly literal: number;
}

const groups: (readonly string[])[] = [];
const indices = new Map<string, number>();
let findAll: ((text: string) => Occurrences) | undefined;

/** Registers lowercase literals. The result reads their occurrences from a text's landmarks. Equal groups share one list. */
export function literals(
  group: readonly string[],
): (landmarks: Landmarks) => readonly Occurrence[] {
  const name = group.join(" ");
  const index = indices.get(name) ?? groups.push(group) - 1;
  indices.set(name, index);
  findAll = undefined;
  return (landmarks) => landmarks.literals.get(index) ?? [];
}

/** Passes over the text once for all literals and once for the runs. */
export function landmarksOf(text: string): Landmarks {
  findAll ??= finderOf(groups);
  return { literals: findAll(text), runs: longRuns(text) };
}

/** @returns a search for lowercase literals in either case. @internal A test compares it with a search for each literal. */
export function finderOf(groups: readonly (readonly string[])[]): (text: string) => Occurrences {
  const words = [...new Set(groups.flat())].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?=(${words.map(escaped).join("|")}))`, "gi");
  const literalsAt = new Map(words.map((word) => [word, literalsIn(groups, word)]));
  return (text) => {
    const found = new Map<number, Occurrence[]>();
    for (let from = 0; ; ) {
      const match = matchAt(pattern, text, from);
      if (!match) return found;
      from = match.index + 1;
      const word = match[1] ?? "";
      for (const { group, literal } of literalsAt.get(word) ??
        literalsAt.get(word.toLowerCase()) ??
        []) {
        const occurrence = { start: match.index, literal };
        const others = found.get(group);
        if (others) others.push(occurrence);
        else found.set(group, [occurrence]);
      }
    }
  };
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** The literals that a word begins with. */
function literalsIn(groups: readonly (readonly string[])[], word: string): Literal[] {
  const found: Literal[] = [];
  for (const [group, words] of groups.entries())
    for (const [literal, one] of words.entries())
      if (word.startsWith(one)) found.push({ group, literal });
  return found;
}

/** The characters of a word that the pattern searches for. The pattern of the form reads the rest. */
const HEAD = 4;

/** The beginning of a word in lower case. */
export const headOf = (word: string): string => word.slice(0, HEAD).toLowerCase();

/** The different beginnings of words. */
export const headsOf = (words: readonly string[]): string[] => [...new Set(words.map(headOf))];

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
