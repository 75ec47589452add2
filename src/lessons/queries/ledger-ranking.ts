/** The ranking of one memory, followed from reading to reading. */

import { type Ranked, Ranking } from "../../search/ranking.ts";
import type { Lesson } from "../format/record.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";

/** A lesson's line in its place in the order. */
export interface RankedLine extends Omit<Ranked, "lesson"> {
  readonly line: LessonLine;
}

export class LessonRanking {
  readonly #ranking = new Ranking();
  #snapshot: Snapshot | undefined;
  #lines: ReadonlyMap<Lesson, LessonLine> = new Map();

  /** All lessons of a snapshot: those that match best first, then the others newest first. */
  rank(snapshot: Snapshot, query: string): RankedLine[] {
    if (snapshot !== this.#snapshot) {
      this.#lines = new Map(snapshot.lessons().map((line) => [line.version, line]));
      this.#ranking.update([...this.#lines.keys()]);
      this.#snapshot = snapshot;
    }
    return this.#ranking.rank(query).map(({ lesson, ...place }) => {
      return { line: this.#lines.get(lesson) as LessonLine, ...place };
    });
  }
}
