/** How much of what answers a question a search finds. */
import { type Row, round } from "./table.ts";

export interface Question {
  readonly text: string;
  /** Ids of what answers it. */
  readonly evidence: ReadonlySet<string>;
}

/** Ids of what is found, best first. */
export type Search = (query: string) => readonly string[];

/** Sums over questions; one with several pieces of evidence counts by the share of them that is found. */
export class Quality {
  readonly #sums = new Map<string, number>();
  #asked = 0;

  /** @param costs tokens of everything that can be found, by id. */
  add(questions: readonly Question[], search: Search, costs: ReadonlyMap<string, number>): void {
    for (const { text, evidence } of questions) {
      const found = search(text);
      const share = (part: readonly string[]) =>
        part.filter((id) => evidence.has(id)).length / evidence.size;
      for (const count of [5, 10, 20]) {
        this.#sum(`R@${count}`, share(found.slice(0, count)));
      }
      for (const budget of [2000, 8000]) {
        this.#sum(`in ${budget.toLocaleString("en")} tokens`, share(fitting(found, budget, costs)));
      }
      const first = found.findIndex((id) => evidence.has(id));
      this.#sum("MRR", first === -1 ? 0 : 1 / (first + 1));
      this.#asked += 1;
    }
  }

  /** Means in %; MRR from 0 to 1. */
  means(): Row {
    const means = [...this.#sums].map(([measure, sum]) => {
      const mean = sum / this.#asked;
      return [measure, measure === "MRR" ? round(mean, 3) : round(100 * mean, 1)];
    });
    return { questions: this.#asked, ...Object.fromEntries(means) };
  }

  #sum(measure: string, value: number): void {
    this.#sums.set(measure, (this.#sums.get(measure) ?? 0) + value);
  }
}

/** The first of these, as many as cost at most `budget` tokens. */
function fitting(
  ids: readonly string[],
  budget: number,
  costs: ReadonlyMap<string, number>,
): readonly string[] {
  let left = budget;
  const end = ids.findIndex((id) => {
    left -= costs.get(id) ?? 0;
    return left < 0;
  });
  return end === -1 ? ids : ids.slice(0, end);
}
