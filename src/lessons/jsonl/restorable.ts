/** What of the trash can be brought back: for each record at most one version. Pure. */

import { textOf } from "../format/record.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { LessonLine } from "../merge/versions.ts";
import { findId } from "../queries/references.ts";
import type { Removed } from "./trash.ts";

export interface Restorable {
  /** Records that are not in the memory, each as it was last; latest first. */
  readonly gone: readonly Removed[];
  /** Earlier texts of records that are in the memory; latest first. */
  readonly earlier: readonly Removed[];
}

/** Sorts the trash by what a restore would do; versions that say what the memory says already are left out. */
export function findRestorable(removed: readonly Removed[], snapshot: Snapshot): Restorable {
  const offers = new Set(
    [...new Set(removed.map(({ lesson }) => lesson.id))].flatMap(
      (id) =>
        offered(
          removed.filter(({ lesson }) => lesson.id === id),
          snapshot.shown(id),
        ) ?? [],
    ),
  );
  const inOrder = removed.filter((entry) => offers.has(entry));
  const isGone = ({ lesson }: Removed) => snapshot.shown(lesson.id).length === 0;
  return { gone: inOrder.filter(isGone), earlier: inOrder.filter((entry) => !isGone(entry)) };
}

/**
 * Chooses what a name brings back: the record itself, else what the one record of that name was made from or put in place of.
 *
 * @param name an id, or its first 6 or more digits.
 */
export function chooseRestorable({ gone, earlier }: Restorable, name: string): readonly Removed[] {
  const offers = [...gone, ...earlier];
  const own = findId(
    offers.map(({ lesson }) => lesson.id),
    name,
  );
  if ("id" in own) return offers.filter(({ lesson }) => lesson.id === own.id);
  if (own.none === "ambiguous") return [];
  const compacted = offers.filter(({ because }) => because === "compacted" || because === "replaced");
  const principle = findId(
    compacted.map(({ by }) => by),
    name,
  );
  return "id" in principle ? compacted.filter(({ by }) => by === principle.id) : [];
}

/** The latest version that was taken out, or the latest earlier text; undefined when that is what the memory says. */
function offered(versions: readonly Removed[], shown: readonly LessonLine[]): Removed | undefined {
  const present = new Set(shown.map(({ version }) => textOf(version)));
  const candidate = versions.find(({ because, lesson }) => because !== "updated" || !present.has(textOf(lesson)));
  return candidate && !present.has(textOf(candidate.lesson)) ? candidate : undefined;
}
