/** Lines of the day files. Each is one event as JSON. (docs/design/sessions.md, "What an event holds") */
import { tryOr } from "../../ground/core/errors.ts";
import { type Event, identityIn, readEventId } from "../kinds/event.ts";
import { narrowed } from "../kinds/narrow.ts";
import type { Prepared } from "../storing/prepare.ts";

/** Characters that act on a terminal or an editor: controls, line separators, marks of direction. JSON doesn't escape them. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The start of a line that `writeEventLine` wrote: the time and the identity in the id. */
const LINE_START = /^\{"id":"evt_\w{10}(\w{16})"/;
const START_BYTES = 50;

/** The line of an event. The id comes first, so `identityInLine` needn't parse the line. */
export function writeEventLine({ event, contentJson }: Prepared): string {
  const { id, content: _, ...others } = event;
  const head = JSON.stringify({ id, ...others });
  return escapeUnseen(`${head.slice(0, -1)},"content":${contentJson}}`);
}

/** A value as a line contains it. */
export const writeJson = (value: unknown): string => escapeUnseen(JSON.stringify(value));

/** The event of a line, with unknown fields. Undefined for a damaged line. */
export function readEventLine(line: Buffer): Event | undefined {
  const value = tryOr(() => JSON.parse(line.toString()), undefined);
  return isEvent(value) ? narrowed(value) : undefined;
}

/** The events of lines, without damaged lines. */
export function eventsOf(lines: readonly Buffer[]): Event[] {
  return lines.map(readEventLine).filter((event) => event !== undefined);
}

/** The identity of a line's event. Undefined for a damaged line. */
export function identityInLine(line: Buffer): string | undefined {
  const identity = LINE_START.exec(line.toString("latin1", 0, START_BYTES))?.[1];
  if (identity !== undefined) {
    return identity;
  }
  const event = readEventLine(line);
  return event && identityIn(event.id);
}

/** Most lines are ASCII, and checking that takes a fifth of the time of the replacement. */
function escapeUnseen(json: string): string {
  if (Buffer.byteLength(json) === json.length && !json.includes("\u007f")) {
    return json;
  }
  return json.replace(
    UNSEEN,
    (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isEvent(value: Partial<Event> | null | undefined): value is Event {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { id, ts, session, agent, channel, actor, kind, content, refs, tags, sensitivity } = value;
  const texts = [session, agent, channel, actor?.type, actor?.id, kind, sensitivity];
  return (
    typeof id === "string" &&
    readEventId(id) !== undefined &&
    typeof ts === "string" &&
    TIME.test(ts) &&
    texts.every((text) => typeof text === "string") &&
    typeof content === "object" &&
    content !== null &&
    areTexts(refs) &&
    areTexts(tags)
  );
}

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
