import { orElse } from "../../ground/core/or-else.ts";
import type { Event } from "../kinds/event.ts";
import { identityIn, readEventId } from "../kinds/event-id.ts";
import type { Content } from "../kinds/kind.ts";
import { narrowed } from "../kinds/narrow.ts";

/** What JSON leaves as it is and a terminal or an editor does not: control characters, line separators, changes of direction. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What every line begins with, up to the identity in its id. */
const BEGINNING = Buffer.from('{"id":"evt_');
const IDENTITY_START = BEGINNING.length + 10;
const IDENTITY_END = IDENTITY_START + 16;

/**
 * Its id comes first, so that a line says which event it is before it is parsed. The content comes last.
 * @param contentJson the content, which is most of an event and was written as JSON before, for its hash.
 */
export function writeEventLine(event: Event, contentJson: string): string {
  const others = JSON.stringify({ ...event, content: undefined });
  return escapeUnseen(`${others.slice(0, -1)},"content":${contentJson}}`);
}

/** A value as it stands in a line. */
export const writeJson = (value: unknown): string => escapeUnseen(JSON.stringify(value));

/** The event of a line; undefined where the line is damaged. Fields that this version does not know are kept. */
export function readEventLine(line: string): Event | undefined {
  const value: Partial<Read> | null = orElse(() => JSON.parse(line), null);
  return isEvent(value) ? narrowed(value) : undefined;
}

/** The events of lines, without those that are damaged. */
export const eventsOf = (lines: readonly Buffer[]): Event[] =>
  lines.flatMap((line) => readEventLine(line.toString()) ?? []);

/** What makes the event of a line the same event; undefined where nobody can say. */
export function identityInLine(line: Buffer): string | undefined {
  if (line.subarray(0, BEGINNING.length).equals(BEGINNING))
    return line.toString("latin1", IDENTITY_START, IDENTITY_END);
  const event = readEventLine(line.toString());
  return event && identityIn(event.id);
}

/** Most lines are ASCII: to see that takes a fifth of the time of looking at each character. */
function escapeUnseen(json: string): string {
  if (Buffer.byteLength(json) === json.length && !json.includes("\u007f")) return json;
  return json.replace(UNSEEN, (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** An event of any version, before its content is known. */
type Read = Omit<Event, "kind" | "content"> & { readonly kind: string; readonly content: Content };

function isEvent(value: Partial<Read> | null): value is Read {
  if (typeof value !== "object" || value === null) return false;
  const { id, ts, session, agent, channel, actor, kind, content, refs, tags, sensitivity } = value;
  return (
    typeof id === "string" &&
    readEventId(id) !== undefined &&
    typeof ts === "string" &&
    TIME.test(ts) &&
    [session, agent, channel, actor?.type, actor?.id, kind, sensitivity].every((text) => typeof text === "string") &&
    typeof content === "object" &&
    content !== null &&
    [refs, tags].every((texts) => Array.isArray(texts) && texts.every((text) => typeof text === "string"))
  );
}
