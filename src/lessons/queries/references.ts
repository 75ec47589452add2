/** References. `a1b2c3d4` is a lesson, and `a1b2c3d4@9f2e` one version of it. The second part is from its line's digest, so any change makes it stale. */
import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine } from "../../ground/core/text.ts";
import { toLine } from "../format/file-lines.ts";
import { type Lesson, lineDigest } from "../format/lesson.ts";
import type { LessonLine, Snapshot } from "../merge/versions.ts";

const ID_DIGITS = 8;
const DIGEST_DIGITS = 4;
/** The digits that identify one version among all that were ever written. */
const VERSION_DIGITS = 8;
/** The fewest characters of an id that are accepted as a reference. */
const LEAST_PREFIX = 6;

const REFERENCE = /^([A-Za-z0-9][\w.:-]*)@([0-9a-f]{4,64})$/i;

/** Makes the references of one state of the memory. */
export class References {
  /** The ids that show, by their first digits. */
  readonly #ids: ReadonlyMap<string, readonly string[]>;

  constructor(snapshot: Snapshot) {
    this.#ids = groupBy(idsOf(snapshot), startOf);
  }

  /** Returns the shortest unique beginning of the id. */
  short(line: LessonLine): string {
    const { id } = line.version;
    return this.#ids.get(startOf(id))?.length === 1 ? startOf(id) : id;
  }

  /** Returns the id with the digest of its line. */
  full(line: LessonLine): string {
    return `${this.short(line)}@${lineDigest(line.raw).slice(0, DIGEST_DIGITS)}`;
  }
}

const startOf = (id: string): string => id.slice(0, ID_DIGITS);

/** The current lesson of an earlier reference. */
export type Resolved =
  | { readonly found: LessonLine }
  | { readonly missing: NoneBecause; readonly now?: LessonLine };

/** Returns the lesson that a full reference was printed for. @throws SentinelError `bad_reference`, with the current reference if the lesson still exists. */
export function resolve(snapshot: Snapshot, reference: string): Resolved {
  if (!partsOf(reference)) {
    throw notAReference(snapshot, reference);
  }
  const found = findLesson(snapshot, reference);
  if ("line" in found) {
    const { line } = found;
    return mayMean(reference, [line]) ? { found: line } : { missing: "changed", now: line };
  }
  const isHidden = "id" in findId(snapshot.groups().keys(), reference);
  return { missing: isHidden ? "retired" : found.none };
}

/** Returns the parts of a full reference, in lower case. Undefined for any other text. */
function partsOf(
  reference: string,
): { readonly prefix: string; readonly digest: string } | undefined {
  const [, prefix, digest] = REFERENCE.exec(reference.trim()) ?? [];
  return prefix && digest
    ? { prefix: prefix.toLowerCase(), digest: digest.toLowerCase() }
    : undefined;
}

/** The reason why a name doesn't identify exactly one lesson. */
export type NoneBecause = keyof typeof WHY_NONE;

/** Returns the id that begins with a name of 6 or more characters. A name with an `@` must be a full reference. */
export function findId(
  ids: Iterable<string>,
  name: string,
): { readonly id: string } | { readonly none: NoneBecause } {
  if (name.includes("@") && !partsOf(name)) {
    return { none: "no reference" };
  }
  const given = name.trim().split("@")[0] ?? "";
  const prefix = given.toLowerCase();
  const known = [...new Set(ids)];
  // Tries the original spelling first, because a hand-made id may have capitals.
  const exact = known.includes(given) ? given : known.find((id) => id.toLowerCase() === prefix);
  if (exact !== undefined) {
    return { id: exact };
  }
  if (prefix.length < LEAST_PREFIX) {
    return { none: "too short" };
  }
  const [id, ...others] = known.filter((candidate) => candidate.toLowerCase().startsWith(prefix));
  if (id === undefined) {
    return { none: "unknown" };
  }
  return others.length > 0 ? { none: "ambiguous" } : { id };
}

