/** What somebody wants to stay in view. Pure. */

import type { Channel, Sensitivity } from "../event.ts";
import { type BriefEvent, inTime, textIn } from "./brief-event.ts";
import { standingOf } from "./superseded.ts";

export interface Pin {
  readonly id: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly session: string;
  /** What it says: the pinned words, else the note. */
  readonly text: string;
  /** What is pinned; undefined where words stand for themselves. */
  readonly ref: string | undefined;
  /** Why it is pinned, or what it says in short. */
  readonly note: string | undefined;
  readonly channel: Channel;
  readonly sensitivity: Sensitivity;
}

/** The pins that no later one replaces or takes back, the earliest first. @param events of any kind, in any order. */
export function pinsOf(events: Iterable<BriefEvent>): Pin[] {
  const pins = inTime(events).filter(({ kind }) => kind === "pin");
  return standingOf(pins)
    .filter(({ event, supersededBy }) => supersededBy.length === 0 && event.content.removed !== true)
    .map(({ event }) => pinIn(event));
}

function pinIn({ id, ts, session, content, channel = "private", sensitivity = "none" }: BriefEvent): Pin {
  const note = textIn(content.note);
  const text = textIn(content.text) ?? note ?? "";
  return { id, ts, session, text, ref: textIn(content.ref), note, channel, sensitivity };
}
