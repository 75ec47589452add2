/**
 * Reads lines that no save wrote. Hand-written lines without an id become lessons. Their id is derived from their text and their revision is
 * the oldest. The next write stores both. Lessons of another memory, in any memory file or the JSON of `export`, are cleaned as a save would,
 * or refused with their line.
 */
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import {
  byIdThenBytes,
  fileLines,
  type ParsedFile,
  parseFile,
  toLine,
  type UnrecognisedLine,
  type VersionLine,
} from "../format/file-lines.ts";
import {
  cuesOf,
  isTombstone,
  type Lesson,
  lessonId,
  NO_USABLE_ID,
  sameText,
  type Tombstone,
  type Version,
} from "../format/lesson.ts";
import { whenOf } from "../format/when.ts";
import { hiddenIn } from "../health/hidden.ts";
import { fold, isLessonLine, type LessonLine, type Snapshot } from "../merge/versions.ts";
import { prepareDraft, prepareReason } from "./draft.ts";
import type { FieldRedaction } from "./field-text.ts";

/** A line without an id that was read as a lesson, with its redactions. */
interface AdoptedLine extends VersionLine {
  readonly redactions?: readonly FieldRedaction[];
}

interface AdoptedFile extends ParsedFile {
  readonly versions: readonly AdoptedLine[];
}

/** Reads the lines without an id in a parsed file as lessons. A line that a save would refuse stays unrecognised, with the reason. */
export function adopt(parsed: ParsedFile, words: OwnWords): AdoptedFile {
  const byRaw = new Map<string, AdoptedLine>();
  const unrecognised: UnrecognisedLine[] = [];
  for (const line of parsed.unrecognised) {
    const read = line.reason === NO_USABLE_ID ? adoptLine(line.raw, words) : line.reason;
    if (typeof read === "string") {
      unrecognised.push({ ...line, reason: read });
    } else {
      byRaw.set(read.raw, read);
    }
  }
  if (byRaw.size === 0) {
    return { ...parsed, unrecognised };
  }
  for (const line of parsed.versions) {
    byRaw.set(line.raw, line);
  }
  return { ...parsed, versions: [...byRaw.values()].sort(byIdThenBytes), unrecognised };
}

/** Returns the line as a save would store it, with its unknown fields, or in a few words why a save would refuse it. */
function adoptLine(bare: string, words: OwnWords): AdoptedLine | string {
  const {
    id,
    type = "log",
    meta: _,
    ...value
  } = JSON.parse(Buffer.from(bare, "latin1").toString("utf8"));
  const { topic, missing_context, lesson, ask_next_time: question, when, ...unknown } = value;
  const hasId = id !== undefined && id !== null && id !== "";
  const isLesson = type === "principle" || (type === "log" && typeof missing_context === "string");
  if (hasId || !isLesson || typeof topic !== "string" || typeof lesson !== "string") {
    return NO_USABLE_ID;
  }
  const ask_next_time = typeof question === "string" ? question : undefined;
  try {
    const texts = { type, topic, missing_context, lesson, ask_next_time, when: whenOf({ when }) };
    const { draft, redactions } = prepareDraft(texts, words);
    const version: Lesson = { ...unknown, ...draft, id: lessonId(draft), meta: { created: "" } };
    return { ...toLine(version), bare, redactions };
  } catch (error) {
    if (!(error instanceof SentinelError)) {
      throw error;
    }
    return `no id, and ${error.message.replace(/[.]$/, "")}`;
  }
}

/** The result of reading another memory. */
export interface Imported {
  readonly versions: readonly Version[];
  /** The number of lines that are lessons, imported or refused. 0 for a file that isn't a memory. */
  readonly records: number;
  /** `number` counts the file's lines from 1, or the elements of a JSON array. */
  readonly refused: readonly { readonly number: number; readonly reason: string }[];
  /** The number of lessons from which secrets, own words or private passages were redacted. */
  readonly redacted: number;
  /** Their redactions, each kind and field once. */
  readonly redactions: readonly FieldRedaction[];
}

interface ImportedVersion {
  readonly version: Version;
  readonly redactions: readonly FieldRedaction[];
}

