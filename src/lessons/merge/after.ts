/** Records which versions of an id the writer of a new one had read. If neither of two writers had read the other version, they are in conflict. */
import { memoizeByObject } from "../../ground/core/memoize.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { instantOf, type Meta, OLDEST } from "../format/lesson.ts";

/** `meta.after` of a version. Revisions as timestamps. */
interface After {
  /** The version's own revision, absent if it is `created`. Another one means that an earlier release copied this field from the version that it changed. */
  readonly at?: string;
  /** The newest versions that the writer had. Absent for none. */
  readonly seen?: readonly string[];
  /** All up to this one count as held: they are too many, or were written by an earlier release. */
  readonly until?: string;
}

const MOST_SEEN = 16;

/** The field for a new version. @param versions all versions of its id in the memory. */
export function afterAll(
  versions: readonly VersionLine[],
  { created, updated = created }: Meta,
): After {
  const held = versions.map(heldBy);
  const instants = new Set([
    ...versions.map(({ instant }) => instant),
    ...held.flatMap(({ seen }) => seen),
  ]);
  const newestFirst = [...instants].sort((a, b) => b - a);
  const until = Math.max(
    OLDEST,
    newestFirst[MOST_SEEN] ?? OLDEST,
    ...held.map((other) => other.until),
  );
  const seen = newestFirst.filter((instant) => instant > until).map(timestamp);
  return {
    at: updated === created ? undefined : updated,
    seen: seen.length > 0 ? seen : undefined,
    until: until > OLDEST ? timestamp(until) : undefined,
  };
}

/** Whether the writer of a version had read an earlier one. */
export function held(line: VersionLine, earlier: VersionLine): boolean {
  const { seen, until } = heldBy(line);
  return earlier.instant <= until || seen.includes(earlier.instant);
}

/** In ms since 1970. Without `after`, the writer counts as having read all older versions. */
const heldBy = memoizeByObject(
  ({
    version,
    instant,
  }: VersionLine): { readonly seen: readonly number[]; readonly until: number } => {
    const { after } = version.meta;
    if (!isAfter(after)) return { seen: [], until: instant };
    const seen = (after.seen ?? []).map(instantOf);
    const at = instantOf(after.at ?? version.meta.created);
    if (at !== instant) seen.push(at);
    return { seen, until: instantOf(after.until ?? "") };
  },
);

function isAfter(value: unknown): value is After {
  if (typeof value !== "object" || value === null) return false;
  const { at = "", seen = [], until = "" } = value as Record<string, unknown>;
  const isList = Array.isArray(seen) && seen.every((revision) => typeof revision === "string");
  return typeof at === "string" && isList && typeof until === "string";
}

const timestamp = (instant: number): string => new Date(instant).toISOString();
