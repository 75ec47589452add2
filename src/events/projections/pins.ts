/** What somebody wants to stay in view. Pure. */

import { type BriefEvent, inTime, textIn } from "./brief-event.ts";
import { standingOf } from "./superseded.ts";

export interface Pin {
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly session: string;
  readonly text: string;
}

/** The pins that no later one replaces, the earliest first. @param events of any kind, in any order. */
export function pinsOf(events: Iterable<BriefEvent>): Pin[] {
  const pins = inTime(events).filter(({ kind }) => kind === "pin");
  return standingOf(pins)
    .filter(({ supersededBy }) => supersededBy.length === 0)
    .map(({ event: { id, ts, session, content } }) => ({ id, ts, session, text: textIn(content.text) ?? "" }));
}
