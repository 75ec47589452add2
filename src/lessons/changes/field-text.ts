/** Cleans, checks and redacts one text of a lesson. Checks the size first, because patterns are slow, and the limits again after redaction. */
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import { redact } from "../../ground/redaction/redact.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { BYTE_LIMITS } from "../format/lesson.ts";
import { WHEN_LIMITS } from "../format/when.ts";

/** A redaction, for the answer. It never contains the value. */
export interface FieldRedaction {
  readonly field: TextField;
  readonly kind: string;
  readonly count: number;
}

export type TextField =
  | "topic"
  | "missing_context"
  | "lesson"
  | "ask_next_time"
  | "when"
  | "reason";

const LIMITS: Record<TextField, number> = { ...BYTE_LIMITS, when: WHEN_LIMITS.bytes };
/** The most characters to check. Longer texts are refused unread. This is far above every limit, and still fast. */
const MOST_CHARACTERS = 16_384;
const LINE_BREAK = /[\r\n\u2028\u2029]/;
/** Invisible characters, which could hide a token, a word or a blank topic. Joiners in scripts and emoji aren't included. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
/** A mark of a redaction, with the name of the value before it, as in `password=[REDACTED]`. */
const NAMED_MARK = new RegExp(
  String.raw`(?:[\p{L}\p{N}_.-]+["'\x60]?\s*[:=]\s*)?["'\x60]?${MARKS.source}`,
  "gu",
);
const CONTROL_CHARACTER = /[^\P{Cc}\n\t]/u;

/** Returns a topic in its stored form. Filters by topic compare this form. */
export const normalTopic = (text: string): string =>
  text.replace(INVISIBLE, "").normalize("NFC").trim();

/** A text that is stored unchanged. It's refused if it contains a secret or an own word, because nothing is redacted. */
export function asGiven(field: TextField, text: string, words: OwnWords): string {
  const one = clean(field, text);
  if (withoutPrivate(field, one, []) !== one) {
    throw refused(field, "private passage");
  }
  const [found] = redact(one).findings;
  if (found) {
    throw refused(field, found.kind);
  }
  if (words.redact(one).findings.length === 0) {
    return one;
  }
  throw new SentinelError(
    "own_word_refused",
    `${field} holds a word that is never stored here, so nothing was saved.`,
    `Say it without the word; ${field} is stored as it is given.`,
  );
}

export function topicText(text: string, words: OwnWords): string {
  const topic = asGiven("topic", text, words);
  if (LINE_BREAK.test(topic)) {
    throw new SentinelError(
      "bad_text",
      "topic has a line break.",
      "Give the topic as one line, like payment or db-migration.",
    );
  }
  mustNotBeBlank("topic", topic);
  mustFit("topic", topic);
  return topic;
}

export function redacted(
  field: TextField,
  text: string | undefined,
  words: OwnWords,
  redactions: FieldRedaction[],
): string {
  const visible = withoutPrivate(field, clean(field, text ?? ""), redactions);
  mustNotBeBlank(field, visible);
  mustFit(field, visible);
  const { text: safe, findings } = redact(visible);
  const { text: kept, findings: own } = words.redact(safe);
  for (const { kind, count } of [...findings, ...own]) {
    redactions.push({ field, kind, count });
  }
  mustFit(field, kept, Buffer.byteLength(visible));
  const said = kept.replace(NAMED_MARK, "");
  // Two gaps that are empty after redaction would have the same id, and the later lesson would replace the earlier one.
  if (said !== kept && !/[\p{L}\p{N}]/u.test(said)) {
    throw new SentinelError(
      "blank_field",
      `${field} is empty after redaction, so nothing was saved.`,
      `Say it without that: ${WANTED[field]}`,
    );
  }
  return kept;
}

/** A text that may be absent. Then it's empty. */
export function redactedIfSaid(
  field: TextField,
  text: string | undefined,
  words: OwnWords,
  redactions: FieldRedaction[],
): string {
  return clean(field, text ?? "") === "" ? "" : redacted(field, text, words, redactions);
}

/** Trims and normalizes a text, and removes invisible signs. Refuses a text that is too large, and control characters. */
function clean(field: TextField, text: string): string {
  if (text.length > MOST_CHARACTERS) {
    throw new SentinelError(
      "too_large",
      `${field} is ${text.length.toLocaleString("en")} characters long; it was not looked at.`,
      `Summarise it: a ${field} holds ${LIMITS[field].toLocaleString("en")} bytes at most.`,
    );
  }
  if (!text.isWellFormed()) {
    throw new SentinelError(
      "bad_text",
      `${field} has half of a surrogate pair.`,
      "Send the text as whole characters.",
    );
  }
  const normal = text.replaceAll("\r\n", "\n").replace(INVISIBLE, "").normalize("NFC").trim();
  const control = CONTROL_CHARACTER.exec(normal);
  if (control) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new SentinelError(
      "bad_text",
      `${field} has the control character U+${code}.`,
      "Remove it and call again.",
    );
  }
  return normal;
}

function withoutPrivate(field: TextField, text: string, redactions: FieldRedaction[]): string {
  const { text: visible, count, unclosed } = hidePrivate(text);
  if (unclosed !== undefined) {
    throw new SentinelError(
      "private_unclosed",
      `${field} opens a private passage with ${unclosed} and never closes it, so nothing was saved.`,
      "Close the passage, or remove the tag if nothing there is private.",
    );
  }
  if (count > 0) {
    redactions.push({ field, kind: "private passage", count });
  }
  return visible.trim();
}

function mustNotBeBlank(field: TextField, text: string): void {
  if (text === "") {
    throw new SentinelError(
      "blank_field",
      `${field} is blank.`,
      `Call again with ${WANTED[field]}`,
    );
  }
}

const WANTED: Record<TextField, string> = {
  topic: "the module or feature the lesson is about, like payment or db-migration.",
  missing_context: "the fact that the instructions left out and the work needed.",
  lesson: "the rule or constraint to apply the next time.",
  ask_next_time: "the question to ask before the next task.",
  when: "the file, command or error at which it appears.",
  reason: "why the lesson is removed.",
};

function mustFit(field: TextField, text: string, before?: number): void {
  const size = Buffer.byteLength(text);
  const limit = LIMITS[field];
  if (size <= limit) {
    return;
  }
  const grown =
    before === undefined || before === size
      ? ""
      : ` after redaction (${before.toLocaleString("en")} before)`;
  // Uses the text's average bytes per character: one in English, three in Korean and Chinese.
  const characters = Math.ceil(((size - limit) * [...text].length) / size);
  throw new SentinelError(
    "over_limit",
    `${field} is ${size.toLocaleString("en")} bytes of UTF-8${grown}; the limit is ${limit.toLocaleString("en")}.`,
    `Cut at least ${plural(size - limit, "byte")} (about ${plural(characters, "character")} of this text) and call again. Nothing was saved.`,
  );
}

function refused(field: TextField, kind: string): SentinelError {
  return new SentinelError(
    "secret_refused",
    `${field} holds what looks like a secret (${kind}), so nothing was saved.`,
    `Say it without the secret; ${field} is stored as it is given.`,
  );
}
