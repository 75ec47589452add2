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
import { prepareDraft } from "./draft.ts";
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