/** Cleans or refuses every version of a file. @param onProgress called after each. */
export function importVersions(
  bytes: Buffer,
  words: OwnWords,
  onProgress?: (done: number, total: number) => void,
): Imported {
  const file = asLines(bytes);
  const parsed = adopt(parseFile(file), words);
  const snapshot = fold(parsed.versions);
  const numbers = new Map([...fileLines(file)].map(({ raw, number }) => [raw, number]));
  const refused = parsed.unrecognised.map(({ number, reason }) => ({ number, reason }));
  const imported: ImportedVersion[] = [];
  for (const [index, line] of parsed.versions.entries()) {
    const { redactions = [] } = line;
    try {
      const one = isLessonLine(line)
        ? importLesson(line, snapshot, words)
        : importTombstone(line, words);
      if (one) {
        imported.push({ ...one, redactions: [...redactions, ...one.redactions] });
      }
    } catch (error) {
      if (!(error instanceof SentinelError)) {
        throw error;
      }
      refused.push({ number: numbers.get(line.bare ?? line.raw) ?? 0, reason: error.message });
    }
    onProgress?.(index + 1, parsed.versions.length);
  }
  const redacted = imported.filter(({ redactions }) => redactions.length > 0);
  return {
    versions: imported.map(({ version }) => version),
    records: parsed.versions.length,
    refused: refused.sort((a, b) => a.number - b.number),
    redacted: new Set(redacted.map(({ version }) => version.id)).size,
    redactions: summed(redacted.flatMap(({ redactions }) => redactions)),
  };
}

/** The elements of a JSON array, a line each. Any other file is unchanged. */
function asLines(bytes: Buffer): Buffer {
  const value: unknown = tryOr(() => JSON.parse(bytes.toString("utf8")), undefined);
  return Array.isArray(value)
    ? Buffer.from(value.map((element) => `${JSON.stringify(element)}\n`).join(""))
    : bytes;
}

/** Gives a version a new id if its text had to change. Skips such a version if its own memory hides it, because nothing would hide the new id here. */
function importLesson(
  line: LessonLine,
  snapshot: Snapshot,
  words: OwnWords,
): ImportedVersion | undefined {
  const { topic, missing_context, lesson, ask_next_time, when, ...rest } = line.version;
  const texts = { type: rest.type, topic, missing_context, lesson, ask_next_time };
  const { draft, redactions } = prepareDraft({ ...texts, when: whenOf({ when }) }, words);
  const same = sameText(line.version, draft);
  const meta = rest.meta.cues === undefined ? rest.meta : { ...rest.meta, cues: cuesOf(rest.meta) };
  const version = { ...rest, ...draft, id: same ? rest.id : lessonId(draft), meta };
  mustHideNothing(version, words);
  const shown = snapshot.shown(rest.id);
  const isBeside = shown?.also?.some(({ raw }) => raw === line.raw) ?? false;
  if (!same && shown?.raw !== line.raw && !isBeside) {
    return undefined;
  }
  return { version, redactions };
}

function importTombstone({ version }: VersionLine, words: OwnWords): ImportedVersion | undefined {
  if (!isTombstone(version)) {
    return undefined;
  }
  const { reason, redactions } = prepareReason(version.meta.reason ?? "", words);
  const meta = reason === "" ? version.meta : { ...version.meta, reason };
  const tombstone: Tombstone = { ...version, meta };
  mustHideNothing(tombstone, words);
  return { version: tombstone, redactions };
}

/** Each kind in each field once, with its count. */
function summed(redactions: readonly FieldRedaction[]): FieldRedaction[] {
  const sums = new Map<string, FieldRedaction>();
  for (const redaction of redactions) {
    const key = `${redaction.kind} in ${redaction.field}`;
    sums.set(key, { ...redaction, count: redaction.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

/** @throws SentinelError `secret_refused`. */
function mustHideNothing(version: Version, words: OwnWords): void {
  const { secrets, own } = hiddenIn(version, words);
  const hidden = [...secrets, ...own];
  if (hidden.length === 0) {
    return;
  }
  const what = `it holds what is never stored: ${hidden.join(", ")}`;
  throw new SentinelError("secret_refused", what, "Remove it there.");
}
