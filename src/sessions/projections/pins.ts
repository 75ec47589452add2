import { type BriefEvent, inTime } from "../kinds/brief-event.ts";
import type { Channel, Sensitivity } from "../kinds/event.ts";
import { identityIn } from "../kinds/event-id.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { standingOf, supersededIn, type Told } from "./superseded.ts";

export interface Pin extends Told {
  /** What it says: the pinned words, else the note. */
  readonly text: string;
  /** What is pinned; undefined where words stand for themselves. */
  readonly ref: string | undefined;
  readonly note: string | undefined;
  /** Whether what is pinned is a decision that a later one replaced. */
  readonly isOutdated: boolean;
  readonly channel: Channel;
  readonly sensitivity: Sensitivity;
}

/**
 * The pins that no later one replaces or takes back, the earliest first.
 * @param events of any kind, in any order; without the decisions among them no pin is known to be outdated.
 */
export function pinsOf(events: Iterable<BriefEvent>): Pin[] {
  const all = [...events];
  const pins = standingOf(inTime(all.filter(({ kind }) => kind === "pin")));
  const replaced = new Set(all.flatMap(decisionsReplacedBy));
  return pins
    .filter(({ event, supersededBy }) => supersededBy.length === 0 && event.content.removed !== true)
    .map(({ event }) => pinIn(event, replaced));
}

/** The identities of the decisions that a decision replaces; none of another event. */
export function decisionsReplacedBy(event: BriefEvent): string[] {
  return event.kind === "decision" ? supersededIn(event).map(identityIn) : [];
}

function pinIn(
  { id, ts, session, person, content, channel = "private", sensitivity = "none" }: BriefEvent,
  replaced: ReadonlySet<string>,
): Pin {
  const { note, ref, text = note ?? "" } = content;
  const isOutdated = ref !== undefined && replaced.has(identityIn(eventNamed(ref)));
  return { id, ts, session, person, text, ref, note, isOutdated, channel, sensitivity };
}
