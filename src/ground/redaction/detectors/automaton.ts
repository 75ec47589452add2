/** Where any of many literals occurs, in one pass over a text, whatever their number and case (Aho and Corasick, 1975). */

/** By group of literals: start of an occurrence and number of the literal, one after the other, in the order in which they end. */
export type Occurrences = readonly (readonly number[])[];

interface Literal {
  readonly length: number;
  readonly group: number;
  readonly number: number;
}

/** Built once, then read by `scan`. */
export type Automaton = Readonly<ReturnType<typeof buildAutomaton>>;

/** Most literals are in no text, and to make a list for each group would cost more than to read a short text. */
const NONE: number[] = [];

/** Every occurrence of every literal. */
export function scan(
  { classes, next, ends, ending, groups }: Automaton,
  text: string,
): Occurrences {
  const found = new Array<number[]>(groups).fill(NONE);
  const length = text.length;
  let state = 0;
  for (let i = 0; i < length; i++) {
    state = next[state + (classes[text.charCodeAt(i)] as number)] as number;
    const end = ends[state] as number;
    if (end === 0) continue;
    for (const { length, group, number } of ending[end] as readonly Literal[]) {
      if (found[group] === NONE) found[group] = [];
      (found[group] as number[]).push(i + 1 - length, number);
    }
  }
  return found;
}

/** For groups of literals; upper and lower case are the same. */
export function buildAutomaton(groups: readonly (readonly string[])[]) {
  const literals = groups.flat();
  /** A class for each UTF-16 code; 0 for all that occur in no literal. */
  const classes = new Uint8Array(65_536);
  let width = 1;
  for (const character of new Set(literals.join("").toLowerCase()))
    classes[character.charCodeAt(0)] = classes[character.toUpperCase().charCodeAt(0)] = width++;
  const size = literals.reduce((sum, { length }) => sum + length, 1) * width;
  /** The next state, by state and class. A state is the index of its row, so that a step is one addition. */
  const next = new Uint32Array(size);
  const ending = new Map<number, Literal[]>();
  let states = 1;
  const add = (literal: string, group: number, number: number) => {
    let state = 0;
    for (let i = 0; i < literal.length; i++) {
      const step = state + (classes[literal.charCodeAt(i)] as number);
      if (next[step] === 0) next[step] = width * states++;
      state = next[step] as number;
    }
    ending.set(state, [...(ending.get(state) ?? []), { length: literal.length, group, number }]);
  };
  for (const [group, words] of groups.entries())
    for (const [number, word] of words.entries()) add(word, group, number);
  linkFailures(next, width, ending);
  /** For each state where in `ending` the literals are that end in it; 0 for none. */
  const ends = new Uint16Array(size);
  for (const [i, state] of [...ending.keys()].entries()) ends[state] = i + 1;
  return { classes, next, ends, ending: [[], ...ending.values()], groups: groups.length };
}

/** Where a literal breaks off, the search goes on with the longest beginning of another that the text still is. */
function linkFailures(next: Uint32Array, width: number, ending: Map<number, Literal[]>): void {
  const failures = new Uint32Array(next.length / width);
  const queue = [0];
  for (const state of queue) {
    const failure = failures[state / width] as number;
    for (let step = 0; step < width; step++) {
      const child = next[state + step] as number;
      const other = state === 0 ? 0 : (next[failure + step] as number);
      if (child === 0) {
        next[state + step] = other;
        continue;
      }
      failures[child / width] = other;
      const ended = ending.get(other);
      if (ended) ending.set(child, [...(ending.get(child) ?? []), ...ended]);
      queue.push(child);
    }
  }
}
