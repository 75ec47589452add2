/** Bodies of nearly as many bytes as a daemon takes in one call, each hard in its own way. */
import { message } from "../contracts/event-store.ts";

const BYTES = 8_000_000;
const filled = (part: string, bytes = BYTES) => part.repeat(Math.floor(bytes / part.length));
const draft = (text: string) => JSON.stringify({ drafts: [message(text)] });
/** An event whose content is this JSON. */
const withContent = (content: string) => draft("").replace('{"text":""}', `{"value":${content}}`);

export const LARGE_BODIES = {
  "lists in lists": `{"drafts":${filled("[")}`,
  "lists in lists that end": `{"drafts":[${filled("[", BYTES / 2)}${filled("]", BYTES / 2)}]}`,
  "empty lists": `{"drafts":[${filled("[],")}[]]}`,
  "empty objects in an event": withContent(`[${filled("{},")}{}]`),
  "events that are none": `{"drafts":[${filled("{},", 1_000_000)}{}]}`,
  "a text like encoded data": draft(filled("aGVsbG8gd29ybGQ3Qk1x")),
  "a text of lines": draft(filled("a line of what a tool printed, with user=ann and a word\n")),
} as const;
