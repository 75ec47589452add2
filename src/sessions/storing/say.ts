/** Records a statement in the session log, after resolving the ids it refers to and checking it. */
import {
  type Event,
  type EventDraft,
  eventId,
  identityFrom,
  identityIn,
  type Place,
  shortEventId,
} from "../kinds/event.ts";
import { draftOf, idsIn } from "../statements/draft-of.ts";
import type { Situation, Statement } from "../statements/statement.ts";
import type { EventStore } from "../store.ts";
import { namedIn } from "./named-ids.ts";

export interface Speaker
  extends Pick<Situation, "session" | "agent" | "by" | "channel" | "redact"> {
  readonly place: Place;
  /** A retry with the same key in the same session is the same event. */
  readonly key?: string | undefined;
}

export interface Said {
  /** The stored event. Undefined if it was purged earlier. */
  readonly event: Event | undefined;
  /** Whether it was stored before this call. */
  readonly isRepeated: boolean;
}

/** @param append stores a draft if the user agreed to it. @throws SentinelError `bad_argument`, and the errors of `append`. */
export async function say(
  statement: Statement,
  { key, ...speaker }: Speaker,
  store: Pick<EventStore, "find" | "artifact" | "brief">,
  append: (draft: EventDraft) => Promise<Event | undefined>,
): Promise<Said> {
  const whole = key === undefined ? undefined : `said:${speaker.agent}:${speaker.session}:${key}`;
  if (whole !== undefined) {
    const identity = identityFrom(whole);
    const found = await store.find([shortEventId(eventId(0, identity))]);
    const known = found.find(({ id }) => identityIn(id) === identity);
    if (known) {
      return { event: known, isRepeated: true };
    }
  }
  const [named, ledger] = await Promise.all([
    namedIn(store, idsIn(statement)),
    store.brief("ledger"),
  ]);
  const draft = draftOf(statement, { ...speaker, named, ledger });
  return { event: await append({ ...draft, key: whole }), isRepeated: false };
}
