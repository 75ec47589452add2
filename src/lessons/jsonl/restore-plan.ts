/** What a restore brings back, and what goes in the same write. Pure. */
import { correctionsOf } from "../changes/forget.ts";
import type { Lesson } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { type LessonLine, sourcesOf } from "../merge/versions.ts";
import { findRecords } from "../queries/references.ts";
import { chooseRestorable, chooseVersion, findRestorable } from "./restorable.ts";
import { lessonsIn, type Removed } from "./trash.ts";

interface RestorePlan {
  /** Nothing where the name means no version that the memory does not say already. */
  readonly chosen: readonly Lesson[];
  /** Lessons whose place they take: their corrections, and a principle that stood for them. */
  readonly inThePlace: readonly Lesson[];
}

/** @param name an id, its first 6 or more digits, or id@version for one text. */
export function planRestore(name: string, removed: readonly Removed[], snapshot: Snapshot): RestorePlan {
  const ofId = () => lessonsIn(chooseRestorable(findRestorable(removed, snapshot), name));
  const chosen = chooseVersion(removed, snapshot, name) ?? ofId();
  const lines = [...correctionsOf(chosen, snapshot, lessonsIn(removed)), ...principleOf(name, chosen, snapshot)];
  return { chosen, inThePlace: lines.map(({ version }) => version) };
}

/** The principle of a name, where everything that it stands for comes back or is here. */
function principleOf(name: string, chosen: readonly Lesson[], snapshot: Snapshot): readonly LessonLine[] {
  const found = findRecords(snapshot, name);
  const back = new Set(chosen.map(({ id }) => id));
  return ("lines" in found ? found.lines : []).filter((line) => {
    const sources = sourcesOf(line.version).map(([id]) => id);
    const isUndone = line.version.type === "principle" && sources.length > 0 && !back.has(line.version.id);
    return isUndone && sources.every((id) => back.has(id) || snapshot.shown(id).length > 0);
  });
}
