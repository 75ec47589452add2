/** What the events of a line have in common, and how those that refer to each other get their ids. */
import type { Actor, Content, EventDraft, Place } from "../kinds/event.ts";
import { eventId, identityFrom } from "../kinds/event-id.ts";
import type { TranscriptLine, TranscriptReader } from "../transcripts/transcript.ts";
import type { ReadingState } from "./reading-state.ts";

export interface LineContext extends Pick<PlacedLine, "line" | "place" | "at" | "recall"> {
  readonly reader: TranscriptReader;
  readonly state: ReadingState;
  /** A draft of an event; `part` distinguishes it from others of the same line. */
  readonly draft: (
    part: string,
    event: Pick<EventDraft, "kind" | "actor" | "refs" | "tags"> & { readonly content: object },
  ) => EventDraft;
  /** The id that the event of a part gets, of this line or of another one. */
  readonly idOf: (part: string, line?: TranscriptLine) => string;
}

export const HUMAN: Actor = { type: "human", id: "user" };

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

export function contextOf(
  { line, session, ts, place, at, recall }: PlacedLine,
  state: ReadingState,
  reader: TranscriptReader,
): LineContext {
  const agent = agentOf({ reader, line }).id;
  const originOf = (part: string, { id } = line): string => `${reader.agent}:${id}:${part}`;
  return {
    reader,
    state,
    line,
    place,
    at,
    recall,
    idOf: (part, other = line) => eventId(Date.parse(other.ts ?? ts), identityFrom(originOf(part, other))),
    draft: (part, { content, ...event }) => ({
      ...event,
      session,
      agent,
      ts,
      place,
      origin: originOf(part),
      content: content as Content,
    }),
  };
}

export function agentOf({ reader, line }: Pick<LineContext, "reader" | "line">): Actor {
  return { type: "agent", id: line.childAgent === undefined ? reader.agent : `${reader.agent}/${line.childAgent}` };
}
