/** What a text of an event loses before anything of it is written: private passages, secrets, then the person's own words. */
import { redactLong } from "../redaction/long-text.ts";
import { hidePrivate } from "../redaction/private.ts";
import type { RedactedText } from "../redaction/redact.ts";

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

/**
 * Takes out private passages, then secrets, then own words. In a message a private tag that is never closed hides the rest; in
 * what a tool got or printed it is text.
 *
 * @param withoutOwnWords replaces what the person never wants to be stored; it gets redacted text.
 */
export function eventRedactor(withoutOwnWords: (text: string) => string = (text) => text): Redactor {
  const remembered = new Map<string, Redacted>();
  return (text, speech) => {
    if (text.length > LONGEST_REMEMBERED) return redactText(text, speech, withoutOwnWords);
    const key = `${speech} ${text}`;
    const known = remembered.get(key);
    if (known) return known;
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    const redacted = redactText(text, speech, withoutOwnWords);
    remembered.set(key, redacted);
    return redacted;
  };
}

function redactText(text: string, speech: Speech, withoutOwnWords: (text: string) => string): Redacted {
  const mayHide = speech !== "fields" && /private/i.test(text);
  const visible = mayHide ? hidePrivate(text, speech === "message" ? "hides the rest" : "is text").text : text;
  const { text: harmless, findings } = redactLong(visible);
  const left = withoutOwnWords(harmless) as RedactedText;
  const kinds = findings.map(({ kind }) => kind);
  return { text: left, kinds: left === harmless ? kinds : [...kinds, OWN_WORDS] };
}
