/** Lines of the day files. Each is one event as JSON. (docs/design/sessions.md, "What an event holds") */
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { OLD_FORMAT_FIX } from "../consent/manifest.ts";
import { type Event, ID_PREFIX, identityIn, readEventId } from "../kinds/event.ts";
import { narrowed } from "../kinds/narrow.ts";
import type { Prepared } from "../storing/prepare.ts";

/** Characters that act on a terminal or an editor: controls, line separators, marks of direction. JSON doesn't escape them. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const LINE_START = Buffer.from(`{"id":"${ID_PREFIX}`);
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;
/** Earlier builds wrote events as lists, after a line with the fields that they share. */
const OLD_LINE = /^(?:\["[0-9A-Z]{26}"|\{"in":")/;

/** The line of an event. The id comes first, so `identityInLine` needn't parse the line. */
export function writeEventLine({ event, contentJson }: Prepared): string {
  const { id, content: _, ...others } = event;
  const head = JSON.stringify({ id, ...others });
  return escapeUnseen(`${head.slice(0, -1)},"content":${contentJson}}`);
}

/** A value as a line contains it. */
export const writeJson = (value: unknown): string => escapeUnseen(JSON.stringify(value));

/** The event of a line, with unknown fields. Undefined for a damaged line. @throws SentinelError `old_format`. */
export function readEventLine(line: Buffer): Event | undefined {
  const text = line.toString();
  if (OLD_LINE.test(text)) throw oldFormatError();
  const value = tryOr(() => JSON.parse(text), undefined);
  return isEvent(value) ? narrowed(value) : undefined;
}

/** The events of lines, without damaged lines. @throws SentinelError `old_format`. */
export function eventsOf(lines: readonly Buffer[]): Event[] {
  return lines.map(readEventLine).filter((event) => event !== undefined);
}

/** The identity of a line's event. Undefined for a damaged line. @throws SentinelError `old_format`. */
export function identityInLine(line: Buffer): string | undefined {
  if (line.subarray(0, LINE_START.length).equals(LINE_START)) {
    const start = LINE_START.length + TIME_LENGTH;
    return line.toString("latin1", start, start + IDENTITY_LENGTH);
  }
  const event = readEventLine(line);
  return event && identityIn(event.id);
}

function oldFormatError(): SentinelError {
  const what = "An earlier build wrote this session log. Nothing was changed.";
  return new SentinelError("old_format", what, OLD_FORMAT_FIX);
}

/** Most lines are ASCII, and checking that takes a fifth of the time of the replacement. */
function escapeUnseen(json: string): string {
  if (Buffer.byteLength(json) === json.length && !json.includes("\u007f")) return json;
  return json.replace(
    UNSEEN,
    (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isEvent(value: Partial<Event> | null | undefined): value is Event {
  if (typeof value !== "object" || value === null) return false;
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
