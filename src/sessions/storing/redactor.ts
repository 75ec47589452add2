/** Redacts secrets, private passages and the user's own words in every text of a draft, and tags the draft with their kinds. */
import { isWithinLimits } from "../../ground/core/collections.ts";
import { parseJson } from "../../ground/core/errors.ts";
import { memoize, RecentCache } from "../../ground/core/memoize.ts";
import { redactLong } from "../../ground/redaction/long-text.ts";
import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import type { RedactedText } from "../../ground/redaction/redact.ts";
import type { Actor, Content, EventDraft, Json, Place, Sensitivity } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { isList } from "./event-texts.ts";

/** The prefix of a tag with the kind of a redacted secret. */
export const REDACTED = "redacted:";

/** Longer texts are prose or output, so their neighbours aren't needed to find their secrets. A recovery phrase of 24 words is shorter. */
const LONGEST_VALUE = 1_000;
const LONGEST_PHRASE = 250;
/** Ids that this session log generates. They are never secret, even next to a text that ends in "a token". */
const ID = /^(?:(?:evt|chk)_[0-9A-Z]{26}(?:_\d+)?|art_[0-9a-f]{64})$/;
/** Replaces a text that its neighbours can't make a secret. */
const ELSEWHERE = "…";
/** The most values of a content, and the most fields of an object. No tool has more. Beyond them, values become text, because redacting them one by one would take seconds. */
const MOST_VALUES = 5_000;
const MOST_FIELDS = 500;
/** Values nested deeper become text. */
const DEEPEST = 32;
const UNREADABLE = "[REDACTED]";

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

/** Returns the redacted draft. The id is checked, and the key isn't stored, so both stay unchanged. */
export function redactDraft(draft: EventDraft, redactor: Redactor): EventDraft {
  const kinds = new Set<string>();
  const spent = { ms: 0 };
  const noting: Redactor = (text, speech, spent) => {
    const redacted = redactor(text, speech, spent);
    for (const kind of redacted.kinds) {
      kinds.add(kind);
    }
    return redacted;
  };
  const speech = kindNamed(draft.kind)?.isOfTools ? "tool" : "message";
  const clean = (text: string) => noting(text, speech, spent).text;
  const { id, ts, channel, key, kind } = draft;
  const content = redactValue(draft.content, noting, speech, spent);
  const session = clean(draft.session);
  const agent = clean(draft.agent);
  const actor: Actor = { type: draft.actor.type, id: clean(draft.actor.id) };
  const refs = (draft.refs ?? []).map(clean);
  const tags = (draft.tags ?? []).map(clean);
  const place = draft.place && cleanPlace(draft.place, clean);
  const origin = draft.origin === undefined ? undefined : clean(draft.origin);
  const kindTags = Array.from(kinds, (kind) => REDACTED + kind);
  const hadSecret = [...kinds].some((kind) => kind !== PRIVATE);
  const allTags = [...new Set([...tags, ...kindTags])];
  const sensitivity = sensitivityOf(draft, hadSecret);
  const redacted = { session, agent, actor, content, refs, tags: allTags, origin, place };
  return { id, ts, channel, key, kind, sensitivity, ...redacted };
}

/** Lowers `secret` to `low` after a secret was redacted. Otherwise the rest of the event could never be loaded. */
function sensitivityOf({ sensitivity = "none" }: EventDraft, hadSecret: boolean): Sensitivity {
  const isReplaced = sensitivity === "none" || sensitivity === "secret";
  return hadSecret && isReplaced ? "low" : sensitivity;
}

function cleanPlace(place: Place, clean: (text: string) => string): Place {
  const cleaned: Record<string, string> = {};
  for (const [key, text] of Object.entries(place)) {
    if (text !== undefined) {
      cleaned[key] = clean(text);
    }
  }
  return cleaned;
}

type Change = (text: string) => string;

/**
 * Redacts every key and text of an object and keeps its shape: first one by one, then together with their neighbours
 * (docs/design/sessions.md, "Redaction at the door"). @param spent shared with the other texts of the event.
 */
export function redactValue(
  content: Content,
  redactor: Redactor,
  speech: Speech,
  spent: Spent = { ms: 0 },
): Content {
  const cleaned = cleanTexts(content, (text) => redactor(text, speech, spent).text);
  const outline = JSON.stringify(
    mapAll(cleaned, (text) => (speaksForItself(text) ? ELSEWHERE : text), DEEPEST),
  );
  const redacted = redactor(outline, "fields", spent).text;
  if (redacted === outline) {
    return cleaned as Content;
  }
  const parsed = parseJson<Json>(redacted);
  // If a secret spans several texts, the harmless part of each is unknown.
  const isHarmless = (text: string): string => (speaksForItself(text) ? text : UNREADABLE);
  return (join(cleaned, parsed) ?? mapAll(cleaned, isHarmless, DEEPEST)) as Content;
}

/** If there are too many values, replaces each list and object by its JSON. With too many fields, replaces the whole content. */
function cleanTexts(content: Content, clean: Change): Json {
  const isSmall = isWithinLimits(content, Number.POSITIVE_INFINITY, MOST_VALUES);
  if (isSmall) {
    return mapAll(content, clean, DEEPEST);
  }
  if (Object.keys(content).length <= MOST_FIELDS) {
    return mapAll(content, clean, 1);
  }
  return { text: clean(JSON.stringify(content)) };
}

function speaksForItself(text: string): boolean {
  return (
    text.length > LONGEST_VALUE ||
    (text.length > LONGEST_PHRASE && /\s/.test(text)) ||
    ID.test(text)
  );
}

function mapAll(value: Json, change: Change, depth: number): Json {
  if (typeof value === "string") {
    return change(value);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (depth === 0) {
    return change(JSON.stringify(value));
  }
  if (isList(value)) {
    return value.map((item) => mapAll(item, change, depth - 1));
  }
  const entries: [key: string, item: Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) {
      entries.push([change(key), mapAll(item, change, depth - 1)]);
    }
  }
  return Object.fromEntries(entries);
}

/** The outline, completed with the texts of the value that it leaves out. Undefined if their shapes differ. */
function join(value: Json | undefined, outline: Json | undefined): Json | undefined {
  if (typeof value === "string") {
    if (typeof outline !== "string") {
      return undefined;
    }
    return speaksForItself(value) ? value : outline;
  }
  if (value === null || typeof value !== "object") {
    return outline === value ? value : undefined;
  }
  if (outline === null || typeof outline !== "object" || isList(value) !== isList(outline)) {
    return undefined;
  }
  const ours = Object.values(value);
  const theirs = Object.values(outline);
  const joined = ours.map((item, at) => join(item, theirs[at]));
  if (ours.length !== theirs.length || joined.includes(undefined)) {
    return undefined;
  }
  if (isList(value)) {
    return joined as Json[];
  }
  return Object.fromEntries(Object.keys(outline).map((key, at) => [key, joined[at] as Json]));
}

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
  if (uuid !== undefined && isHarmlessName(text.replace(uuid, SOME_UUID).replace(NUMBER, "1"))) {
    return { text: text as RedactedText, kinds: [] };
  }
  const { text: harmless, findings } = redactLong(text);
  return { text: harmless, kinds: findings.map(({ kind }) => kind) };
}

const isHarmlessName = memoize((name) => redactLong(name).text === name, MOST_REMEMBERED);
