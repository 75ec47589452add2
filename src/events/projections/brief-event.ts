/** What projections read of events, whole or in brief. Pure. */
import type { Content, Event, Json } from "../event.ts";

export type BriefEvent = Pick<
  Event,
  "id" | "ts" | "session" | "agent" | "actor" | "kind" | "content" | "refs" | "place" | "person"
> & {
  /** `private` where it is absent. */
  readonly channel?: Event["channel"];
  /** `none` where it is absent. */
  readonly sensitivity?: Event["sensitivity"];
};

/** Whose an event is and who may see it, as a brief has it: only what differs from most. */
export function whoseOf({
  channel,
  sensitivity,
  person,
}: Event): Pick<BriefEvent, "channel" | "sensitivity" | "person"> {
  return {
    ...(channel !== "private" && { channel }),
    ...(sensitivity !== "none" && { sensitivity }),
    ...(person !== undefined && { person }),
  };
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

export function isOwn({ person }: Whose): boolean {
  return person === undefined;
}

/** A person at the command line is in no session; the record keeps what they say there under this name. */
export const COMMAND_LINE = { session: "command-line", agent: "sentinel-memory" } as const;

export function isOfCommandLine({ agent }: Pick<BriefEvent, "agent">): boolean {
  return agent === COMMAND_LINE.agent;
}

/** In order of time; of one millisecond by their ids, so that the order in which they arrive does not matter. */
export function inTime<E extends Pick<BriefEvent, "id" | "ts">>(events: Iterable<E>): E[] {
  return [...events].sort((a, b) => compare(a.ts, b.ts) || compare(a.id, b.id));
}

/** Whether a person said it, or an agent says that a person did. */
export function isFromPerson({ kind, actor, content }: Pick<Event, "kind" | "actor" | "content">): boolean {
  return kind === "message" && (actor.type === "human" || isQuoted(content));
}

/** Whether that is only what an agent says. */
export function isQuoted({ quotes }: Content): boolean {
  return quotes === "human";
}

/** Whether a child agent said or did it. */
export function isOfChildAgent({ agent }: Pick<BriefEvent, "agent">): boolean {
  return agent.includes("/");
}

/** The texts of a list; a text alone is one. */
export function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textIn(item) ?? []);
  return typeof value === "string" ? [value] : [];
}

/** The files that a call worked on. */
export function pathsIn({ path = null, other_paths = null }: Content): string[] {
  return [...textsIn(path), ...textsIn(other_paths)];
}

export function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
