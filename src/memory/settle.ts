/**
 * What a write may drop: only what the remaining lines still account for.
 */
import type { VersionLine } from "./journal.ts";
import { toLine } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { isTombstone, type Version } from "./record.ts";
import { instantOf, nextRevision } from "./revision.ts";
import { sameButForSources, winnersOf } from "./versions.ts";

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
    const version = restamped(withSources(line.version, inherited.get(line)), line, ledger, now, seen);
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
    if (kept.has(line) || !line.version.meta.sources) continue;
    const heir = heirOf(line, ledger, kept, coverers, new Set());
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
  passed: Set<string>,
): VersionLine | undefined {
  const { id } = line.version;
  if (passed.has(id)) return undefined;
  passed.add(id);
  const winner = winnersOf(ledger.versions(id)).find((candidate) => kept.has(candidate));
  if (winner) return winner;
  for (const coverer of coverers.get(id) ?? []) {
    const heir = kept.has(coverer) ? coverer : heirOf(coverer, ledger, kept, coverers, passed);
    if (heir) return heir;
  }
  return undefined;
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
    const winner = winnersOf(ledger.versions(id)).find((candidate) => kept.has(candidate));
    if (!winner) dropped.push({ line, because: "compacted", by: coverers.get(id)?.[0]?.version.id ?? id });
    else dropped.push({ line, because: isTombstone(winner.version) ? "forgotten" : "updated", by: id });
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
  for (const [id, revision] of Object.entries(version.meta.sources ?? {})) {
    const known = all.get(id);
    if (id !== owner && (known === undefined || instantOf(revision) > instantOf(known))) all.set(id, revision);
  }
  return all;
}

function restamped(version: Version, line: VersionLine, ledger: Ledger, now: number, seen?: Ledger): Version {
  if (isTombstone(version)) return version;
  const others = [...ledger.versions(version.id), ...(seen?.versions(version.id) ?? [])];
  const contested = others.some((other) => {
    return other.raw !== line.raw && other.instant === line.instant && !sameButForSources(other.version, line.version);
  });
  if (!contested) return version;
  return { ...version, meta: { ...version.meta, updated: nextRevision(now, ledger.instants(version.id)) } };
}
