/** Finds secrets and own words that no save redacted, because they were added by hand or stored before the own word was listed. */
import { tryOr } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { type Redaction, redact } from "../../ground/redaction/redact.ts";
import type { UnrecognisedLine } from "../format/file-lines.ts";
import { cuesOf, type Lesson, type Version } from "../format/lesson.ts";
import { type Finding, finding, type PlacedVersion } from "./finding.ts";

const REPLACE = "Revoke the secret and use a new one; then";
const PURGE = "purge the lesson, which also names the commits that hold it.";
const DELETE = "delete the line.";

/** Fields that the product fills in. */
const NOT_WRITTEN: ReadonlySet<string> = new Set([
  "id",
  "type",
  "created",
  "updated",
  "compacted_at",
  "sources",
]);

/** "2 × password in lesson", for every field with a secret or own word, without the text. */
export interface Hidden {
  readonly secrets: readonly string[];
  readonly own: readonly string[];
}

/** Finds the secrets and own words that a save would redact in a version. */
export function hiddenIn(version: Version, words: OwnWords): Hidden {
  const {
    id: _,
    type: __,
    topic,
    missing_context,
    lesson,
    ask_next_time,
    meta,
    ...others
  } = version as Lesson;
  const { cues: ___, ...rest } = meta;
  const texts = { topic, missing_context, lesson, ask_next_time };
  const found = Object.entries(texts).map(([field, text = ""]) => search(text, field, words));
  // Each word is searched separately, because together they are not a sentence.
  for (const cue of cuesOf(meta)) {
    found.push(search(cue, "cues", words));
  }
  found.push(search({ ...others, meta: rest }, "other fields", words));
  return { secrets: found.flatMap(({ secrets }) => secrets), own: found.flatMap(({ own }) => own) };
}

/** Secrets and own words in lessons, and in lines that are not lessons. */
export function examineHidden(
  placed: readonly PlacedVersion[],
  unrecognised: readonly UnrecognisedLine[],
  words: OwnWords,
): Finding[] {
  const inLessons = placed.flatMap(({ version, bare, numbers }) => {
    // The raw line is searched, because the save that gives it an id also redacts it.
    if (bare !== undefined) {
      return findingsOf("A line without an id", hiddenInLine(bare, words), numbers, DELETE);
    }
    return findingsOf(version.id, hiddenIn(version, words), numbers, PURGE);
  });
  const inOthers = unrecognised.flatMap(({ raw, number }) =>
    findingsOf("A line that is not a lesson", hiddenInLine(raw, words), [number], DELETE),
  );
  return [...inLessons, ...inOthers];
}

function findingsOf(
  where: string,
  { secrets, own }: Hidden,
  lines: readonly number[],
  remedy: string,
): Finding[] {
  const secret = `${where} holds what looks like a secret: ${secrets.join(", ")}.`;
  const ownWord = `${where} contains words that are never stored here: ${own.join(", ")}.`;
  return present(
    secrets.length > 0 && finding("secret", lines, secret, `${REPLACE} ${remedy}`),
    own.length > 0 &&
      finding("own_word", lines, ownWord, `Log it without the word; then ${remedy}`),
  );
}

function hiddenInLine(raw: string, words: OwnWords): Hidden {
  const line = Buffer.from(raw, "latin1").toString("utf8");
  const value = tryOr(() => JSON.parse(line), line);
  const { secrets, own } = search(value, "it", words);
  // Parsing keeps only the last value of a repeated key.
  return { secrets: secrets.length > 0 ? secrets : kinds(redact(line).findings, "it"), own };
}

/** Searches a whole JSON value for secrets, and its texts for own words, because nothing is escaped in these. */
function search(value: unknown, field: string, words: OwnWords): Hidden {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const own = words.redact(textsOf(value).join("\n"));
  return { secrets: kinds(redact(text).findings, field), own: kinds(own.findings, field) };
}

function kinds(findings: Redaction["findings"], field: string): string[] {
  return findings.map(({ kind, count }) => `${count} × ${kind} in ${field}`);
}

/** Every text of a JSON value except dates and ids, because a pattern may match these. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  JSON.stringify(value, (key, part) => {
    if (NOT_WRITTEN.has(key)) {
      return undefined;
    }
    if (typeof part === "string") {
      texts.push(part);
    }
    return part;
  });
  return texts;
}
