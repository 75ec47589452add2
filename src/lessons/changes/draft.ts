/** The strict side of the format: checks and cleans the texts of a caller before they're stored. */
import { SentinelError } from "../../ground/core/errors.ts";
import { simpleCommands } from "../../ground/core/shell-commands.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { Lesson, Mutable } from "../format/lesson.ts";
import {
  EXCEPTIONS,
  hasBraces,
  isDayOrMinute,
  isEmptyWhen,
  LISTS,
  type When,
  whenTooLarge,
  whenWith,
} from "../format/when.ts";
import { readWhenText, WHEN_EXAMPLE, whenText } from "../format/when-text.ts";
import { asGiven, type FieldRedaction, redacted, redactedIfSaid, topicText } from "./field-text.ts";

/** The texts of a lesson from a caller. Absent and empty mean the same. */
export interface DraftTexts {
  readonly type: Lesson["type"];
  readonly topic: string;
  readonly missing_context?: string | undefined;
  readonly lesson: string;
  /** "none" removes the question of the lesson. */
  readonly ask_next_time?: string | undefined;
  /** `readWhenText` reads a text. "none" removes the lesson's `when`. */
  readonly when?: When | string | undefined;
  /** Whether the lesson may block a call. Only people set this. */
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
  if (isNone(question)) {
    cleared.push("ask_next_time");
  } else if (question !== "") {
    draft.ask_next_time = question;
  }

  if (typeof texts.when === "string" && isNone(texts.when.trim())) {
    cleared.push("when");
  } else {
    const when = withHold(prepareWhen(texts.when ?? {}, words), hold);
    if (!isEmptyWhen(when)) {
      draft.when = when;
    }
  }
  if (hold === false) {
    cleared.push("hold");
  }
  return { draft, cleared, redactions };
}

/** Only a person lets a lesson block a call, so the `hold` of a `when` itself is ignored. */
function withHold({ hold: _, ...when }: When, hold: boolean | undefined): When {
  if (!hold) {
    return when;
  }
  if (when.commands || when.paths) {
    return { ...when, hold };
  }
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
  if (typeof read === "string") {
    throw new SentinelError(
      "bad_text",
      `when cannot be read: ${read}.`,
      `Write it like ${WHEN_EXAMPLE}.`,
    );
  }
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
  if (tooMuch === undefined) {
    return;
  }
  throw new SentinelError(
    "over_limit",
    `when has ${tooMuch}, so nothing was saved. It would be: ${whenText(when)}`,
    'Call again with a shorter when, or with "none" to do without it.',
  );
}

/** Redacts the reason for a removal, because it's shared like the lessons. Empty without a reason. */
export function prepareReason(
  text: string,
  words: OwnWords,
): Pick<Prepared, "redactions"> & { reason: string } {
  const redactions: FieldRedaction[] = [];
  return { reason: redactedIfSaid("reason", text, words, redactions), redactions };
}

const IS_REGEX = "Only error: takes a regular expression.";
type List = (typeof LISTS)[number];

/** The form of a value that can never match, and the fix. */
interface Problem {
  readonly form: RegExp;
  readonly fix: string;
}

