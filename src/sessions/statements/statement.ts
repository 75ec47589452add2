/** What can be said into the session log, by an agent or at the command line, and what is known when it is. Pure. */
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

/** By name, as they were given: they may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is said: the kinds have a form for it. */
export interface Statement {
  readonly kind: StatedKind;
  /** `human` where an agent quotes a person. */
  readonly actor?: "agent" | "human" | undefined;
  /** Ids of what it rests on: of events, whole or short, of chunks or of artifacts. */
  readonly refs?: readonly string[] | undefined;
  /** `private` where it is absent. */
  readonly channel?: Channel | undefined;
  /** `none` where it is absent. */
  readonly sensitivity?: Sensitivity | undefined;
  readonly fields: Fields;
}

/** The whole id of what a given one names, and the kind of its event. */
export interface Named {
  readonly id: string;
  readonly kind: Kind;
  /** Whether it is a message of neither the user nor the agent. */
  readonly isOtherVoice?: boolean;
  /** What an update calls its task, and in which session. */
  readonly task?: Pick<Task, "session" | "task">;
}

/** Who says it, and what the session log has of what it names: a draft needs both. */
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

const UNCHANGED = "Nothing was recorded.";

export function refused(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", what, `${fix} ${UNCHANGED}`);
}

/** A text of the caller in a message. */
export const inShort = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
