/** The ranking of one memory, followed from reading to reading. */
import type { Ledger } from "../merge/snapshot.ts";
import { type Ranked, Ranking } from "../../search/ranking.ts";
import type { Lesson } from "../format/record.ts";
import type { LessonLine } from "../merge/versions.ts";

/** A lesson's line in its place in the order. */
export interface RankedLine extends Omit<Ranked, "lesson"> {
  readonly line: LessonLine;
}

export class LedgerRanking {
  readonly #ranking = new Ranking();
  #ledger: Ledger | undefined;
  #lines: ReadonlyMap<Lesson, LessonLine> = new Map();

  /** All lessons of a ledger: those that match best first, then the others newest first. */
  rank(ledger: Ledger, query: string): RankedLine[] {
    if (ledger !== this.#ledger) {
      this.#lines = new Map(ledger.lessons().map((line) => [line.version, line]));
      this.#ranking.update([...this.#lines.keys()]);
      this.#ledger = ledger;
    }
    return this.#ranking.rank(query).map(({ lesson, ...place }) => {
      return { line: this.#lines.get(lesson) as LessonLine, ...place };
    });
  }
}
