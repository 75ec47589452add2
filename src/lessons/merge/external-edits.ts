/** Lines that vanished with nothing in their place, by hand or in another program's save: kept until the next write tells an edit from a removal. */
import { groupBy } from "../../ground/core/group-by.ts";
import type { VersionLine } from "../format/file-lines.ts";
import type { Snapshot } from "./fold.ts";
import { isLessonLine } from "./versions.ts";

export class ExternalEdits {
  readonly #byId: ReadonlyMap<string, readonly VersionLine[]>;

  private constructor(lines: readonly VersionLine[]) {
    this.#byId = groupBy(lines, ({ version }) => version.id);
  }

  static readonly NONE = new ExternalEdits([]);

  /** These and what is missing from a later reading, without what that reading accounts for. */
  after(before: Snapshot, now: Snapshot): ExternalEdits {
    if (this.#byId.size === 0 && before.lines().length === 0) return this;
    const raws = new Set(now.lines().map(({ raw }) => raw));
    const missing = before.lines().filter(({ raw }) => !raws.has(raw));
    if (this.#byId.size === 0 && missing.length === 0) return this;
    const all = [...[...this.#byId.values()].flat(), ...missing];
    return new ExternalEdits(all.filter((line) => isRemoved(line, now) || isEdited(line, now)));
  }

  /** Those of an id. */
  versions(id: string): readonly VersionLine[] {
    return this.#byId.get(id) ?? [];
  }

  groups(): IterableIterator<[string, readonly VersionLine[]]> {
    return this.#byId.entries();
  }

  /** Those of which not even the id is left. */
  removed(now: Snapshot): VersionLine[] {
    return [...this.#byId.values()].flat().filter((line) => isRemoved(line, now));
  }
}

function isRemoved(line: VersionLine, now: Snapshot): boolean {
  return isLessonLine(line) && now.versions(line.version.id).length === 0 && !now.covered(line);
}

/** Whether another line stands in its place under its own revision. */
function isEdited(line: VersionLine, now: Snapshot): boolean {
  const versions = now.versions(line.version.id);
  return versions.every(({ raw }) => raw !== line.raw) && versions.some(({ instant }) => instant === line.instant);
}
