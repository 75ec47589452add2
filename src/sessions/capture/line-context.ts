/** Fields that all events of a line share, and the ids of events that refer to each other. */
import {
  type Actor,
  type Content,
  type EventDraft,
  eventId,
  identityFrom,
  type Place,
} from "../kinds/event.ts";
import type { TranscriptLine, TranscriptReader, Voice } from "../transcripts/transcript.ts";
import type { ReadingState } from "./capture-state.ts";

export const HUMAN: Actor = { type: "human", id: "user" };

/** The actor of a message with the user's role: the user, or a tool if another agent or a program wrote it. */
export const actorOf = (voice: Voice): Actor =>
  voice === "user" ? HUMAN : { type: "tool", id: voice };

/** A line with the session, time and place that it may have taken from the lines before. */
export interface PlacedLine {
  readonly line: TranscriptLine;
  readonly session: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly place: Place;
  /** The session that this one continues. */
  readonly parent: string | undefined;
  /** Path of the transcript. */
  readonly transcript: string;
  /** The start of the line in the transcript. */
  readonly at: number;
  /** Returns the line that starts at an earlier place, or several if they aren't separated. */
  readonly recall: (at: number) => readonly TranscriptLine[];
  /** The state of the lines before. It's updated with this line. */
  readonly state: ReadingState;
  readonly reader: TranscriptReader;
}

type Drafted = Pick<EventDraft, "kind" | "actor" | "refs"> & { readonly content: object };

export interface LineContext extends PlacedLine {
  /** The agent or child agent of the line. */
  readonly agent: Actor;
  /** The id of the event for a part of this line or of another one. */
  readonly idOf: (part: string, other?: TranscriptLine) => string;
  /** A draft of an event. `part` distinguishes it from others of the same line. */
  readonly draft: (part: string, drafted: Drafted) => EventDraft;
}

export function contextOf(placed: PlacedLine): LineContext {
  const { line, session, ts, place, reader } = placed;
  const id = line.childAgent === undefined ? reader.agent : `${reader.agent}/${line.childAgent}`;
  const originOf = (part: string, { id } = line): string => `${reader.agent}:${id}:${part}`;
  return {
    ...placed,
    agent: { type: "agent", id },
    idOf: (part, other = line) =>
      eventId(Date.parse(other.ts ?? ts), identityFrom(originOf(part, other))),
    draft: (part, { content, ...event }) => ({
      ...event,
      session,
      agent: id,
      ts,
      place,
      origin: originOf(part),
      content: content as Content,
    }),
  };
}
