/** What projections read of events, whole or in brief. Pure. */
import { compare } from "../../ground/core/text.ts";
import type { Content, Event, Shown } from "./event.ts";
import type { Said } from "./kinds.ts";

export type BriefEvent = Said &
  Pick<Event, "id" | "ts" | "session" | "agent" | "actor" | "refs" | "place" | "person"> &
  Shown;

/** The event with less content. Whose it is and who may see it only where that differs from most. */
export function inBrief(event: Event, content: Content): BriefEvent {
  const { id, ts, session, agent, actor, kind, refs, place, channel, sensitivity, person } = event;
  const brief = {
    ...{ id, ts, session, agent, actor, kind, content, refs },
    ...(place?.branch !== undefined && { place: { branch: place.branch } }),
    ...(channel !== "private" && { channel }),
    ...(sensitivity !== "none" && { sensitivity }),
    ...(person !== undefined && { person }),
  };
  return brief as BriefEvent;
}

/** What is somebody else's names the person. */
interface Whose {
  readonly person?: string | undefined;
}

/** What tells sessions apart: one of somebody else is another session, whatever id they gave it. */
export function sessionKey({ session, person }: Whose & { readonly session: string }): string {
  return person === undefined ? session : JSON.stringify([session, person]);
}

/** The reader's own, then what is of others; each in its order. */
export function ownFirst<Item extends Whose>(items: readonly Item[]): Item[] {
  return [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
}

export const isOwn = ({ person }: Whose): boolean => person === undefined;

/** A person at the command line is in no session; the session log keeps what they say there under this name. */
export const COMMAND_LINE = { session: "command-line", agent: "sentinel-memory" } as const;

export const isOfCommandLine = ({ agent }: Pick<BriefEvent, "agent">): boolean => agent === COMMAND_LINE.agent;

/** In order of time; of one millisecond by their ids, so that the order in which they arrive does not matter. */
export function inTime<E extends Pick<BriefEvent, "id" | "ts">>(events: Iterable<E>): E[] {
  return [...events].sort((a, b) => compare(a.ts, b.ts) || compare(a.id, b.id));
}
