/** Finds many literals in one pass over a text, however many they are, ignoring case (Aho and Corasick, 1975). */

export interface Occurrence {
  readonly start: number;
  /** The index of the literal in its group. */
  readonly literal: number;
}

/** The occurrences for each group of literals, in the order in which they end. */
export type Occurrences = readonly (readonly Occurrence[])[];

/** A literal that ends in a state. */
interface Ending {
  readonly length: number;
  readonly group: number;
  readonly literal: number;
}

/** A state is the index of its row in `next`, so that a step is one addition. */
export interface Automaton {
  /** The class of each UTF-16 code; 0 for codes that appear in no literal. */
  readonly classes: Uint8Array;
  /** The next state, by state and class. */
  readonly next: Uint32Array;
  readonly endings: ReadonlyMap<number, readonly Ending[]>;
  /** A 1 for each state with endings, which is faster to read than the map. */
  readonly isEnd: Uint8Array;
  readonly groups: number;
}

/** Most groups have no occurrence, so they share one list. */
const NONE: Occurrence[] = [];

export function scan(automaton: Automaton, text: string): Occurrences {
  const { classes, next, isEnd, endings } = automaton;
  const found = new Array<Occurrence[]>(automaton.groups).fill(NONE);
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    state = next[state + (classes[text.charCodeAt(i)] as number)] as number;
    if (isEnd[state] === 0) continue;
    for (const { length, group, literal } of endings.get(state) ?? []) {
      if (found[group] === NONE) found[group] = [];
      found[group]?.push({ start: i + 1 - length, literal });
    }
  }
  return found;
}

export function buildAutomaton(groups: readonly (readonly string[])[]): Automaton {
  const literals = groups.flat();
  const classes = new Uint8Array(65_536);
  let width = 1;
  for (const character of new Set(literals.join("").toLowerCase())) {
    classes[character.charCodeAt(0)] = width;
    classes[character.toUpperCase().charCodeAt(0)] = width;
    width++;
  }
  const mostStates = literals.reduce((sum, { length }) => sum + length, 1);
  const next = new Uint32Array(mostStates * width);
  const endings = new Map<number, Ending[]>();
  let states = 1;
  const add = (word: string, group: number, literal: number) => {
    let state = 0;
    for (let i = 0; i < word.length; i++) {
      const step = state + (classes[word.charCodeAt(i)] as number);
      if (next[step] === 0) next[step] = width * states++;
      state = next[step] as number;
    }
    endings.set(state, [...(endings.get(state) ?? []), { length: word.length, group, literal }]);
  };
  for (const [group, words] of groups.entries())
    for (const [literal, word] of words.entries()) add(word, group, literal);
  linkFailures(next, width, endings);
  const isEnd = new Uint8Array(next.length);
  for (const state of endings.keys()) isEnd[state] = 1;
  return { classes, next, endings, isEnd, groups: groups.length };
}

/** If a literal breaks off, the search continues with the longest beginning of a literal that ends the text so far. */
function linkFailures(next: Uint32Array, width: number, endings: Map<number, Ending[]>): void {
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
      const inherited = endings.get(other);
      if (inherited) endings.set(child, [...(endings.get(child) ?? []), ...inherited]);
      queue.push(child);
    }
  }
}
