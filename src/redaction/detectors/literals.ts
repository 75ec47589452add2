/**
 * Where any of many literals occurs, in one pass over a text, whatever their number and case (Aho and Corasick, 1975).
 *
 * Detectors whose forms begin with a known word look for these words first and try their patterns only there: a pattern
 * with a hundred alternatives, tried at each character, costs many times as much.
 */

/** Start of an occurrence and number of the literal, one after the other in one list, in the order in which they end. */
export type Occurrences = readonly number[];

/** A scanner for these literals. It is built when it is first used. */
export function scannerFor(literals: readonly string[]): (text: string) => Occurrences {
  let automaton: Automaton | undefined;
  return (text) => {
    automaton ??= build(literals);
    return scan(automaton, text);
  };
}

interface Automaton {
  /** A class for each UTF-16 code; 0 for all that occur in no literal. */
  readonly classes: Uint8Array;
  readonly width: number;
  /** The next state for a state and a class. */
  readonly next: Uint16Array;
  /** The literals that end in a state. */
  readonly ending: readonly (readonly number[] | undefined)[];
  readonly lengths: readonly number[];
}

function scan({ classes, width, next, ending, lengths }: Automaton, text: string): number[] {
  const found: number[] = [];
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    state = next[state * width + (classes[text.charCodeAt(i)] as number)] as number;
    const ended = ending[state];
    if (ended) for (const literal of ended) found.push(i + 1 - (lengths[literal] as number), literal);
  }
  return found;
}

function build(literals: readonly string[]): Automaton {
  const classes = new Uint8Array(65_536);
  let width = 1;
  for (const character of new Set(literals.join("").toLowerCase())) {
    classes[character.charCodeAt(0)] = classes[character.toUpperCase().charCodeAt(0)] = width++;
  }
  const most = literals.reduce((sum, { length }) => sum + length, 1);
  const next = new Uint16Array(most * width);
  const ending: (number[] | undefined)[] = new Array(most).fill(undefined);
  let states = 1;
  for (const [number, literal] of literals.entries()) {
    let state = 0;
    for (let i = 0; i < literal.length; i++) {
      const step = state * width + (classes[literal.charCodeAt(i)] as number);
      if (next[step] === 0) next[step] = states++;
      state = next[step] as number;
    }
    ending[state] = [...(ending[state] ?? []), number];
  }
  linkFailures(next, width, ending);
  return { classes, width, next, ending, lengths: literals.map(({ length }) => length) };
}

/** Where a literal breaks off, the search goes on with the longest beginning of another that the text still is. */
function linkFailures(next: Uint16Array, width: number, ending: (number[] | undefined)[]): void {
  const failure = new Uint16Array(ending.length);
  const queue = [0];
  for (const state of queue)
    for (let step = 0; step < width; step++) {
      const child = next[state * width + step] as number;
      const other = state === 0 ? 0 : (next[(failure[state] as number) * width + step] as number);
      if (child === 0) {
        next[state * width + step] = other;
        continue;
      }
      failure[child] = other;
      const ended = ending[other];
      if (ended) ending[child] = [...(ending[child] ?? []), ...ended];
      queue.push(child);
    }
}
