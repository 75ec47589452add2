/** References. `a1b2c3d4` is a lesson, and `a1b2c3d4@9f2e` one version of it. The second part is from its line's digest, so any change makes it stale. */

import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine } from "../../ground/core/text.ts";
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { lineDigest } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import type { LessonLine } from "../merge/versions.ts";

const ID_DIGITS = 8;
const DIGEST_DIGITS = 4;
/** Used if two lessons share an id, so that only their lines differ. */
const LONG_DIGEST_DIGITS = 16;
/** Of one version among all that were ever written. */
const VERSION_DIGITS = 8;
/** Fewer characters of an id name nothing. */
const LEAST_PREFIX = 6;

const REFERENCE = /^([A-Za-z0-9][\w.:-]*)@([0-9a-f]{4,64})$/i;

/** Makes the references of one state of the memory. */
export class References {
  readonly #snapshot: Snapshot;
  /** The ids that show, by their first digits. */
  readonly #ids: ReadonlyMap<string, readonly string[]>;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#ids = groupBy(idsOf(snapshot), startOf);
  }

  /** The id, as short as it can be and still be the only one. */
  short(line: LessonLine): string {
    const { id } = line.version;
    return new Set(this.#ids.get(startOf(id))).size === 1 ? startOf(id) : id;
  }

  /** The id together with the digest of its line. */
  full(line: LessonLine): string {
    const alone = this.#snapshot.shown(line.version.id).length === 1;
    return `${this.short(line)}@${lineDigest(line.raw).slice(0, alone ? DIGEST_DIGITS : LONG_DIGEST_DIGITS)}`;
  }
}

const startOf = (id: string): string => id.slice(0, ID_DIGITS);

/** The lesson that an earlier reference points at now. */
export type Resolved =
  | { readonly found: LessonLine }
  | { readonly missing: "changed"; readonly now: LessonLine }
  | { readonly missing: "unknown" | "retired" | "ambiguous" };

/** The lesson that a full reference was printed for. @throws SentinelError `bad_reference`, with the current reference if there is one. */
export function resolve(snapshot: Snapshot, reference: string): Resolved {
  const parts = partsOf(reference);
  if (!parts) throw notAReference(snapshot, reference);
  const { prefix, digest } = parts;

  const begins = (id: string) => id.toLowerCase().startsWith(prefix);
  const candidates = snapshot.lessons().filter(({ version }) => begins(version.id));
  const exact = candidates.filter((line) => lineDigest(line.raw).startsWith(digest));
  if (exact.length === 1) return { found: exact[0] as LessonLine };
  if (exact.length > 1 || candidates.length > 1) return { missing: "ambiguous" };
  if (candidates[0]) return { missing: "changed", now: candidates[0] };
  return { missing: [...snapshot.groups().keys()].some(begins) ? "retired" : "unknown" };
}

/** The parts of a full reference, in small letters. Undefined for another text. */
function partsOf(
  reference: string,
): { readonly prefix: string; readonly digest: string } | undefined {
  const [, prefix, digest] = REFERENCE.exec(reference.trim()) ?? [];
  return prefix && digest
    ? { prefix: prefix.toLowerCase(), digest: digest.toLowerCase() }
    : undefined;
}

/** Why a name does not name one lesson. */
export type NoneBecause = "ambiguous" | "unknown" | "too short" | "no reference" | "changed";

/** The id that a name of 6 or more characters begins. Other names with an `@` than full references name none. */
export function findId(
  ids: Iterable<string>,
  name: string,
): { readonly id: string } | { readonly none: NoneBecause } {
  if (name.includes("@") && !partsOf(name)) return { none: "no reference" };
  const given = name.trim().split("@")[0] ?? "";
  const prefix = given.toLowerCase();
  const known = [...new Set(ids)];
  // As it was given first: an id made by hand may have capitals.
  const exact = known.includes(given) ? given : known.find((id) => id.toLowerCase() === prefix);
  if (exact !== undefined) return { id: exact };
  if (prefix.length < LEAST_PREFIX) return { none: "too short" };
  const [id, ...others] = known.filter((candidate) => candidate.toLowerCase().startsWith(prefix));
  if (id === undefined) return { none: "unknown" };
  return others.length > 0 ? { none: "ambiguous" } : { id };
}

/** Whether a name may mean one of these lines of a lesson: it is a plain id, or its digest is that of one. */
export function mayMean(name: string, lines: readonly Pick<LessonLine, "raw">[]): boolean {
  const parts = partsOf(name);
  return !parts || lines.some(({ raw }) => lineDigest(raw).startsWith(parts.digest));
}

/** The lessons that show with the id that a name names: one, as a rule. Of a full reference, however they read now. */
export function findRecords(
  snapshot: Snapshot,
  name: string,
): { readonly lines: readonly LessonLine[] } | { readonly none: NoneBecause } {
  const found = findId(idsOf(snapshot), name);
  return "id" in found ? { lines: snapshot.shown(found.id) } : found;
}

/** The error of a read. */
export function namesNothing(name: string, none: NoneBecause): SentinelError {
  return new SentinelError(
    none === "no reference" ? "bad_reference" : "not_found",
    `"${oneLine(name).slice(0, 40)}": ${WHY_NONE[none]}.`,
    /^(?:evt|acb)_/.test(name)
      ? "That is an id of the session log: `sessions show` and `sessions purge` take it."
      : "Give 6 digits or more of an id that search shows.",
  );
}

/** The error of a change. */
export function notFound(name: string, none: NoneBecause): SentinelError {
  const { code, message, fix } = namesNothing(name, none);
  return new SentinelError(code, `${message} Nothing was changed.`, fix);
}

/** Why a name means no lesson, as a clause. */
export const WHY_NONE: Readonly<Record<NoneBecause, string>> = {
  ambiguous: "several lessons begin like this",
  unknown: "no lesson has this id",
  "too short": "too few digits to name a lesson",
  "no reference": "not a reference as it is printed, like a1b2c3d4@9f2e",
  changed: "no text of this lesson has this reference",
};

/** Names one of several versions. @param all the versions that it must be told from. */
export function versionReference(version: Lesson, all: readonly Lesson[]): string {
  const start = startOf(version.id);
  const isAlone = all.every(({ id }) => id === version.id || startOf(id) !== start);
  return `${isAlone ? start : version.id}@${digestOf(version).slice(0, VERSION_DIGITS)}`;
}

/** The version that a reference was printed for. */
export function versionNamed(reference: string, versions: readonly Lesson[]): Lesson | undefined {
  const parts = partsOf(reference);
  if (!parts) return undefined;
  return versions.find((version) => {
    const isId = version.id.toLowerCase().startsWith(parts.prefix);
    return isId && digestOf(version).startsWith(parts.digest);
  });
}

const digestOf = (version: Lesson): string => lineDigest(toLine(version).raw);

const idsOf = (snapshot: Snapshot): string[] => snapshot.lessons().map(({ version }) => version.id);

function notAReference(snapshot: Snapshot, text: string): SentinelError {
  const found = findRecords(snapshot, text.split("@")[0] ?? "");
  const references = new References(snapshot);
  const now =
    "lines" in found ? found.lines.map((line) => references.full(line)).join(", ") : undefined;
  return new SentinelError(
    "bad_reference",
    `"${text.slice(0, 40)}" is not a reference as compact_memory prints it (like a1b2c3d4@9f2e).`,
    now
      ? `If you have read that lesson, use its current reference: ${now}.`
      : "Call compact_memory and copy the references it prints.",
  );
}
