/** What the events of a line have in common, and how those that refer to each other get their ids. */
import {
  type Actor,
  type Content,
  type EventDraft,
  eventId,
  identityFrom,
  type Place,
} from "../kinds/event.ts";
import type { Spoken, TranscriptLine, TranscriptReader } from "../transcripts/transcript.ts";
import type { ReadingState } from "./reading-state.ts";

export const HUMAN: Actor = { type: "human", id: "user" };

/** Whoever speaks in the user's place is neither the user nor the agent. */
export const actorOf = (voice: Spoken["voice"]): Actor =>
  voice === undefined ? HUMAN : { type: "tool", id: voice };

/** A line as it is read, with what it left out taken from the lines before. */
export interface PlacedLine {
  readonly line: TranscriptLine;
  readonly session: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly place: Place;
  readonly parent?: string;
  /** Path of the transcript. */
  readonly transcript: string;
  /** Where the line begins in it. */
  readonly at: number;
  /** The line that begins at a place before; several where they are fused. */
  readonly recall: (at: number) => readonly TranscriptLine[];
}

export type LineContext = ReturnType<typeof contextOf>;

type Drafted = Pick<EventDraft, "kind" | "actor" | "refs" | "tags"> & { readonly content: object };

export function contextOf(placed: PlacedLine, state: ReadingState, reader: TranscriptReader) {
  const { line, session, ts, place } = placed;
  const id = line.childAgent === undefined ? reader.agent : `${reader.agent}/${line.childAgent}`;
  const agent: Actor = { type: "agent", id };
  const originOf = (part: string, { id } = line): string => `${reader.agent}:${id}:${part}`;
  return {
    ...placed,
    state,
    reader,
    /** The agent, or its child agent that speaks. */
    agent,
    /** The id that the event of a part gets, of this line or of another one. */
    idOf: (part: string, other = line) =>
      eventId(Date.parse(other.ts ?? ts), identityFrom(originOf(part, other))),
    /** A draft of an event; `part` distinguishes it from others of the same line. */
    draft: (part: string, { content, ...event }: Drafted): EventDraft => ({
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
