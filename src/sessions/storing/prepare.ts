/** Turns a draft into the event to store. Redacts every text of every field before cutting long ones. */
import type { Event, EventDraft } from "../kinds/event.ts";
import { contentHash, eventId, identityFrom, identityIn, identityOf } from "../kinds/event.ts";
import { narrowed } from "../kinds/narrow.ts";
import { checkDraft, readTime } from "./check-draft.ts";
import { cutContent } from "./cut-content.ts";
import { redactDraft } from "./redact-draft.ts";
import type { Redactor } from "./redactor.ts";

export interface Prepared {
  readonly event: Event;
  /** The content as JSON, which the hash is computed from. */
  readonly contentJson: string;
  readonly artifacts: ReadonlyMap<string, string>;
}

/** Defaults for the fields that a draft doesn't set. */
export interface Circumstances {
  readonly redactor: Redactor;
  /** Ms since 1970, for a draft without a time. */
  readonly now: number;
  /** 10 random bytes, for a draft without an id, an origin or a key. */
  readonly random: Uint8Array;
}

/** @throws SentinelError `bad_argument` for an invalid draft. */
export function prepare(draft: EventDraft, { redactor, now, random }: Circumstances): Prepared {
  checkDraft(draft);
  const redacted = redactDraft(draft, redactor);
  const {
    session,
    agent,
    channel = "private",
    actor,
    kind,
    refs = [],
    tags = [],
    sensitivity = "none",
  } = redacted;
  const { origin, place } = redacted;
  const { content, artifacts } = cutContent(kind, redacted.content);
  const time = draft.ts === undefined ? now : readTime("ts", draft.ts);
  const named = draft.origin ?? draft.key;
  const identity = named === undefined ? identityOf(random) : identityFrom(named);
  const contentJson = JSON.stringify(content);
  const event: Event = narrowed({
    id: eventId(time, draft.id === undefined ? identity : identityIn(draft.id)),
    ts: new Date(time).toISOString(),
    session,
    agent,
    channel,
    actor,
    kind,
    content,
    refs,
    tags,
    sensitivity,
    hash: contentHash(kind, contentJson),
    origin,
    place,
  });
  return { event, contentJson, artifacts };
}
