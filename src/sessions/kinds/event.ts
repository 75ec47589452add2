/** An event records one statement, action or decision of a session. Its stored fields never change. A later event can supersede it. */
import { hash } from "node:crypto";
import { compare } from "../../ground/core/text.ts";
import { isUlid, TAIL_BYTES, timeOfUlid, ulidTail, ulidTime } from "../../ground/core/ulid.ts";
import { type Content, type ContentOf, type Fields, textsIn } from "./kind.ts";
import { type Kind, kindNamed, type Said } from "./kinds.ts";

export type { Content, Json } from "./kind.ts";
export { KINDS, type Kind } from "./kinds.ts";

export const CHANNELS = ["private", "team", "agent", "public"] as const;
export type Channel = (typeof CHANNELS)[number];

/** The widest first. */
const CIRCLES: readonly Channel[] = ["public", "team", "agent", "private"];

/** Whether readers of a channel see the events of another. They see their own and all wider ones. */
export function isSeenIn(circle: Channel, channel: Channel = "private"): boolean {
  return CIRCLES.indexOf(channel) <= CIRCLES.indexOf(circle);
}

export const ACTOR_TYPES = ["human", "agent", "tool"] as const;

/** From least to most sensitive. Events marked `secret` are never shown. */
export const SENSITIVITIES = ["none", "low", "high", "secret"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** The agent's branch and folders. Paths are absolute. */
export interface Place {
  readonly branch?: string;
  readonly worktree?: string;
  readonly cwd?: string;
}

export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** For example `user`, an agent's name, or `tool.Bash`. */
  readonly id: string;
}

/** The fields that stored events and drafts share. */
interface Described {
  readonly session: string;
  /** The client, such as `claude-code`, or one of its child agents. */
  readonly agent: string;
  readonly actor: Actor;
  readonly place?: Place;
  /** The client and its own id of the line or call that the event was read from. Two readings with the same origin are the same event. */
  readonly origin?: string;
}

/** An event's fields besides kind and content. */
interface Stored extends Described {
  /** `evt_` and a ULID of the time and 80 bits of the origin's hash, so the same line gets the same id on any machine and in any store. */
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly ts: string;
  readonly channel: Channel;
  /** Ids of related events, chunks or artifacts. */
  readonly refs: readonly string[];
  readonly tags: readonly string[];
  readonly sensitivity: Sensitivity;
  /** The recorder, if it isn't the reader. Only a daemon's session log has such events. Not stored, and not part of the hash. */
  readonly person?: string;
  /** `sha256:` and the hex SHA-256 of the kind and the content as stored. Two events with the same hash have the same text. */
  readonly hash: string;
}

/** A stored event, typed by its kind. Later versions may write kinds that aren't in this type. */
export type Event = Stored & Said;

/** Limits who may see an event. The defaults are `private` and `none`. */
type Shown = Partial<Pick<Stored, "channel" | "sensitivity">>;

/** An event before it's stored. The store redacts and cuts it, computes its hash, and adds an id and a time if they're missing. */
export interface EventDraft
  extends Described,
    Partial<Pick<Stored, "ts" | "refs" | "tags" | "id">>,
    Shown {
  readonly kind: Kind;
  /** The content before redaction. The stored content has only the fields of its kind. */
  readonly content: Content;
  /** Identifies a retry of an event that has no origin: the same key gives the same event. Not stored. */
  readonly key?: string;
}

const ID_PREFIX = "evt_";
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;
/** Characters of the identity in a short id: 40 bits. */
export const SHORT_LENGTH = 8;

/** The number of bytes that `identityOf` encodes. */
export const IDENTITY_BYTES = TAIL_BYTES;

/** @param time ms since 1970, clamped to the range of a ULID. @param identity the last 16 characters of the id. */
export const eventId = (time: number, identity: string): string =>
  ID_PREFIX + ulidTime(time) + identity;