/** A path from the root of a disk, or one that leads out of the project. Other paths that begin with a slash are in the project. */
const OUTSIDE =
  /^(?:~|[A-Za-z]:[/\\]|\.\.(?:[/\\]|$)|\/(?:home|Users)\/[^/*]+\/|\/(?:etc|usr|var|tmp|opt|root|mnt|private)\/)/;

/** Each form recognizes a pattern by characters that plain values of its list don't contain. Words may contain dots, pluses and stars, like node.js, C++ and SELECT *. */
const PROBLEMS: Readonly<Record<List, readonly Problem[]>> = {
  errors: [
    {
      form: /^\/.*[\\^$*+?()[\]{}|].*\/[dgimsuvy]+$/s,
      fix: "It has flags after its last slash. Leave them out: errors match in any case.",
    },
  ],
  words: [
    {
      form: /^\^.|.\$$|\.[*+]|[^|]\|[^|>]|\\|\[[^\]]+\]|^\/[^/]+\/[gimsuy]*$/su,
      fix: "Use error: for a regular expression, which a failed call prints, or give plain words.",
    },
    {
      form: /[\p{L}\p{N}]\*$|^\*[\p{L}\p{N}]/u,
      fix: "Words match as a whole. Give each form of the word.",
    },
  ],
  commands: [
    {
      form: /^\^|^\/.+\/$|^\/.*[\\^$*+?()[\]{}|].*\/[gimsuy]+$/s,
      fix: `${IS_REGEX} Give the words that the command begins with, or a * for any text.`,
    },
  ],
  // A path may begin and end with a slash, and may contain stars and brackets.
  paths: [
    {
      form: /^\/.*(?:\.[*+]|\\[./dsw]|\|).*\/[dgimsuvy]*$/s,
      fix: `${IS_REGEX} Give a glob, like src/**/*.ts.`,
    },
    { form: /^!/, fix: "Give it as an exception: not path." },
    { form: OUTSIDE, fix: "Paths are in the project's folder. Give it from there, like src/**." },
  ],
  branches: [
    { form: /^\^|.\$$|\||^\/.+\/[gimsuy]*$/s, fix: `${IS_REGEX} Give a glob, like release/*.` },
  ],
};

/** Refuses a `when` that can never match. Otherwise its lesson would never come up, without any explanation. @throws SentinelError `bad_text`. */
function mustBeAbleToMatch(when: When): void {
  mustBeGlobs(when);
  mustBeTimes(when);
  const { not = {} } = when;
  for (const list of LISTS) {
    for (const text of when[list] ?? []) {
      mustMatch(list, text);
    }
  }
  for (const list of EXCEPTIONS) {
    for (const text of not[list] ?? []) {
      mustMatch(list, text);
      if (when[list]?.includes(text)) {
        throw never(`${quoted(text)} is among its ${list} and excluded too`, LEAVE_ONE_OUT);
      }
    }
  }
  if (when.all) {
    mustMatchTogether(when);
  }
}

const LEAVE_ONE_OUT = "Leave one of the two out.";

function mustMatch(list: List, text: string): void {
  const value = `${quoted(text)} among its ${list}`;
  const problem = PROBLEMS[list].find(({ form }) => form.test(text));
  if (problem) {
    throw never(value, problem.fix);
  }
  if (list === "commands" && simpleCommands(text).length > 1) {
    throw never(`${value} is several commands, which are matched one by one`, "Give each alone.");
  }
}

function mustBeGlobs({ paths = [], branches = [], not = {} }: When): void {
  const { paths: otherPaths = [], branches: otherBranches = [] } = not;
  const globs = [...paths, ...branches, ...otherPaths, ...otherBranches];
  if (globs.some(hasBraces)) {
    throw new SentinelError(
      "bad_text",
      "A path of when has braces, which are not understood.",
      "Give one path for each.",
    );
  }
}

function mustBeTimes({ from, until }: When): void {
  for (const time of [from, until]) {
    if (time !== undefined && !isDayOrMinute(time)) {
      throw new SentinelError(
        "bad_text",
        `when has the time ${quoted(time)}, which is not a day or a minute.`,
        "Write it as 2026-12-31, or as 2026-12-31 10:00 in local time. Nothing was saved.",
      );
    }
  }
  if (from !== undefined && until !== undefined && until < from.slice(0, until.length)) {
    throw never("from is after until", "Swap the two.");
  }
}

/** With `all`, its values must be able to match at the same time. Work has either a prompt or an action, never both. */
function mustMatchTogether({ commands, errors, paths, words }: When): void {
  const needsPrompt = words !== undefined;
  const needsCall = commands !== undefined || errors !== undefined;
  const hasValue = needsPrompt || needsCall || paths !== undefined;
  if (hasValue && !(needsPrompt && needsCall)) {
    return;
  }
  throw never(
    "all has no values that one prompt or one call can have together",
    "Add a command, an error or a path, or only words. Leave all out if one value is enough.",
  );
}

const never = (why: string, fix: string): SentinelError =>
  new SentinelError("bad_text", `when would never match: ${why}.`, `${fix} Nothing was saved.`);

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));
