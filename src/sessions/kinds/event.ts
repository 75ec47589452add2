/** An event: one thing that was said, done or decided in a session. What is stored of it never changes; a later event supersedes it. */
import { hash } from "node:crypto";
import { compare } from "../../ground/core/text.ts";
import { isUlid, TAIL_BYTES, timeOfUlid, ulidTail, ulidTime } from "../../ground/core/ulid.ts";
import { type Content, type ContentOf, type Fields, textsIn } from "./kind.ts";
import { type Kind, kindNamed, type Said } from "./kinds.ts";

export type { Content, Json } from "./kind.ts";
export { KINDS, type Kind } from "./kinds.ts";

export const CHANNELS = ["private", "team", "agent", "public"] as const;
export type Channel = (typeof CHANNELS)[number];

export const ACTOR_TYPES = ["human", "agent", "tool"] as const;

/** From what may be shown to everybody to what may be shown to nobody. */
export const SENSITIVITIES = ["none", "low", "high", "secret"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** Where the agent worked; absolute paths. */
export interface Place {
  readonly branch?: string;
  readonly worktree?: string;
  readonly cwd?: string;
}

export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** Such as `user`, the name of an agent, or `tool.Bash`. */
  readonly id: string;
}

/** What stored events and drafts have in common. */
interface Described {
  readonly session: string;
  /** The client, such as `claude-code`, or one of its child agents. */
  readonly agent: string;
  readonly actor: Actor;
  readonly place?: Place;
  /** Where it was read: the client and its own id of the line or the call. What has one origin is one event. */
  readonly origin?: string;
}

/** What an event has besides its kind and its content. */
interface Stored extends Described {
  /** `evt_` and a ULID of the time and, for 80 bits, the origin: the same line has the same one on any machine and in any store. */
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly ts: string;
  readonly channel: Channel;
  /** Ids of events, chunks or artifacts that it is about. */
  readonly refs: readonly string[];
  readonly tags: readonly string[];
  readonly sensitivity: Sensitivity;
  /** Who recorded it, where that is somebody else than the reader: only a daemon's session log has others. Not stored, and no part of the hash. */
  readonly person?: string;
  /** `sha256:` and the hex digits of SHA-256 of the kind and the content as stored: the same twice is said twice. */
  readonly hash: string;
}

/** An event as it is stored. Its kind says which content it has; one of a later version may be of another kind. */
export type Event = Stored & Said;

/** To whom an event may be shown: `private` and `none` where it does not say. */
type Shown = Partial<Pick<Stored, "channel" | "sensitivity">>;

/** An event as a writer hands it in. The store redacts and cuts it, and gives it hash, id and time where it has none. */
export interface EventDraft
  extends Described,
    Partial<Pick<Stored, "ts" | "refs" | "tags" | "id">>,
    Shown {
  readonly kind: Kind;
  /** As it was said; what is stored of it has the fields of its kind. */
  readonly content: Content;
  /** For an event without an origin: a retry with the same key is the same event. Not stored. */
  readonly key?: string;
}

export const ID_PREFIX = "evt_";
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;
/** Characters of the identity in a short id: 40 bits. */
export const SHORT_LENGTH = 8;

/** The number of bytes that `identityOf` encodes. */
export const IDENTITY_BYTES = TAIL_BYTES;

/** @param time ms since 1970; what a ULID cannot hold becomes the nearest that it can. @param identity the last 16 characters of the id. */
export const eventId = (time: number, identity: string): string =>
  ID_PREFIX + ulidTime(time) + identity;

/** What makes an event the same event: 16 characters from the first 80 bits of SHA-256 of its origin or key. */
export const identityFrom = (origin: string): string =>
  identityOf(hash("sha256", origin, "buffer"));

/** 16 characters from the first 10 bytes. */
export const identityOf = (bytes: Uint8Array): string => ulidTail(bytes);

/** The hash of an event. @param contentJson the content as stored, as JSON. */
export const contentHash = (kind: string, contentJson: string): string =>
  `sha256:${hash("sha256", `${kind} ${contentJson}`)}`;

/** The part of an event's id that two readings of the same thing have in common. */
export const identityIn = (id: string): string => id.slice(-IDENTITY_LENGTH);

/** An id in short: its end tells events apart, its beginning is a time. */
export const shortEventId = (id: string): string => ID_PREFIX + id.slice(-SHORT_LENGTH);

/** The end of the identity that a short id gives; undefined for anything else. */
export function readShortEventId(id: string): string | undefined {
  const rest = id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : "";
  return rest.length === SHORT_LENGTH ? rest.toUpperCase() : undefined;
}

/** The time and the identity that an id names; undefined where it is not the id of an event. */
export function readEventId(id: string): { time: number; identity: string } | undefined {
  const rest = id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : "";
  return isUlid(rest) ? { time: timeOfUlid(rest), identity: rest.slice(TIME_LENGTH) } : undefined;
}

/** What projections read of events, whole or in brief. */
export type BriefEvent = Said &
  Pick<Event, "id" | "ts" | "session" | "agent" | "actor" | "refs" | "place" | "person"> &
  Shown;

/** The event with less content. Whose it is and who may see it only where that differs from most. Hot: all have one shape, which is read faster. */
export function inBrief(event: BriefEvent, content: Content): BriefEvent {
  const { id, ts, session, agent, actor, kind, refs, place, channel, sensitivity, person } = event;
  const brief = {
    id,
    ts,
    session,
    agent,
    actor,
    kind,
    content,
    refs,
    place: place?.branch === undefined ? undefined : { branch: place.branch },
    channel: channel === "private" ? undefined : channel,
    sensitivity: sensitivity === "none" ? undefined : sensitivity,
    person,
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

export const isOfCommandLine = ({ agent }: Pick<BriefEvent, "agent">): boolean =>
  agent === COMMAND_LINE.agent;

/** In order of time; of one millisecond by their ids, so that the order in which they arrive does not matter. */
export function inTime<E extends Pick<BriefEvent, "id" | "ts">>(events: Iterable<E>): E[] {
  return [...events].sort((a, b) => compare(a.ts, b.ts) || compare(a.id, b.id));
}

/** The text of an event, a field a line; empty where it says nothing. */
export const eventText = (event: Pick<Event, "kind" | "content">): string =>
  searchedTexts(event).join("\n");

/** The texts by whose words an event is found. */
export function searchedTexts({
  kind,
  content,
}: Pick<Event, "kind" | "content">): readonly string[] {
  const { searched = [], searchedToo, fewestTexts = 1 } = kindNamed(kind) ?? {};
  const fields: ContentOf<Fields> = content;
  const own = searched.flatMap((field) => textsIn(fields[field]));
  const said = [...own, ...(searchedToo?.(fields) ?? [])].filter((text) => text.trim() !== "");
  return said.length < fewestTexts ? [] : said;
}