/** 16 characters from the first 80 bits of the SHA-256 of an origin or key. They identify the event. */
export const identityFrom = (origin: string): string =>
  identityOf(hash("sha256", origin, "buffer"));

/** 16 characters from the first 10 bytes. */
export const identityOf = (bytes: Uint8Array): string => ulidTail(bytes);

/** The hash of an event. @param contentJson the content as stored, as JSON. */
export function contentHash(kind: string, contentJson: string): string {
  const digest = hash("sha256", `${kind} ${contentJson}`);
  return `sha256:${digest}`;
}

/** The part of an event's id that doesn't depend on its time, so two readings of the same event share it. */
export const identityIn = (id: string): string => id.slice(-IDENTITY_LENGTH);

/** The short form of an id. It keeps the end, because the beginning is only a time. */
export const shortEventId = (id: string): string => ID_PREFIX + id.slice(-SHORT_LENGTH);

/** The end of the identity in a short id, or undefined for any other text. */
export function readShortEventId(id: string): string | undefined {
  const rest = id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : "";
  return rest.length === SHORT_LENGTH ? rest.toUpperCase() : undefined;
}

/** The time and identity in an event's id, or undefined for any other text. */
export function readEventId(id: string): { time: number; identity: string } | undefined {
  const rest = id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : "";
  return isUlid(rest) ? { time: timeOfUlid(rest), identity: rest.slice(TIME_LENGTH) } : undefined;
}

/** The fields of an event that projections use. */
export type BriefEvent = Said &
  Pick<Event, "id" | "ts" | "session" | "agent" | "actor" | "refs" | "place" | "person"> &
  Shown;

/**
 * The event with shorter content. Owner, channel and sensitivity are set only if they aren't the default. Hot path: all results have the
 * same shape, which is faster to read.
 */
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

/** Other people's events have `person` set. */
interface Whose {
  readonly person?: string | undefined;
}

/** Identifies a session. Another person's session is a different one, even under the same id. */
export function sessionKey({ session, person }: Whose & { readonly session: string }): string {
  return person === undefined ? session : JSON.stringify([session, person]);
}

/** Puts the reader's own items first and keeps the order otherwise. */
export function ownFirst<Item extends Whose>(items: readonly Item[]): Item[] {
  return [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
}

export const isOwn = ({ person }: Whose): boolean => person === undefined;

/** The session of statements made at the command line, outside any agent session. */
export const COMMAND_LINE = { session: "command-line", agent: "sentinel-memory" } as const;

export const isOfCommandLine = ({ agent }: Pick<BriefEvent, "agent">): boolean =>
  agent === COMMAND_LINE.agent;

/** Returns the newest session of the reader's agents. @param events in order of time. */
export function newestOwnSession(events: readonly BriefEvent[]): string | undefined {
  return events.findLast((event) => isOwn(event) && !isOfCommandLine(event))?.session;
}

/** Sorts by time, then by id, so the order of arrival doesn't matter. */
export function inTime<E extends Pick<BriefEvent, "id" | "ts">>(events: Iterable<E>): E[] {
  return [...events].sort((a, b) => compare(a.ts, b.ts) || compare(a.id, b.id));
}

/** The text of an event, one field per line. Empty if it has no searchable text. */
export const eventText = (event: Pick<Event, "kind" | "content">): string =>
  searchedTexts(event).join("\n");

/** The texts that search indexes. */
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

/** Events of the same millisecond keep their order. @param events in the order of storing. */
export const inOrder = (events: Iterable<Event>): Event[] =>
  [...events].sort(({ ts: a }, { ts: b }) => compare(a, b));

/** The earliest copy of each event. */
export function earliestOfEach(events: Iterable<Event>): readonly Event[] {
  const earliest = new Map<string, Event>();
  for (const event of events) {
    const key = identityIn(event.id);
    const known = earliest.get(key);
    // An id begins with its time.
    if (known === undefined || event.id < known.id) {
      earliest.set(key, event);
    }
  }
  return [...earliest.values()];
}
