/**
 * The fold: what a set of lines knows, whoever wrote them and in whatever order they were merged.
 *
 * Two rules decide what shows. Per record the highest revision wins. A record is covered, and so hidden, when some
 * principle or tombstone names it in `sources` with a revision that is not below its own. Both rules look only at the set
 * of lines, so uniting two files (a git merge) gives the memory that both sides together know.
 *
 * A snapshot is a working copy: `fork` it, `add` to the fork, prune it (settle.ts), write what is left.
 */
import {
  byIdThenBytes,
  type ParsedFile,
  type Repairs,
  toLine,
  type UnrecognisedLine,
  type VersionLine,
} from "../format/file-lines.ts";
import type { Version } from "../format/record.ts";
import { instantOf, OLDEST } from "../format/revision.ts";
import { isLessonLine, type LessonLine, latestFirst, sourcesOf, winnersOf } from "./versions.ts";

interface State {
  /** Every version, in the order of the file. */
  readonly lines: VersionLine[];
  /** Every version, by id; those of one id in the order of the file. */
  readonly versions: Map<string, readonly VersionLine[]>;
  /** The highest revision up to which an id is covered. */
  readonly covers: Map<string, string>;
  /** What shows, by id: one line, or several where different texts share an id. */
  readonly shown: Map<string, readonly LessonLine[]>;
}

export class Snapshot {
  readonly unrecognised: readonly UnrecognisedLine[];
  readonly repairs: Readonly<Repairs>;
  /** The ids of which something may be left to prune: what a write has to look at, instead of at everything. */
  readonly #unsettled: Set<string>;
  #state: State;
  /** Whether a fork looks at the same state, so that the first of the two that changes it has to copy it. */
  #shared = false;
  /** Whether some cover comes from a line that has gone. What stands for that line covers the same, itself excepted. */
  #coversOutlive = false;
  #count = 0;
  /** Lines of the earlier reading that this one has no more. */
  #gone: readonly VersionLine[] = [];
  /** All that shows, made when first asked for. */
  #lessons: readonly LessonLine[] | undefined;

  private constructor(
    { unrecognised, repairs }: Omit<ParsedFile, "versions">,
    state: State,
    unsettled: Iterable<string>,
  ) {
    this.unrecognised = unrecognised;
    this.repairs = repairs;
    this.#state = state;
    this.#unsettled = new Set(unsettled);
  }

