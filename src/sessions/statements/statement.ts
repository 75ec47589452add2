/** A statement to the session log, from an agent or the command line, and its context. Pure. */
import { SentinelError } from "../../ground/core/errors.ts";
import type {
  Actor,
  BriefEvent,
  Channel,
  Content,
  Kind,
  Place,
  Sensitivity,
} from "../kinds/event.ts";
import type { StatedKind } from "../kinds/kinds.ts";
import type { Task } from "../projections/tasks.ts";

/** Fields by name, not yet validated. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Statement {
  readonly kind: StatedKind;
  /** `human` if an agent quotes a person. */
  readonly actor?: "agent" | "human" | undefined;
  /** Ids of its grounds: events (whole or short ids), chunks or artifacts. */
  readonly refs?: readonly string[] | undefined;
  /** The default is `private`. */
  readonly channel?: Channel | undefined;
  /** The default is `none`. */
  readonly sensitivity?: Sensitivity | undefined;
  readonly fields: Fields;
}

/** The whole id and the kind of an event that the statement refers to. */
export interface Named {
  readonly id: string;
  readonly kind: Kind;
  /** Whether it's a message from neither the user nor the agent. */
  readonly isOtherVoice?: boolean;
  /** The task of an update, and its session. */
  readonly task?: Pick<Task, "session" | "task">;
}

/** The speaker, and the recorded events that the statement refers to. */
export interface Situation {
  readonly session: string;
  readonly agent: string;
  readonly by: Actor;
  readonly place?: Place;
  /** The channel for a statement without one. The default is `private`. */
  readonly channel?: Channel | undefined;
  /** Keyed by each id of `idsIn` as given. Unknown ids are missing. */
  readonly named: ReadonlyMap<string, Named>;
  readonly ledger: readonly BriefEvent[];
  /** Redacts a content as the store does, so it can be compared with the ledger. Without it, contents are compared as given. */
  readonly redact?: (content: Content) => Content;
}

const UNCHANGED = "Nothing was recorded.";

export function refused(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", what, `${fix} ${UNCHANGED}`);
}

/** Shortens the caller's text for a message. */
export const inShort = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
