/**
 * Counts the characters that a piece of work visits: what it reads by index, compares, copies, decodes, and what its patterns
 * run over. A count says whether work is linear, on any machine, where a time does not.
 *
 * The string and pattern functions of the language count while the work runs, so that the code under test needs no counter.
 * What a sticky pattern reads before it fails is not seen: `test/properties/redaction-time.test.ts` measures the time of that.
 */

type Call = (this: never, ...args: never[]) => unknown;
type Count = (self: string, args: readonly unknown[], result: unknown) => number;

const from = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);
const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);
const all: Count = (self) => self.length;

const STRINGS: Readonly<Record<string, Count>> = {
  charCodeAt: () => 1,
  charAt: () => 1,
  slice: (_, __, result) => lengthOf(result),
  startsWith: (_, [part]) => lengthOf(part),
  endsWith: (_, [part]) => lengthOf(part),
  includes: all,
  indexOf: (self, [, start], result) =>
    (Number(result) < 0 ? self.length : Number(result)) - from(start, 0),
  lastIndexOf: (self, [, start], result) =>
    Math.min(self.length, from(start, self.length)) - Number(result),
  split: all,
  trim: all,
  trimEnd: all,
  toLowerCase: all,
};

/** Runs `work` and says how many characters it visited. */
export function visitedCharacters(work: () => void): number {
  let visited = 0;
  const restore = [
    ...Object.entries(STRINGS).map(([name, count]) =>
      replace(
        String.prototype,
        name,
        (original) =>
          function (this: string, ...args: unknown[]) {
            const result = (original as (...args: unknown[]) => unknown).apply(this, args);
            visited += count(this, args, result);
            return result;
          } as Call,
      ),
    ),
    replace(
      RegExp.prototype,
      "exec",
      (original) =>
        function (this: RegExp, text: string) {
          const start = this.sticky || this.global ? this.lastIndex : 0;
          const found = (original as typeof RegExp.prototype.exec).call(this, text);
          visited += found
            ? found.index + found[0].length - start + 1
            : this.sticky
              ? 1
              : text.length - start;
          return found;
        } as unknown as Call,
    ),
    replace(
      Buffer,
      "from",
      (original) =>
        function (this: typeof Buffer, ...args: unknown[]) {
          visited += lengthOf(args[0]);
          return (original as (...args: unknown[]) => unknown).apply(this, args);
        } as unknown as Call,
    ),
  ];
  try {
    work();
  } finally {
    for (const undo of restore) {
      undo();
    }
  }
  return visited;
}

function replace(owner: object, name: string, counting: (original: Call) => Call): () => void {
  const functions = owner as Record<string, Call>;
  const original = functions[name] as Call;
  const describe = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
  Object.defineProperty(owner, name, { ...describe, value: counting(original) });
  return () => Object.defineProperty(owner, name, describe);
}
