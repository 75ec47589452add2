/**
 * Versions of another memory, made fit for ours: what a save would have cleaned is cleaned, what a save would have refused
 * is refused and reported with its line.
 *
 * Reads the file of any memory, also of the original Sentinel, whose format is the same except for fields we added, and the
 * JSON array that `export` writes.
 */
import { SentinelError } from "../../core/errors.ts";
import type { OwnWords } from "../../redaction/own-words.ts";
import { cuesOf } from "../format/cues.ts";
import { fileLines, parseFile, type VersionLine } from "../format/file-lines.ts";
import { lessonId, sameText } from "../format/lesson-id.ts";
import { isTombstone, type Tombstone, type Version } from "../format/record.ts";
import { whenOf } from "../format/when.ts";
import { hiddenIn } from "../health/hidden.ts";
import { fold } from "../merge/fold.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { isLessonLine, type LessonLine } from "../merge/versions.ts";
import { adopt } from "./adopt.ts";
import { type FieldRedaction, prepareDraft, prepareReason } from "./draft.ts";

export interface Imported {
  readonly versions: readonly Version[];
  /** How many lines read as records, whether they were imported or refused; 0 for a file that is not a memory. */
  readonly records: number;
  readonly refused: readonly Refused[];
  /** How many secrets, own words and private passages were taken out. */
  readonly redactions: number;
}

interface ImportedVersion {
  readonly version: Version | undefined;
  readonly redactions: number;
}

interface Refused {
  /** Of the file's line, from 1; in a JSON array, of the element. */
  readonly number: number;
  readonly reason: string;
}

/** @param onProgress called after every version, since looking for secrets takes its time. */
export function importVersions(
  bytes: Buffer,
  words: OwnWords,
  onProgress: (done: number, total: number) => void,
): Imported {
  const file = asLines(bytes);
  const parsed = adopt(parseFile(file), words);
  const snapshot = fold(parsed.versions);
  const numbers = new Map([...fileLines(file)].map(({ raw, number }) => [raw, number]));
  const refused: Refused[] = parsed.unrecognised.map(({ number, reason }) => ({ number, reason }));
  const versions: Version[] = [];
  let redactions = 0;
  for (const [index, line] of parsed.versions.entries()) {
    try {
      const imported = isLessonLine(line) ? importLesson(line, snapshot, words) : importTombstone(line, words);
      versions.push(...(imported.version ? [imported.version] : []));
      redactions += imported.redactions;
    } catch (error) {
      if (!(error instanceof SentinelError)) throw error;
      refused.push({ number: numbers.get(line.bare ?? line.raw) ?? 0, reason: error.message });
    }
    onProgress(index + 1, parsed.versions.length);
  }
  return {
    versions,
    records: parsed.versions.length,
    refused: refused.sort((a, b) => a.number - b.number),
    redactions,
  };
}

/** The elements of a JSON array, a line each; any other file as it is. */
function asLines(bytes: Buffer): Buffer {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (Array.isArray(value)) return Buffer.from(value.map((element) => `${JSON.stringify(element)}\n`).join(""));
  } catch {
    // Lines, then.
  }
  return bytes;
}

/**
 * A version whose text had to change gets the id of its new text. One that is hidden in its own memory then adds nothing,
 * and under a new id nothing would hide it any more: it is left out.
 */
function importLesson(line: LessonLine, snapshot: Snapshot, words: OwnWords): ImportedVersion {
  const { topic, missing_context, lesson, ask_next_time, when, ...rest } = line.version;
  const texts = { type: rest.type, topic, missing_context, lesson, ask_next_time };
  const { draft, redactions } = prepareDraft({ ...texts, when: whenOf({ when }) }, words);
  const same = sameText(line.version, draft);
  const meta = rest.meta.cues === undefined ? rest.meta : { ...rest.meta, cues: cuesOf(rest.meta) };
  const version = { ...rest, ...draft, id: same ? rest.id : lessonId(draft), meta };
  mustHideNothing(version, words);
  return {
    version: same || snapshot.shown(rest.id).some(({ raw }) => raw === line.raw) ? version : undefined,
    redactions: countOf(redactions),
  };
}

function importTombstone({ version }: VersionLine, words: OwnWords): ImportedVersion {
  if (!isTombstone(version)) return { version: undefined, redactions: 0 };
  const { reason, redactions } = prepareReason(version.meta.reason ?? "", words);
  const tombstone: Tombstone = { ...version, meta: { ...version.meta, ...(reason && { reason }) } };
  mustHideNothing(tombstone, words);
  return { version: tombstone, redactions: countOf(redactions) };
}

function countOf(redactions: readonly FieldRedaction[]): number {
  return redactions.reduce((sum, { count }) => sum + count, 0);
}

/** @throws SentinelError `secret_refused`, `own_word_refused`. */
function mustHideNothing(version: Version, words: OwnWords): void {
  const { secrets, own } = hiddenIn(version, words);
  const where = "a field outside its texts holds";
  if (secrets.length > 0) throw new SentinelError("secret_refused", `${where} what looks like a secret`, REMOVE_IT);
  if (own.length > 0) throw new SentinelError("own_word_refused", `${where} a word that is never stored`, REMOVE_IT);
}

const REMOVE_IT = "Remove it there.";
