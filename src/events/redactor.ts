/** What a text of an event loses before anything of it is written: private passages, secrets, then the person's own words. */
import { Lately } from "../core/lately.ts";
import { remembering } from "../core/remembering.ts";
import { redactLong } from "../redaction/long-text.ts";
import { hidePrivate } from "../redaction/private.ts";
import type { RedactedText, Redaction } from "../redaction/redact.ts";

/**
 * Whose words a text is. A person or an agent writes a private tag on purpose; in what a tool prints it may be anything. `fields`
 * is JSON of texts that were redacted one by one: no private passage reaches from one to another.
 */
export type Speech = "message" | "tool" | "fields";

interface Redacted {
  readonly text: RedactedText;
  /** What was taken out, once each: kinds such as `password`, never a value. */
  readonly kinds: readonly string[];
}

export type Redactor = (text: string, speech: Speech) => Redacted;

/** The kind of what the person's own words took out. */
const OWN_WORDS = "own-words";

/** Names, folders and sessions come with every event: what became of so many short texts is remembered. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

/** What sessions and lines of transcripts are called: `claude-code:0b8a1f8e-…:2`. */
const NAME = /^(?:[a-z-]{1,20}:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::(?:\d{1,12}|[a-z]{1,12})){0,2}$/;
const NUMBER = /(?<=:)\d+/g;
/** As good as any other one. */
const SOME_UUID = "0b8a1f8e-8d0c-4b7e-9a35-3f0e5b0c7d11";

/**
 * Takes out private passages, then secrets, then own words. In a message a private tag that is never closed hides the rest; in
 * what a tool got or printed it is text.
 *
 * @param withoutOwnWords replaces what the person never wants to be stored; it gets redacted text.
 */
export function eventRedactor(withoutOwnWords: (text: string) => string = (text) => text): Redactor {
  const remembered = new Lately<Redacted>(MOST_REMEMBERED);
  return (text, speech) => {
    if (text.length > LONGEST_REMEMBERED) return redactText(text, speech, withoutOwnWords);
    const key = `${speech} ${text}`;
    const known = remembered.get(key);
    if (known) return known;
    const redacted = redactText(text, speech, withoutOwnWords);
    remembered.set(key, redacted);
    return redacted;
  };
}

function redactText(text: string, speech: Speech, withoutOwnWords: (text: string) => string): Redacted {
  const mayHide = speech !== "fields" && /private/i.test(text);
  const visible = mayHide ? hidePrivate(text, speech === "message" ? "hides the rest" : "is text").text : text;
  const { text: harmless, findings } = redactSecrets(visible);
  const left = withoutOwnWords(harmless) as RedactedText;
  const kinds = findings.map(({ kind }) => kind);
  return { text: left, kinds: left === harmless ? kinds : [...kinds, OWN_WORDS] };
}

/** Each event has a name of its own, and only what stands around a UUID can make it a secret. */
function redactSecrets(text: string): Redaction {
  const uuid = text.length <= LONGEST_REMEMBERED ? NAME.exec(text)?.[1] : undefined;
  if (uuid !== undefined && isHarmless(text.replace(uuid, SOME_UUID).replace(NUMBER, "1")))
    return { text: text as RedactedText, findings: [] };
  return redactLong(text);
}

const isHarmless = remembering((name) => redactLong(name).text === name, MOST_REMEMBERED);
