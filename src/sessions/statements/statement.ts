/** What can be said into the session log, by an agent or at the command line: the kinds have a form for it. Pure. */
import type { Channel, Sensitivity } from "../kinds/event.ts";
import type { StatedKind } from "../kinds/kinds.ts";

/** By name, as they were given: they may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

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
