/** A memory that clones give to one place: each adds what it knows, as a merge of their files would. */
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { parseFile, toLine, type VersionLine } from "../format/file-lines.ts";
import { held } from "../merge/after.ts";
import { fold, type Snapshot, WorkingCopy } from "../merge/fold.ts";
import { type MergeOutcome, mergeVersions } from "../merge/merge-versions.ts";
import { prune } from "../merge/prune.ts";
import { isLessonLine } from "../merge/versions.ts";
import { type Imported, importVersions } from "./import.ts";
import { PURGED } from "./purge.ts";

/** In lessons, what came of it; the numbers of `refused` are lines of the text. */
export interface United extends Pick<MergeOutcome, "added" | "updated" | "hidden" | "known"> {
  readonly redacted: number;
  readonly refused: Imported["refused"];
}

/** The memory in lines of its file, in any order. */
export const memoryIn = (lines: readonly string[]): Snapshot =>
  fold(parseFile(Buffer.from(lines.join("\n"))).versions);

/** Unites a memory with the text of a clone's file, redacted again. @param now in ms since 1970. @returns lines, `outcome`. */
export function unite(
  memory: Snapshot,
  text: string,
  words: OwnWords,
  now: number,
): { readonly lines: readonly string[]; readonly outcome: United } {
  const { versions, redacted, refused } = importVersions(Buffer.from(text), words);
  const pushed = versions.map(toLine);
  const purges = [...memory.lines(), ...pushed].filter(
    ({ version }) => version.meta.reason === PURGED,
  );
  // In a file, a lesson that is met again shows after its purge. Here a clone that knew nothing of the purge brings nothing back.
  const isPurged = (line: VersionLine) =>
    isLessonLine(line) &&
    purges.some((purge) => purge.version.id === line.version.id && !held(line, purge));
  const both = WorkingCopy.from(memory);
  const left = pushed.filter((line) => !isPurged(line)).map(({ version }) => version);
  const { added, updated, hidden, known } = mergeVersions(both, left);
  for (const line of both.lines().filter(isPurged)) both.remove(line);
  const { snapshot } = prune(both, now);
  return {
    lines: snapshot.lines().map(({ raw }) => Buffer.from(raw, "latin1").toString("utf8")),
    outcome: { added, updated, hidden, known, redacted, refused },
  };
}
