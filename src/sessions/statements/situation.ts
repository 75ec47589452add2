/** What is known when something is said: who says it, and what the session log has of what it names. */
import type { BriefEvent } from "../kinds/brief-event.ts";
import type { Actor, Channel, Content, Kind, Place } from "../kinds/event.ts";

/** What an id names. */
export interface Named {
  /** Whole, also where the id is a short one. */
  readonly id: string;
  /** Of the event, also of one that has the chunk. */
  readonly kind: Kind;
}

/** What a draft needs besides what was said. */
export interface Situation {
  readonly session: string;
  readonly agent: string;
  readonly by: Actor;
  readonly place?: Place;
  /** Where it goes if it names no channel; `private` where it is absent. */
  readonly channel?: Channel | undefined;
  /** By each id of `idsIn`, as it was given; those that the session log does not have are missing. */
  readonly named: ReadonlyMap<string, Named>;
  readonly ledger: readonly BriefEvent[];
  /** The content of a pin as it would be stored: without secrets, and cut. */
  readonly stored: (content: Content) => Content;
}
