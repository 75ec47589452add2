/**
 * What follows from one state of the memory and every answer needs: made once for each reading, when first asked for.
 */
import type { Ledger } from "./ledger.ts";
import { References } from "./reference.ts";
import { countTopics, type TopicCount } from "./topics.ts";

export class Overview {
  readonly #ledger: Ledger;
  #references: References | undefined;
  #topics: readonly TopicCount[] | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get references(): References {
    this.#references ??= new References(this.#ledger);
    return this.#references;
  }

  /** The topics in use, most used first. */
  get topics(): readonly TopicCount[] {
    this.#topics ??= countTopics(this.#ledger.lessons().map(({ version }) => version));
    return this.#topics;
  }
}

const overviews = new WeakMap<Ledger, Overview>();

/** The overview of a ledger that is only read from now on. */
export function overviewOf(ledger: Ledger): Overview {
  const known = overviews.get(ledger) ?? new Overview(ledger);
  overviews.set(ledger, known);
  return known;
}
