/** Turns a draft into the event to store, and finds the drafts that aren't stored yet. Redacts every text of every field before cutting long ones. */
import { randomBytes } from "node:crypto";
import {
  contentHash,
  type Event,
  type EventDraft,
  eventId,
  IDENTITY_BYTES,
  identityFrom,
  identityIn,
  identityOf,
  isOwn,
} from "../kinds/event.ts";
import { narrowed } from "../kinds/narrow.ts";
import type { EventStore } from "../store.ts";
import { checkDraft, readTime } from "./check-draft.ts";
import { cutContent } from "./cut-content.ts";
import { type Redactor, redactDraft } from "./redactor.ts";

export interface Prepared {
  readonly event: Event;
  /** The content as JSON, which the hash is computed from. */
  readonly contentJson: string;
  readonly artifacts: ReadonlyMap<string, string>;
}

/** @param now ms since 1970, for a draft without a time. @throws SentinelError `bad_argument` for an invalid draft. */
export function prepare(draft: EventDraft, redactor: Redactor, now: number): Prepared {
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
  const contentJson = JSON.stringify(content);
  const event: Event = narrowed({
    id: eventId(time, identityFor(draft)),
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

/** The drafts that this person hasn't stored yet. Each needs an id, or a time with an origin or a key. */
export async function notStored(
  drafts: readonly EventDraft[],
  store: Pick<EventStore, "find">,
): Promise<readonly EventDraft[]> {
  const idOf = (draft: EventDraft) =>
    draft.id ?? eventId(Date.parse(draft.ts ?? ""), identityFor(draft));
  const found = await store.find(drafts.map(idOf));
  const stored = new Set(found.filter(isOwn).map(({ id }) => identityIn(id)));
  return drafts.filter((draft) => !stored.has(identityFor(draft)));
}

function identityFor({ id, origin, key }: EventDraft): string {
  if (id !== undefined) {
    return identityIn(id);
  }
  const named = origin ?? key;
  return named === undefined ? identityOf(randomBytes(IDENTITY_BYTES)) : identityFrom(named);
}
