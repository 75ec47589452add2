/** Lines in their order. A list never changes, and longer ones share its lines, so what is known by a line's place stays true. */
import type { LessonLine } from "./versions.ts";

const NONE: ReadonlySet<LessonLine> = new Set();

export class LineList {
  /** Also lines that went since, and lines that only later lists have. */
  readonly every: readonly LessonLine[];
  readonly #end: number;
  readonly #gone: ReadonlySet<LessonLine>;

  /** @param every is the list's own from now on. */
  constructor(every: readonly LessonLine[] = [], end = every.length, gone = NONE) {
    this.every = every;
    this.#end = end;
    this.#gone = gone;
  }

  get length(): number {
    return this.#end - this.#gone.size;
  }

  get first(): LessonLine | undefined {
    return this.#gone.size === 0 ? this.every[0] : this.lines[0];
  }

  get lines(): readonly LessonLine[] {
    const lines = this.every.slice(0, this.#end);
    return this.#gone.size === 0 ? lines : lines.filter((line) => !this.#gone.has(line));
  }

  /** Whether the line at a place of `every` is in this list. */
  holds(place: number): boolean {
    return place < this.#end && !this.#gone.has(this.every[place] as LessonLine);
  }

  with(line: LessonLine): LineList {
    // Another list may have gone on from here already.
    if (this.every.length > this.#end || this.#gone.has(line))
      return new LineList([...this.lines, line]);
    (this.every as LessonLine[]).push(line);
    return new LineList(this.every, this.#end + 1, this.#gone);
  }

  without(line: LessonLine): LineList {
    const gone = new Set(this.#gone).add(line);
    const list = new LineList(this.every, this.#end, gone);
    return gone.size * 2 > this.#end ? new LineList(list.lines) : list;
  }
}
