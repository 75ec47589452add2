/**
 * What a write may drop: only what the remaining lines still account for.
 */
import type { VersionLine } from "./journal.ts";
import { toLine } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { isTombstone, type Version } from "./record.ts";
import { instantOf, nextRevision } from "./revision.ts";
import { sameButForSources, sourcesOf, winnersOf } from "./versions.ts";

/** A version that a write takes out of the file, why, and the id of the record that now stands for it. */
export interface Dropped {
  readonly line: VersionLine;
  readonly because: "updated" | "compacted" | "forgotten";
  readonly by: string;
}

type Sources = Map<string, string>;

/**
 * Leaves the least set of lines that knows the same: superseded and covered versions go, and their `sources` go on to the
 * line that now stands for them. A lesson that meets another text under its own revision (someone edited the file by hand)
 * gets a revision of its own, so that no other copy of the file can hide the edit.
 *
 * @param now in ms since 1970.
 * @param seen the ledger of an earlier reading, which knows what an edited line said before.
 */
export function settle(ledger: Ledger, now: number, seen?: Ledger): { ledger: Ledger; dropped: readonly Dropped[] } {
  const kept = survivors(ledger);
  const coverers = ledger.coverers();
  const inherited = bequeath(ledger, kept, coverers);
  const versions = [...kept].map((line) => {
    const edited = !ledger.covered(line) && editedInPlace(line, kept, seen ? [ledger, seen] : [ledger]);
    const version = withSources(edited ? restamped(line.version, ledger, now) : line.version, inherited.get(line));
    return version === line.version ? line : toLine(version);
  });
  return {
    ledger: Ledger.from({ versions, foreign: ledger.foreign, mends: NOTHING_TO_MEND }),
    dropped: droppedFrom(ledger, kept, coverers),
  };
}

const NOTHING_TO_MEND = {
  byteOrderMarks: 0,
  carriageReturns: 0,
  blankLines: 0,
  conflictMarkers: 0,
  repeatedLines: 0,
  missingLastNewline: 0,
} as const;

function survivors(ledger: Ledger): Set<VersionLine> {
  const kept = new Set<VersionLine>();
  for (const [, versions] of ledger.groups()) {
    for (const winner of winnersOf(versions)) if (!ledger.covered(winner)) kept.add(winner);
  }
  return kept;
}

/** Decides who inherits the sources of lines that go. A line without an heir is kept: only a hand-made file has one. */
function bequeath(
  ledger: Ledger,
  kept: Set<VersionLine>,
  coverers: ReadonlyMap<string, readonly VersionLine[]>,
): Map<VersionLine, Sources> {
  const inherited = new Map<VersionLine, Sources>();
  for (const line of ledger.lines()) {
    if (kept.has(line) || sourcesOf(line.version).length === 0) continue;
    const heir = heirOf(line, ledger, kept, coverers);
    if (heir) inherited.set(heir, joined(inherited.get(heir), line.version, heir.version.id));
    else kept.add(line);
  }
  return inherited;
}

/** Who stands for a line that goes: the winner of its own id, else whoever covers that one, and so on upwards. */
function heirOf(
  line: VersionLine,
  ledger: Ledger,
  kept: ReadonlySet<VersionLine>,
  coverers: ReadonlyMap<string, readonly VersionLine[]>,
): VersionLine | undefined {
  const passed = new Set<string>();
  const mayInherit = (candidate: VersionLine) => kept.has(candidate) && !standsFor(line, candidate);
  const upwards = (id: string): VersionLine | undefined => {
    if (passed.has(id)) return undefined;
    passed.add(id);
    const winner = winnersOf(ledger.versions(id)).find(mayInherit);
    if (winner) return winner;
    for (const coverer of coverers.get(id) ?? []) {
      const heir = mayInherit(coverer) ? coverer : upwards(coverer.version.id);
      if (heir) return heir;
    }
    return undefined;
  };
  return upwards(line.version.id);
}

/** Whether a line covers another: what it says of that one's id would be lost there, where an own id does not count. */
function standsFor(line: VersionLine, other: VersionLine): boolean {
  return sourcesOf(line.version).some(([id, cover]) => id === other.version.id && instantOf(cover) >= other.instant);
}

function droppedFrom(
  ledger: Ledger,
  kept: ReadonlySet<VersionLine>,
  coverers: ReadonlyMap<string, readonly VersionLine[]>,
): Dropped[] {
  const dropped: Dropped[] = [];
  for (const line of ledger.lines()) {
    if (kept.has(line)) continue;
    const { id } = line.version;
    const heir = heirOf(line, ledger, kept, coverers);
    const by = heir?.version.id ?? id;
    if (by !== id) dropped.push({ line, because: "compacted", by });
    else dropped.push({ line, because: heir && isTombstone(heir.version) ? "forgotten" : "updated", by });
  }
  return dropped;
}

function withSources(version: Version, inherited: Sources | undefined): Version {
  if (!inherited) return version;
  const sources = joined(inherited, version, version.id);
  const own = version.meta.sources ?? {};
  const nothingNew = sources.size === Object.keys(own).length && [...sources].every(([id, at]) => own[id] === at);
  if (nothingNew) return version;
  return {
    ...version,
    meta: {
      ...version.meta,
      ...(version.type === "principle" && { source_count: sources.size }),
      sources: Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function joined(sources: Sources | undefined, version: Version, owner: string): Sources {
  const all = new Map(sources);
  for (const [id, revision] of sourcesOf(version)) {
    const known = all.get(id);
    if (id !== owner && (known === undefined || instantOf(revision) > instantOf(known))) all.set(id, revision);
  }
  return all;
}

/** Whether the line says something else than another version of its record did under the same revision. */
function editedInPlace(line: VersionLine, kept: ReadonlySet<VersionLine>, ledgers: readonly Ledger[]): boolean {
  if (isTombstone(line.version)) return false;
  const { id } = line.version;
  const standing = ledgers[0]?.versions(id).filter((other) => kept.has(other)) ?? [];
  return ledgers
    .flatMap((ledger) => ledger.versions(id))
    .some((other) => {
      // Where different texts share an id, each that stands is a record of its own.
      if (other.instant !== line.instant || standing.some(({ raw }) => raw === other.raw)) return false;
      return !sameButForSources(other.version, line.version);
    });
}

function restamped(version: Version, ledger: Ledger, now: number): Version {
  return { ...version, meta: { ...version.meta, updated: nextRevision(now, ledger.instants(version.id)) } };
}
