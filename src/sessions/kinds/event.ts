/** An event: one thing that was said, done or decided in a session. What is stored of it never changes; a later event supersedes it. */
import type { Content } from "./kind.ts";
import type { Kind, Said } from "./kinds.ts";

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
  /** `evt_` and a ULID, see `event-id.ts`. */
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
export type Shown = Partial<Pick<Stored, "channel" | "sensitivity">>;

/** An event as a writer hands it in. The store redacts and cuts it, and gives it hash, id and time where it has none. */
export interface EventDraft extends Described, Partial<Pick<Stored, "ts" | "refs" | "tags" | "id">>, Shown {
  readonly kind: Kind;
  /** As it was said; what is stored of it has the fields of its kind. */
  readonly content: Content;
  /** For an event without an origin: a retry with the same key is the same event. Not stored. */
  readonly key?: string;
}
