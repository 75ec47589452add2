/** The strict side of the format: from what a caller wrote to what may be stored, or an error that says what to change. */
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { isCalendarDay } from "../../ground/core/time.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { Lesson } from "../format/lesson.ts";
import { readWhenText, WHEN_EXAMPLE, whenText } from "../format/lesson-text.ts";
import { isEmptyWhen, notAGlob, type When, whenTooLarge, whenWith } from "../format/when.ts";
import { mustBeAbleToMatch } from "./able-to-match.ts";
import { asGiven, type FieldRedaction, redacted, redactedIfSaid, topicText } from "./field-text.ts";

/** A lesson's own texts, as a caller gives them; absent and empty mean the same. */
export interface DraftTexts {
  readonly type: Lesson["type"];
  readonly topic: string;
  readonly missing_context?: string | undefined;
  readonly lesson: string;
  /** "none" takes the question of the lesson away. */
  readonly ask_next_time?: string | undefined;
  /** A text is read as `readWhenText` does; "none" takes that of the lesson away. */
  readonly when?: When | string | undefined;
  /** Whether it may hold a call, where a person says so. */
  readonly hold?: boolean | undefined;
}

/** A lesson that may be stored; it lacks only an id and its dates. */
export interface Draft extends Omit<Lesson, "id" | "meta" | "when"> {
  readonly when?: When;
}

/** What a call takes away from the lesson that it updates. */
export type Cleared = "ask_next_time" | "when" | "hold";

/** Where it stands alone, a word that takes a text away; an empty text means that nothing was said. */
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
  const redactions: FieldRedaction[] = [];
  const topic = topicText(texts.topic, words);
  const redactedText = (field: "missing_context" | "lesson") =>
    redacted(field, texts[field], words, redactions);
  const missing_context = texts.type === "log" ? redactedText("missing_context") : "";
  const lesson = redactedText("lesson");
  const question = redactedIfSaid("ask_next_time", texts.ask_next_time, words, redactions);
  const ask_next_time = isNone(question) ? "" : question;
  const takesAway = typeof texts.when === "string" && isNone(texts.when.trim());
  const said = texts.when === undefined || takesAway ? {} : prepareWhen(texts.when, words);
  const when = withHold(said, texts.hold && !takesAway);
  return {
    draft: {
      type: texts.type,
      topic,
      missing_context,
      lesson,
      ...(ask_next_time && { ask_next_time }),
      ...(!isEmptyWhen(when) && { when }),
    },
    cleared: present(
      isNone(question) && "ask_next_time",
      takesAway && "when",
      texts.hold === false && "hold",
    ),
    redactions,
  };
}

/** Only a person lets a lesson hold a call, so what a `when` itself says of it does not count. */
function withHold({ hold: _, ...when }: When, hold: boolean | undefined): When {
  if (!hold) return when;
  if (when.commands || when.paths) return { ...when, hold };
  throw new SentinelError(
    "bad_argument",
    "A lesson holds calls by its commands and paths, and this one has neither, so nothing was saved.",
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
  const { paths = [], branches = [], not = {} } = when;
  const globs = [...paths, ...branches, ...(not.paths ?? []), ...(not.branches ?? [])];
  const wrong = globs.flatMap((glob) => notAGlob(glob) ?? [])[0];
  if (wrong !== undefined)
    throw new SentinelError("bad_text", `A path of when has ${wrong}.`, "Give plainer paths.");
  const noDay = [when.from, when.until].find((day) => day !== undefined && !isCalendarDay(day));
  if (noDay !== undefined)
    throw new SentinelError("bad_text", "A date of when is not a day.", "Write it as 2026-12-31.");
  if (when.from !== undefined && when.until !== undefined && when.from > when.until)
    throw new SentinelError(
      "bad_text",
      "from of when is after until, so it would never come up.",
      "Swap the two days.",
    );
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

/** The reason of a removal, which is shared like the lessons are; empty when there is none. */
export function prepareReason(
  text: string,
  words: OwnWords,
): Pick<Prepared, "redactions"> & { reason: string } {
  const redactions: FieldRedaction[] = [];
  return { reason: redactedIfSaid("reason", text, words, redactions), redactions };
}
