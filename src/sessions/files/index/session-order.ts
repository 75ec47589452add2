/** The order of the chunks of a session that stands in several segments, each of which has its own part of it in order. */
import { firstWhere, lastAtMost } from "./numbers.ts";

/** Numbers that follow each other, in the view and in the session. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export class SessionOrder {
  /** In order of the session. */
  readonly #stretches: readonly Stretch[];
  /** Sorted by their numbers, with the place of each in the order. */
  readonly #byNumber: readonly (Stretch & { readonly place: number })[];

  /**
   * @param parts of the session, each in order.
   * @param compare two chunks by their place in the session.
   * @param isHidden chunks that do not count.
   */
  constructor(
    parts: readonly Stretch[],
    compare: (a: number, b: number) => number,
    isHidden: (chunk: number) => boolean,
  ) {
    this.#stretches = mergeParts(parts, compare).flatMap((stretch) => shown(stretch, isHidden));
    this.#byNumber = this.#stretches.map((stretch, place) => ({ ...stretch, place })).sort((a, b) => a.start - b.start);
  }

  before(chunk: number): number | undefined {
    const { start, place } = this.#stretchOf(chunk);
    const previous = this.#stretches[place - 1];
    return chunk > start ? chunk - 1 : previous && previous.end - 1;
  }

  after(chunk: number): number | undefined {
    const { end, place } = this.#stretchOf(chunk);
    return chunk + 1 < end ? chunk + 1 : this.#stretches[place + 1]?.start;
  }

  #stretchOf(chunk: number) {
    return this.#byNumber[lastAtMost(this.#byNumber, chunk, ({ start }) => start)] as Stretch & { place: number };
  }
}

/** Takes from the part that comes first as much as comes before all others. */
function mergeParts(parts: readonly Stretch[], compare: (a: number, b: number) => number): Stretch[] {
  const order: Stretch[] = [];
  let rest = [...parts];
  while (rest.length > 0) {
    rest.sort((a, b) => compare(a.start, b.start));
    const [first, second, ...others] = rest as [Stretch, ...Stretch[]];
    if (second === undefined) {
      order.push(first);
      break;
    }
    const end = firstWhere(first.start + 1, first.end, (chunk) => compare(chunk, second.start) > 0);
    order.push({ start: first.start, end });
    rest = [...(end < first.end ? [{ start: end, end: first.end }] : []), second, ...others];
  }
  return order;
}

function shown({ start, end }: Stretch, isHidden: (chunk: number) => boolean): Stretch[] {
  const stretches: Stretch[] = [];
  let from = start;
  for (let chunk = start; chunk <= end; chunk++) {
    if (chunk < end && !isHidden(chunk)) continue;
    if (from < chunk) stretches.push({ start: from, end: chunk });
    from = chunk + 1;
  }
  return stretches;
}
