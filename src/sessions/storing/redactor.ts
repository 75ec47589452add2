import { memoize, RecentCache } from "../../ground/core/memoize.ts";
import { redactLong } from "../../ground/redaction/long-text.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";

/** The source of a text. Private tags are meant as such in a `message`, but can be ordinary text in a `tool`. `fields` is JSON of texts that were redacted one by one. */
export type Speech = "message" | "tool" | "fields";

interface Redacted {
  readonly text: RedactedText;
  /** The distinct kinds of redacted passages, such as `password`. Never contains a value. */
  readonly kinds: readonly string[];
}

/** Milliseconds spent so far on the texts of one event. */
export interface Spent {
  ms: number;
}

/** Redacts one text. The texts of an event share `spent`, and so its time limit. */
export type Redactor = (text: string, speech: Speech, spent?: Spent) => Redacted;

/** Time limits for finding secrets in a text, in ms (docs/design/sessions.md, "Redaction at the door"). */
const PATIENCE = {
  /** The current time, counted from an arbitrary start. */
  now: () => performance.now(),
  /** The limit for a text of this many characters. */
  textMs: (length: number) => 500 + length / 50,
  /** The limit for all texts of an event. */
  eventMs: 10_000,
};
type Patience = Readonly<typeof PATIENCE>;

/** The kind of passages that the user's own words and patterns redacted. */
const OWN_WORDS = "own-words";
/** The kind of passages that weren't checked within the time limit. */
const NOT_CHECKED = "not-checked";
/** The kind of private passages. */
export const PRIVATE = "private";

/** The number of short texts to cache with their results, because names, folders and sessions recur in every event. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

/** Matches the ids of sessions and of lines in transcripts, such as `claude-code:0b8a1f8e-…:2`. */
const NAME =
  /^(?:[a-z-]{1,20}:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::(?:\d{1,12}|[a-z]{1,12})){0,2}$/;
const NUMBER = /(?<=:)\d+/g;
/** Replaces the UUID of a name, so that one check serves all names of the same form. */
const SOME_UUID = "0b8a1f8e-8d0c-4b7e-9a35-3f0e5b0c7d11";

/** Returns a redactor of private passages, then secrets, then the user's own words. */
export function eventRedactor(
  words: OwnWords = NO_OWN_WORDS,
  patience: Patience = PATIENCE,
): Redactor {
  const remembered = new RecentCache<Redacted>(MOST_REMEMBERED);
  return (text, speech, spent = { ms: 0 }) => {
    const isShort = text.length <= LONGEST_REMEMBERED;
    const key = `${speech} ${text}`;
    const known = isShort ? remembered.get(key) : undefined;
    if (known) {
      return known;
    }
    const shown = withoutPrivate(text, speech);
    const checked = isShort ? redactShort(shown.text) : redactInTime(shown.text, spent, patience);
    const { text: left, findings } = words.redact(checked.text);
    const own = findings.map(({ kind }) => (kind.startsWith("own-") ? OWN_WORDS : kind));
    const hidden = shown.count > 0 ? [PRIVATE] : [];
    const redacted = { text: left, kinds: [...new Set([...checked.kinds, ...own, ...hidden])] };
    if (isShort) {
      remembered.set(key, redacted);
    }
    return redacted;
  };
}

function withoutPrivate(text: string, speech: Speech): { text: string; count: number } {
  const mayHide = speech !== "fields" && /private/i.test(text);
  if (!mayHide) {
    return { text, count: 0 };
  }
  return hidePrivate(text, speech === "message" ? "hides the rest" : "is text");
}

function redactInTime(text: string, spent: Spent, { now, textMs, eventMs }: Patience): Redacted {
  const ms = Math.min(textMs(text.length), eventMs - spent.ms);
  const { text: harmless, findings, unread, tookMs } = redactLong(text, { now, ms });
  spent.ms += tookMs;
  const kinds = findings.map(({ kind }) => kind);
  return { text: harmless, kinds: unread > 0 ? [...kinds, NOT_CHECKED] : kinds };
}

/** Redacts a short text without a time limit, so that a long text in the same event can't cost the event its session. */
function redactShort(text: string): Redacted {
  // A UUID is a secret only because of the text around it, so one check serves all names that differ in nothing else.
  const uuid = NAME.exec(text)?.[1];
  if (uuid !== undefined && isHarmless(text.replace(uuid, SOME_UUID).replace(NUMBER, "1"))) {
    return { text: text as RedactedText, kinds: [] };
  }
  const { text: harmless, findings } = redactLong(text);
  return { text: harmless, kinds: findings.map(({ kind }) => kind) };
}

const isHarmless = memoize((name) => redactLong(name).text === name, MOST_REMEMBERED);
