/** The strict side of the format: checks and cleans the texts of a caller before they're stored. */
import { SentinelError } from "../../ground/core/errors.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { Lesson, Mutable } from "../format/lesson.ts";
import { isEmptyWhen, type When, whenTooLarge, whenWith } from "../format/when.ts";
import { readWhenText, WHEN_EXAMPLE, whenText } from "../format/when-text.ts";
import { mustBeAbleToMatch } from "./able-to-match.ts";
import { asGiven, type FieldRedaction, redacted, redactedIfSaid, topicText } from "./field-text.ts";

/** The texts of a lesson from a caller. Absent and empty mean the same. */
export interface DraftTexts {
  readonly type: Lesson["type"];
  readonly topic: string;
  readonly missing_context?: string | undefined;
  readonly lesson: string;
  /** "none" removes the question of the lesson. */
  readonly ask_next_time?: string | undefined;
  /** A text is read by `readWhenText`. "none" removes the `when` of the lesson. */
  readonly when?: When | string | undefined;
  /** Whether it may block a call, if a person says so. */
  readonly hold?: boolean | undefined;
}

/** A lesson that may be stored. It lacks only an id and its dates. */
export interface Draft extends Omit<Lesson, "id" | "meta" | "when"> {
  readonly when?: When;
}

/** The fields that a call removes from the lesson that it updates. */
export type Cleared = "ask_next_time" | "when" | "hold";

/** This word alone removes a text. An empty text leaves it as it was. */
const NONE = "none";

export interface Prepared {
  readonly draft: Draft;
  readonly cleared: readonly Cleared[];
  readonly redactions: readonly FieldRedaction[];
}

/**
 * Validates and cleans a lesson (docs/design/lessons.md, "The file"; docs/design/ground.md, "Redaction" and "Own words").
 * @throws SentinelError `blank_field`, `over_limit`, `too_large`, `bad_text`, `secret_refused`, `own_word_refused`, `private_unclosed`.
 */
export function prepareDraft(texts: DraftTexts, words: OwnWords): Prepared {
  const { type, hold } = texts;
  const redactions: FieldRedaction[] = [];
  const cleared: Cleared[] = [];
  const topic = topicText(texts.topic, words);
  const missing_context =
    type === "log" ? redacted("missing_context", texts.missing_context, words, redactions) : "";
  const lesson = redacted("lesson", texts.lesson, words, redactions);
  const draft: Mutable<Draft> = { type, topic, missing_context, lesson };

  const question = redactedIfSaid("ask_next_time", texts.ask_next_time, words, redactions);
  if (isNone(question)) cleared.push("ask_next_time");
  else if (question !== "") draft.ask_next_time = question;

  if (typeof texts.when === "string" && isNone(texts.when.trim())) cleared.push("when");
  else {
    const when = withHold(prepareWhen(texts.when ?? {}, words), hold);
    if (!isEmptyWhen(when)) draft.when = when;
  }
  if (hold === false) cleared.push("hold");
  return { draft, cleared, redactions };
}

/** Only a person lets a lesson block a call, so the `hold` of a `when` itself is ignored. */
function withHold({ hold: _, ...when }: When, hold: boolean | undefined): When {
  if (!hold) return when;
  if (when.commands || when.paths) return { ...when, hold };
  throw new SentinelError(
    "bad_argument",
    "A lesson blocks calls by its commands and paths, and this one has neither, so nothing was saved.",
    `Give it when too, like --when ${WHEN_EXAMPLE}`,
  );
}

const isNone = (text: string): boolean => text.toLowerCase() === NONE;

/** @throws SentinelError `over_limit`, `bad_text`, `secret_refused`, `own_word_refused`, `private_unclosed`. */
function prepareWhen(said: When | string, ownWords: OwnWords): When {
  const read = typeof said === "string" ? readWhenText(asGiven("when", said, ownWords)) : said;
  if (typeof read === "string")
    throw new SentinelError(
      "bad_text",
      `when cannot be read: ${read}.`,
      `Write it like ${WHEN_EXAMPLE}.`,
    );
  const when = whenWith(read, (text) => {
    const one = asGiven("when", text, ownWords);
    return one === "" ? [] : [one];
  });
  mustFitWhen(when);
  mustBeAbleToMatch(when);
  return when;
}

/** @throws SentinelError `over_limit`. */
export function mustFitWhen(when: When): void {
  const tooMuch = whenTooLarge(when);
  if (tooMuch === undefined) return;
  throw new SentinelError(
    "over_limit",
    `when has ${tooMuch}, so nothing was saved. It would be: ${whenText(when)}`,
    'Call again with a shorter when, or with "none" to do without it.',
  );
}

/** The reason of a removal, redacted because it's shared like the lessons. Empty if there is none. */
export function prepareReason(
  text: string,
  words: OwnWords,
): Pick<Prepared, "redactions"> & { reason: string } {
  const redactions: FieldRedaction[] = [];
  return { reason: redactedIfSaid("reason", text, words, redactions), redactions };
}
