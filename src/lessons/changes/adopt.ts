/** Reads hand-written lines without an id as lessons. Their id is derived from their text and their revision is the oldest. The next write stores both. */
import { SentinelError } from "../../ground/core/errors.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import {
  byIdThenBytes,
  type ParsedFile,
  toLine,
  type UnrecognisedLine,
  type VersionLine,
} from "../format/file-lines.ts";
import { type Lesson, lessonId, NO_USABLE_ID } from "../format/lesson.ts";
import { whenOf } from "../format/when.ts";
import { type Prepared, prepareDraft } from "./draft.ts";
import type { FieldRedaction } from "./field-text.ts";

/** Reads the lines without an id in a parsed file as lessons. A line that a save would refuse stays unrecognised, with the reason. */
export function adopt(parsed: ParsedFile, words: OwnWords): ParsedFile {
  const byRaw = new Map<string, VersionLine>();
  const unrecognised: UnrecognisedLine[] = [];
  for (const line of parsed.unrecognised) {
    const read = line.reason === NO_USABLE_ID ? adoptLine(line.raw, words) : line.reason;
    if (typeof read === "string") unrecognised.push({ ...line, reason: read });
    else byRaw.set(read.raw, read);
  }
  if (byRaw.size === 0) return { ...parsed, unrecognised };
  for (const line of parsed.versions) byRaw.set(line.raw, line);
  return { ...parsed, versions: [...byRaw.values()].sort(byIdThenBytes), unrecognised };
}

/** Returns the redactions in a line without an id. Empty for a line with an id. */
export function takenFromBare({ bare }: VersionLine, words: OwnWords): readonly FieldRedaction[] {
  const read = bare === undefined ? NO_USABLE_ID : readBare(bare, words);
  return typeof read === "string" ? [] : read.redactions;
}

/** @returns in a few words why the line stays unchanged. */
function adoptLine(bare: string, words: OwnWords): VersionLine | string {
  const read = readBare(bare, words);
  if (typeof read === "string") return read;
  const { draft, unknown } = read;
  const version: Lesson = { ...unknown, ...draft, id: lessonId(draft), meta: { created: "" } };
  return { ...toLine(version), bare };
}

/** Returns the line as a save would store it, with its unknown fields, or the reason why a save would refuse it. */
function readBare(
  bare: string,
  words: OwnWords,
): (Prepared & { readonly unknown: object }) | string {
  const {
    id,
    type = "log",
    meta: _,
    ...value
  } = JSON.parse(Buffer.from(bare, "latin1").toString("utf8"));
  const { topic, missing_context, lesson, ask_next_time: question, when, ...unknown } = value;
  const hasId = id !== undefined && id !== null && id !== "";
  const isLesson = type === "principle" || (type === "log" && typeof missing_context === "string");
  if (hasId || !isLesson || typeof topic !== "string" || typeof lesson !== "string")
    return NO_USABLE_ID;
  const ask_next_time = typeof question === "string" ? question : undefined;
  try {
    const texts = { type, topic, missing_context, lesson, ask_next_time, when: whenOf({ when }) };
    return { ...prepareDraft(texts, words), unknown };
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    return `no id, and ${error.message.replace(/[.]$/, "")}`;
  }
}
