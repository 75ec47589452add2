/** References to versions, also to those that are not in the memory any more: an id, and the digest of the line that it stood in. Pure. */
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { lineDigest } from "../format/lesson-id.ts";
import { DIGEST_DIGITS, ID_DIGITS, LONG_DIGEST_DIGITS, partsOf } from "./references.ts";

/** Names one of several versions, in as few digits as tell it from all others. @param all with the version itself. */
export function versionReference(version: Lesson, all: readonly Lesson[]): string {
  const [short, own] = [version.id.slice(0, ID_DIGITS), digestOf(version)];
  const alike = all.filter(({ id }) => id.startsWith(short));
  const id = alike.every((other) => other.id === version.id) ? short : version.id;
  const end = own.slice(0, DIGEST_DIGITS);
  const isAlone = alike.map(digestOf).every((digest) => digest === own || !digest.startsWith(end));
  return `${id}@${isAlone ? end : own.slice(0, LONG_DIGEST_DIGITS)}`;
}

/** The versions that a reference was printed for, one as a rule; undefined for a name that is not a full reference. */
export function versionsNamed<V extends Lesson>(reference: string, versions: readonly V[]): readonly V[] | undefined {
  const parts = partsOf(reference);
  if (!parts) return undefined;
  const named = versions.filter(
    (version) => version.id.toLowerCase().startsWith(parts.prefix) && digestOf(version).startsWith(parts.digest),
  );
  return [...new Map(named.map((version) => [`${version.id} ${digestOf(version)}`, version])).values()];
}

const digestOf = (version: Lesson): string => lineDigest(toLine(version).raw);
