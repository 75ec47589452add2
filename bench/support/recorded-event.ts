/** Events as a record holds them, for benches that bring texts of their own. */
import { type Content, type Event, eventId, identityFrom } from "../../src/sessions/kinds/event.ts";

export interface Recorded {
  readonly session: string;
  /** ISO 8601. */
  readonly ts: string;
  /** What makes its id. */
  readonly origin: string;
  readonly actor: Event["actor"]["type"];
  readonly kind: Event["kind"];
  readonly content: Content;
}

export function recordedEvent({ session, ts, origin, actor, kind, content }: Recorded): Event {
  return {
    id: eventId(Date.parse(ts), identityFrom(origin)),
    ts,
    session,
    agent: "agent",
    channel: "private",
    // A daemon refuses other ids of a person, but for the one that the token belongs to.
    actor: { type: actor, id: actor === "human" ? "user" : actor },
    kind,
    content,
    origin,
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: "",
  };
}