/** Whether a name may mean one of a lesson's lines, because it's a plain id or has the digest of one of them. */
export function mayMean(name: string, lines: readonly Pick<LessonLine, "raw">[]): boolean {
  const parts = partsOf(name);
  return !parts || lines.some(({ raw }) => lineDigest(raw).startsWith(parts.digest));
}

type FoundLesson = { readonly line: LessonLine } | { readonly none: NoneBecause };

/** Returns the lesson that shows with the id in a name. For a full reference, returns its current text. */
export function findLesson(snapshot: Snapshot, name: string): FoundLesson {
  const { prefix, digest } = partsOf(name) ?? {};
  if (prefix && digest) {
    // Another id may begin like this since it was printed.
    const begins = ({ version }: LessonLine) => version.id.toLowerCase().startsWith(prefix);
    const isMeant = ({ raw }: LessonLine) => lineDigest(raw).startsWith(digest);
    const [line, ...others] = snapshot.lessons().filter((each) => begins(each) && isMeant(each));
    if (line && others.length === 0) {
      return { line };
    }
  }
  const found = findId(idsOf(snapshot), name);
  return "id" in found ? { line: snapshot.shown(found.id) as LessonLine } : found;
}

/** Returns the error for a read. */
export function namesNothing(name: string, none: NoneBecause): SentinelError {
  return new SentinelError(
    none === "no reference" ? "bad_reference" : "not_found",
    `"${oneLine(name).slice(0, 40)}": ${WHY_NONE[none]}.`,
    /^(?:evt|acb)_/.test(name)
      ? "That is an id of the session log: `sessions show` and `sessions purge` take it."
      : "Give 6 digits or more of an id that search shows.",
  );
}

/** Returns the error for a change. */
export function notFound(name: string, none: NoneBecause): SentinelError {
  const { code, message, fix } = namesNothing(name, none);
  return new SentinelError(code, `${message} Nothing was changed.`, fix);
}

/** The reason why a name means no lesson, as a clause. */
export const WHY_NONE = {
  ambiguous: "several lessons begin like this",
  unknown: "no lesson has this id",
  "too short": "too few digits to name a lesson",
  "no reference": "not a reference as it is printed, like a1b2c3d4@9f2e",
  changed: "no text of this lesson has this reference",
  retired: "it is already retired or forgotten",
  itself: "it is this principle",
} as const;

/** Returns a reference for one of several versions. @param all the versions among which it must be unique. */
export function versionReference(version: Lesson, all: readonly Lesson[]): string {
  const start = startOf(version.id);
  const isAlone = all.every(({ id }) => id === version.id || startOf(id) !== start);
  return `${isAlone ? start : version.id}@${digestOf(version).slice(0, VERSION_DIGITS)}`;
}

/** Returns the version that a reference was printed for. */
export function versionNamed(reference: string, versions: readonly Lesson[]): Lesson | undefined {
  const parts = partsOf(reference);
  if (!parts) {
    return undefined;
  }
  return versions.find((version) => {
    const isId = version.id.toLowerCase().startsWith(parts.prefix);
    return isId && digestOf(version).startsWith(parts.digest);
  });
}

const digestOf = (version: Lesson): string => lineDigest(toLine(version).raw);

const idsOf = (snapshot: Snapshot): string[] => snapshot.lessons().map(({ version }) => version.id);

function notAReference(snapshot: Snapshot, text: string): SentinelError {
  const found = findLesson(snapshot, text.split("@")[0] ?? "");
  const now = "line" in found ? new References(snapshot).full(found.line) : undefined;
  return new SentinelError(
    "bad_reference",
    `"${text.slice(0, 40)}" is not a reference as compact_memory prints it (like a1b2c3d4@9f2e).`,
    now
      ? `If you have read that lesson, use its current reference: ${now}.`
      : "Call compact_memory and copy the references it prints.",
  );
}
