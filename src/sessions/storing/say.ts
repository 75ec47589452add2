/** Records a statement in the session log, after resolving the ids it refers to and checking it. */
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import {
  type Actor,
  type Content,
  type Event,
  type EventDraft,
  eventId,
  identityFrom,
  identityIn,
  type Place,
  shortEventId,
} from "../kinds/event.ts";
import { redactedFields, saysTheSame } from "../statements/as-stored.ts";
import { fieldsOf } from "../statements/check-fields.ts";
import { draftOf, idsIn } from "../statements/draft-of.ts";
import { pinnedAlready } from "../statements/pins.ts";
import type { Situation, Statement } from "../statements/statement.ts";
import type { EventStore } from "../store.ts";
import { cutContent } from "./cut-content.ts";
import { namedIn } from "./named-ids.ts";
import { redactValue } from "./redact-value.ts";
import { eventRedactor } from "./redactor.ts";

export interface Speaker extends Pick<Situation, "session" | "agent" | "by" | "channel"> {
  readonly place: Place;
  readonly words: OwnWords;
  /** A retry with the same key in the same session is the same event. */
  readonly key?: string | undefined;
}

export interface Said {
  /** The stored event. Undefined if it was purged earlier. */
  readonly event: Event | undefined;
  /** Whether it was stored before this call. */
  readonly isRepeated: boolean;
  /** Whether an event stored before differs from this statement. */
  readonly differs: boolean;
  /** The fields in which a secret or a private passage was redacted before storing. */
  readonly redacted: readonly string[];
}

/** @param append stores a draft if the user agreed to it. @throws SentinelError `bad_argument`, and the errors of `append`. */
export async function say(
  statement: Statement,
  { key, words, ...speaker }: Speaker,
  store: Pick<EventStore, "find" | "artifact" | "brief">,
  append: (draft: EventDraft) => Promise<Event | undefined>,
): Promise<Said> {
  const whole = key === undefined ? undefined : `said:${speaker.agent}:${speaker.session}:${key}`;
  if (whole !== undefined) {
    const identity = identityFrom(whole);
    const found = await store.find([shortEventId(eventId(0, identity))]);
    const known = found.find(({ id }) => identityIn(id) === identity);
    if (known) return repeated(known, statement, speaker.by);
  }
  const [named, ledger] = await Promise.all([
    namedIn(store, idsIn(statement)),
    store.brief("ledger"),
  ]);
  const situation = { ...speaker, named, ledger, stored: storedPin(words) };
  const draft = draftOf(statement, situation);
  const same = draft.kind === "pin" ? pinnedAlready(draft, situation) : undefined;
  const [pin] = same ? await store.find([same.id]) : [];
  if (pin) return { event: pin, isRepeated: true, differs: false, redacted: [] };
  const event = await append({ ...draft, key: whole });
  return {
    event,
    isRepeated: false,
    differs: false,
    redacted: event ? redactedFields(draft, event) : [],
  };
}

/** Redacts and cuts the content of a pin as a store with these words would. */
function storedPin(words: OwnWords): (content: Content) => Content {
  const redactor = eventRedactor(words);
  return (content) => cutContent("pin", redactValue(content, redactor, "message")).content;
}

function repeated(event: Event, statement: Statement, by: Actor): Said {
  const isSame = statement.kind === event.kind && saysTheSame(event, fieldsOf(statement, by));
  return { event, isRepeated: true, differs: !isSame, redacted: [] };
}
