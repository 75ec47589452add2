import { memoize } from "../../ground/core/memoize.ts";
import { RecentCache } from "../../ground/core/recent-cache.ts";
import { redactLong } from "../../ground/redaction/long-text.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";

/** Says whose words a text is: a `message` means its private tags, in a `tool` they may be anything; `fields` is JSON of texts redacted each alone. */
export type Speech = "message" | "tool" | "fields";

interface Redacted {
  readonly text: RedactedText;
  /** What was taken out, once each: kinds such as `password`, never a value. */
  readonly kinds: readonly string[];
}

/** Milliseconds that the texts of one event took until now. */
interface Spent {
  ms: number;
}

/** All texts of this process that are not short. */
export const spentInAll: Spent = { ms: 0 };

/** Redacts one text; texts of one event share what they spent. */
export type Redactor = (text: string, speech: Speech, spent?: Spent) => Redacted;

/** How long it may take to read a text for secrets, in ms (docs/design/sessions.md, "Redaction at the door"). */
const PATIENCE = {
  /** Since any point in time. */
  now: () => performance.now(),
  /** For a text of so many characters. */
  textMs: (length: number) => 500 + length / 50,
  /** For all texts of an event. */
  eventMs: 10_000,
};
type Patience = Readonly<typeof PATIENCE>;

/** The kind of what the person's own words and patterns took out. */
const OWN_WORDS = "own-words";
/** The kind of what was not read in time. */
const NOT_CHECKED = "not-checked";
/** The kind of private passages. */
export const PRIVATE = "private";

/** Names, folders and sessions come with every event: what became of so many short texts is remembered. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

/** What sessions and lines of transcripts are called: `claude-code:0b8a1f8e-…:2`. */
const NAME =
  /^(?:[a-z-]{1,20}:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::(?:\d{1,12}|[a-z]{1,12})){0,2}$/;
const NUMBER = /(?<=:)\d+/g;
/** As good as any other one. */
const SOME_UUID = "0b8a1f8e-8d0c-4b7e-9a35-3f0e5b0c7d11";

/** Takes out private passages, then secrets, then own words. */
export function eventRedactor(
  words: OwnWords = NO_OWN_WORDS,
  patience: Patience = PATIENCE,
): Redactor {
  const remembered = new RecentCache<Redacted>(MOST_REMEMBERED);
  const without = ({ text, kinds }: Redacted): Redacted => {
    const { text: left, findings } = words.redact(text);
    const own = findings.map(({ kind }) => (kind.startsWith("own-") ? OWN_WORDS : kind));
    return { text: left, kinds: [...new Set([...kinds, ...own])] };
  };
  return (text, speech, spent = { ms: 0 }) => {
    const shown = withoutPrivate(text, speech);
    const tagged = ({ text: left, kinds }: Redacted): Redacted =>
      shown.count > 0 ? { text: left, kinds: [...kinds, PRIVATE] } : { text: left, kinds };
    if (text.length > LONGEST_REMEMBERED)
      return tagged(without(redactInTime(shown.text, spent, patience)));
    const key = `${speech} ${text}`;
    const known = remembered.get(key);
    if (known) return known;
    const redacted = tagged(without(redactShort(shown.text)));
    remembered.set(key, redacted);
    return redacted;
  };
}

/** A function that returns only the redacted text. */
export function cleaning(
  redactor: Redactor,
  speech: Speech,
  spent?: Spent,
): (text: string) => string {
  return (text) => redactor(text, speech, spent).text;
}

function withoutPrivate(text: string, speech: Speech): { text: string; count: number } {
  const mayHide = speech !== "fields" && /private/i.test(text);
  if (!mayHide) return { text, count: 0 };
  return hidePrivate(text, speech === "message" ? "hides the rest" : "is text");
}

function redactInTime(text: string, spent: Spent, { now, textMs, eventMs }: Patience): Redacted {
  const ms = Math.min(textMs(text.length), eventMs - spent.ms);
  const { text: harmless, findings, unread, tookMs } = redactLong(text, { now, ms });
  spent.ms += tookMs;
  spentInAll.ms += tookMs;
  const kinds = findings.map(({ kind }) => kind);
  return { text: harmless, kinds: unread > 0 ? [...kinds, NOT_CHECKED] : kinds };
}

/** Names and other short texts take no time worth counting: an event is never without its session because of a long text beside it. */
function redactShort(text: string): Redacted {
  // Each event has a name of its own, and only what stands around a UUID can make it a secret.
  const uuid = NAME.exec(text)?.[1];
  if (uuid !== undefined && isHarmless(text.replace(uuid, SOME_UUID).replace(NUMBER, "1")))
    return { text: text as RedactedText, kinds: [] };
  const { text: harmless, findings } = redactLong(text);
  return { text: harmless, kinds: findings.map(({ kind }) => kind) };
}

const isHarmless = memoize((name) => redactLong(name).text === name, MOST_REMEMBERED);
