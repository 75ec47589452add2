import { type BriefEvent, identityIn, inTime } from "../kinds/event.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { resolveSupersession, supersededIn } from "./decisions.ts";

export interface Pin
  extends Pick<BriefEvent, "id" | "ts" | "session" | "person">,
    Required<Pick<BriefEvent, "channel" | "sensitivity">> {
  /** The pinned words, else the note. */
  readonly text: string;
  /** The id of the pinned event. Undefined for a pin of words. */
  readonly ref: string | undefined;
  readonly note: string | undefined;
  /** Whether a later decision supersedes the pinned one. */
  readonly isOutdated: boolean;
}

/** The pins in force, the earliest first. @param events in any order. Without decisions, no pin counts as outdated. */
export function pinsOf(events: Iterable<BriefEvent>): Pin[] {
  const all = [...events];
  const pins = resolveSupersession(inTime(all.filter(({ kind }) => kind === "pin")));
  const decisions = all.filter(({ kind }) => kind === "decision");
  const replaced = new Set(decisions.flatMap(supersededIn).map(identityIn));
  return pins
    .filter(
      ({ event, supersededBy }) => supersededBy.length === 0 && event.content.removed !== true,
    )
    .map(({ event }) => pinIn(event, replaced));
}

function pinIn(event: BriefEvent, replaced: ReadonlySet<string>): Pin {
  const { id, ts, session, person, content, channel = "private", sensitivity = "none" } = event;
  const { note, ref, text = note ?? "" } = content;
  const isOutdated = ref !== undefined && replaced.has(identityIn(eventNamed(ref)));
  return { id, ts, session, person, text, ref, note, isOutdated, channel, sensitivity };
}
