/** Redacts the keys and texts of an object or a list, each by itself, then with its neighbours (docs/design/sessions.md, "Redaction at the door"). */

import { tryOr } from "../../ground/core/errors.ts";
import type { Content, Json } from "../kinds/event.ts";
import { isList } from "./field-texts.ts";

type Change = (text: string) => string;

/** Longer texts are prose or output, which say themselves what is secret in them; a recovery phrase of 24 words is shorter. */
const LONGEST_VALUE = 1_000;
const LONGEST_PHRASE = 250;
/** Made by this session log and at random. What stands beside an id says nothing of it: a decision may end in "a token" and name another one. */
const ID = /^(?:(?:evt|chk)_[0-9A-Z]{26}(?:_\d+)?|art_[0-9a-f]{64})$/;
/** In place of what its neighbours cannot make a secret. */
const ELSEWHERE = "…";
/** More than any tool says at once, in all and in one object; what has more becomes a text. */
const MOST_VALUES = 5_000;
const MOST_FIELDS = 500;
/** What is nested deeper becomes a text. */
const DEEPEST = 32;
const UNREADABLE = "[REDACTED]";

/** The object with every key and text redacted, in its shape. @param cleanFields redacts JSON of texts that were redacted already. */
export function redactValue(content: Content, clean: Change, cleanFields: Change): Content {
  const cleaned = cleanTexts(content, clean);
  const outline = JSON.stringify(
    mapTexts(cleaned, (text) => (speaksForItself(text) ? ELSEWHERE : text), DEEPEST),
  );
  const redacted = cleanFields(outline);
  if (redacted === outline) return cleaned as Content;
  const parsed: Json | undefined = tryOr(() => JSON.parse(redacted), undefined);
  // Where a secret reaches beyond one text, the marks do not say what of each is harmless.
  const isHarmless = (text: string): string => (speaksForItself(text) ? text : UNREADABLE);
  return (join(cleaned, parsed) ?? mapTexts(cleaned, isHarmless, DEEPEST)) as Content;
}

/** Each different text once. */
function cleanTexts(content: Content, clean: Change): Json {
  const map = isLarge(content)
    ? asTexts
    : (value: Content, change: Change) => mapTexts(value, change, DEEPEST);
  const cleaned = new Map<string, string>();
  map(content, (text) => {
    cleaned.set(text, "");
    return text;
  });
  for (const text of cleaned.keys()) cleaned.set(text, clean(text));
  return map(content, (text) => cleaned.get(text) as string);
}

/** Whether it holds so many keys and values that to redact each by itself would take seconds. */
function isLarge(content: Content): boolean {
  const open: Json[] = [content];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= MOST_VALUES; value = open.pop()) {
    if (value === null || typeof value !== "object") continue;
    const items = Object.values(value).filter((item) => item !== undefined);
    count += items.length;
    for (const item of items) open.push(item);
  }
  return count > MOST_VALUES;
}

/** JSON in place of each list and object; where there are too many fields, in place of all of them. */
function asTexts(content: Content, change: Change): Json {
  return Object.keys(content).length > MOST_FIELDS
    ? { text: change(JSON.stringify(content)) }
    : mapTexts(content, change, 1);
}

function speaksForItself(text: string): boolean {
  return (
    text.length > LONGEST_VALUE ||
    (text.length > LONGEST_PHRASE && /\s/.test(text)) ||
    ID.test(text)
  );
}

function mapTexts(value: Json, change: Change, depth: number): Json {
  if (typeof value === "string") return change(value);
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return change(JSON.stringify(value));
  if (isList(value)) return value.map((item) => mapTexts(item, change, depth - 1));
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [[change(key), mapTexts(item, change, depth - 1)] as const],
  );
  return Object.fromEntries(entries);
}

/** The outline with the texts of the value that are not in it; undefined where their shapes differ. */
function join(value: Json | undefined, outline: Json | undefined): Json | undefined {
  if (typeof value === "string")
    return typeof outline !== "string" ? undefined : speaksForItself(value) ? value : outline;
  if (value === null || typeof value !== "object") return outline === value ? value : undefined;
  if (outline === null || typeof outline !== "object" || isList(value) !== isList(outline))
    return undefined;
  const ours = Object.values(value);
  const theirs = Object.values(outline);
  const joined = ours.map((item, at) => join(item, theirs[at]));
  if (ours.length !== theirs.length || joined.includes(undefined)) return undefined;
  if (isList(value)) return joined as Json[];
  return Object.fromEntries(Object.keys(outline).map((key, at) => [key, joined[at] as Json]));
}