  /** @param previous an earlier reading of the same file; what was pruned there and has not changed is pruned here. */
  static from(parsed: ParsedFile, previous?: Snapshot): Snapshot {
    const { gone, come } = differences(previous?.lines() ?? [], parsed.versions);
    const few = gone.length + come.length < parsed.versions.length;
    if (few && previous?.coversExactly(gone)) return previous.#after(parsed, gone, come);
    const lines = parsed.versions.slice();
    const snapshot = new Snapshot(parsed, { lines, versions: new Map(), covers: new Map(), shown: new Map() }, []);
    for (const line of lines) snapshot.#enter(line);
    for (const id of snapshot.#state.versions.keys()) snapshot.#show(id);
    for (const line of [...gone, ...come]) snapshot.#unsettle(line);
    for (const id of previous?.unsettled() ?? []) snapshot.#unsettled.add(id);
    snapshot.#gone = gone;
    return snapshot;
  }

  /** A copy to change; the original stays as it is. */
  fork(repairs = this.repairs, unrecognised = this.unrecognised): Snapshot {
    const fork = new Snapshot({ unrecognised, repairs }, this.#state, this.#unsettled);
    fork.#shared = true;
    fork.#coversOutlive = this.#coversOutlive;
    fork.#count = this.#count;
    fork.#lessons = this.#lessons;
    this.#shared = true;
    return fork;
  }

  /** The lines that the reading before had and this one has not. */
  gone(): readonly VersionLine[] {
    return this.#gone;
  }

  /** How many lessons show. */
  get count(): number {
    return this.#count;
  }

  /** The lessons that show, in no particular order. */
  lessons(): readonly LessonLine[] {
    this.#lessons ??= [...this.#state.shown.values()].flat();
    return this.#lessons;
  }

  /** What shows under an id: nothing, one lesson, or several whose different texts hash to the same id. */
  shown(id: string): readonly LessonLine[] {
    return this.#state.shown.get(id) ?? [];
  }

  /** The lessons that show under the ids that begin like this. */
  beginningWith(prefix: string): readonly LessonLine[] {
    const { lines } = this.#state;
    const found: LessonLine[] = [];
    for (let place = this.#firstPlace((line) => line.version.id >= prefix); place < lines.length; place++) {
      const line = lines[place] as VersionLine;
      if (!line.version.id.startsWith(prefix)) break;
      if (isLessonLine(line) && this.shown(line.version.id).includes(line)) found.push(line);
    }
    return found;
  }

  /** Every version of an id that the file holds, shown or not. */
  versions(id: string): readonly VersionLine[] {
    return this.#state.versions.get(id) ?? [];
  }

  /** Every version of every id, grouped by id. */
  groups(): MapIterator<[string, readonly VersionLine[]]> {
    return this.#state.versions.entries();
  }

  /** Every version, in the order of the file: by id, then byte-wise. */
  lines(): readonly VersionLine[] {
    return this.#state.lines;
  }

  /** The ids of which something may be left to prune. */
  unsettled(): ReadonlySet<string> {
    return this.#unsettled;
  }

  /** Says that what could be pruned is; where more than one uncovered line stands, a later look may find more to do. */
  markSettled(): void {
    for (const id of this.#unsettled) {
      const [line, another] = this.versions(id);
      if (!another && !(line && this.covered(line))) this.#unsettled.delete(id);
    }
  }

  /** Whether what is covered follows from the lines alone, and still would without some of them. */
  coversExactly(without: readonly VersionLine[]): boolean {
    return !this.#coversOutlive && without.every(({ version }) => sourcesOf(version).length === 0);
  }

  /** Whether some other record stands for this version. */
  covered(line: VersionLine): boolean {
    const cover = this.#state.covers.get(line.version.id);
    return cover !== undefined && line.instant <= instantOf(cover);
  }

  /** The principle or tombstone that stands for a record which does not show any more. */
  holder(id: string): VersionLine | undefined {
    if (this.shown(id).length > 0) return undefined;
    const tombstone = winnersOf(this.versions(id)).find((line) => !this.covered(line));
    if (tombstone || !this.#state.covers.has(id)) return tombstone;
    return this.coverers().get(id)?.[0];
  }

  /** For every covered id, the lines that cover it furthest, latest first. */
  coverers(): Map<string, VersionLine[]> {
    const coverers = new Map<string, VersionLine[]>();
    for (const line of this.#state.lines) {
      for (const [id, revision] of sourcesOf(line.version)) {
        if (instantOf(revision) < this.#coverOf(id)) continue;
        coverers.set(id, [...(coverers.get(id) ?? []), line].sort(latestFirst));
      }
    }
    return coverers;
  }

  /** The instants, in ms, that a new version of an id has to be later than. */
  instants(id: string): number[] {
    return [...this.versions(id).map((line) => line.instant), this.#coverOf(id)];
  }

  /** Adds a version; it replaces what shows when its revision is the highest. */
  add(version: Version): VersionLine {
    const line = toLine(version);
    this.#addLine(line);
    return line;
  }

  /**
   * Puts another line in the place of one, or none: what remains must still account for what goes (settle.ts), because all
   * that was covered stays covered.
   */
  replace(line: VersionLine, by?: VersionLine): void {
    this.#makeOwn();
    const { lines, versions } = this.#state;
    const { id } = line.version;
    const others = this.versions(id).filter((other) => other !== line);
    if (sourcesOf(line.version).length > 0) this.#coversOutlive = true;
    const place = lines.indexOf(line);
    if (place >= 0) lines.splice(place, 1);
    if (others.length > 0 || by) versions.set(id, others);
    else versions.delete(id);
    if (by) {
      this.#insert(by);
      this.#enter(by);
    }
    this.#show(id);
  }

  /** This reading, brought up to a later one. */
  #after({ unrecognised, repairs }: ParsedFile, gone: readonly VersionLine[], come: readonly VersionLine[]): Snapshot {
    const snapshot = this.fork(repairs, unrecognised);
    for (const line of gone) {
      snapshot.replace(line);
      snapshot.#unsettle(line);
    }
    for (const line of come) snapshot.#addLine(line);
    snapshot.#gone = gone;
    return snapshot;
  }

  #addLine(line: VersionLine): void {
    this.#makeOwn();
    this.#insert(line);
    this.#enter(line);
    this.#unsettle(line);
    this.#show(line.version.id);
    for (const [id] of sourcesOf(line.version)) this.#show(id);
  }

  #makeOwn(): void {
    if (!this.#shared) return;
    const { lines, versions, covers, shown } = this.#state;
    this.#state = { lines: lines.slice(), versions: new Map(versions), covers: new Map(covers), shown: new Map(shown) };
    this.#shared = false;
  }

  #insert(line: VersionLine): void {
    const place = this.#firstPlace((other) => byIdThenBytes(other, line) >= 0);
    this.#state.lines.splice(place, 0, line);
  }

  /** The first place, in the order of the file, from which on something holds. */
  #firstPlace(holds: (line: VersionLine) => boolean): number {
    const { lines } = this.#state;
    let [from, to] = [0, lines.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (holds(lines[middle] as VersionLine)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #enter(line: VersionLine): void {
    const { versions, covers } = this.#state;
    const { id } = line.version;
    const others = versions.get(id);
    versions.set(id, others ? [...others, line].sort(byIdThenBytes) : [line]);
    for (const [source, revision] of sourcesOf(line.version)) {
      const cover = covers.get(source);
      if (cover === undefined || instantOf(revision) > instantOf(cover)) covers.set(source, revision);
    }
  }

  #unsettle({ version }: VersionLine): void {
    this.#unsettled.add(version.id);
    for (const [id] of sourcesOf(version)) this.#unsettled.add(id);
  }

  #show(id: string): void {
    const { shown } = this.#state;
    const winners = winnersOf(this.versions(id)).filter((line) => !this.covered(line));
    const lessons = winners.filter(isLessonLine);
    this.#count += lessons.length - this.shown(id).length;
    this.#lessons = undefined;
    if (lessons.length > 0) shown.set(id, lessons);
    else shown.delete(id);
  }

  #coverOf(id: string): number {
    const cover = this.#state.covers.get(id);
    return cover === undefined ? OLDEST : instantOf(cover);
  }
}

/** Which lines an earlier list has that a later one has not, and the other way round; both in the order of the file. */
function differences(before: readonly VersionLine[], after: readonly VersionLine[]) {
  const gone: VersionLine[] = [];
  const come: VersionLine[] = [];
  for (let [b, a] = [0, 0]; b < before.length || a < after.length; ) {
    const [old, now] = [before[b], after[a]];
    const order = !old ? 1 : !now ? -1 : old === now ? 0 : byIdThenBytes(old, now);
    if (old && order <= 0) b++;
    if (now && order >= 0) a++;
    if (old && order < 0) gone.push(old);
    if (now && order > 0) come.push(now);
  }
  return { gone, come };
}
