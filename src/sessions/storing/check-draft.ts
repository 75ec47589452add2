/** What is not an event is refused at the door. */
import { SentinelError } from "../../ground/core/errors.ts";
import { isoInstant } from "../../ground/core/time.ts";
import {
  ACTOR_TYPES,
  CHANNELS,
  type EventDraft,
  KINDS,
  readEventId,
  SENSITIVITIES,
} from "../kinds/event.ts";

/** Characters of a name, a tag, a reference, an origin or a path. Only content is cut. */
const LONGEST_NAME = 4_096;
const MOST_NAMES = 1_000;
/** Deeper than any tool nests, and far from where JSON can no longer be written. */
const DEEPEST = 500;
const ISO = /^\d{4}-\d\d-\d\d(?:T|$)/;
/** A time that an id and a file's name can hold. */
const EARLIEST = 0;
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** @throws SentinelError `bad_argument`, naming the field. */
export function checkDraft(draft: EventDraft): void {
  const { place = {} } = draft;
  mustBeOneOf("kind", draft.kind, KINDS);
  mustBeOneOf("channel", draft.channel ?? "private", CHANNELS);
  mustBeOneOf("sensitivity", draft.sensitivity ?? "none", SENSITIVITIES);
  mustBeOneOf("actor.type", draft.actor?.type, ACTOR_TYPES);
  mustBeName("session", draft.session);
  mustBeName("agent", draft.agent);
  mustBeName("actor.id", draft.actor.id);
  for (const name of ["origin", "key"] as const)
    if (draft[name] !== undefined) mustBeName(name, draft[name]);
  if (draft.id !== undefined && !readEventId(draft.id))
    throw refused("id", "is not the id of an event");
  mustBeNames("refs", draft.refs ?? []);
  mustBeNames("tags", draft.tags ?? []);
  mustBeObject("place", place);
  for (const text of Object.values(place)) if (text !== undefined) mustBeName("place", text);
  mustBeObject("content", draft.content);
  mustNotBeDeep("content", draft.content);
  if (
    draft.kind === "message" &&
    ![draft.content.citations ?? []].flat().every((one) => typeof one === "string")
  )
    throw refused("citations", "is not a list of texts");
  if (!isShare(draft.content.confidence ?? 0))
    throw refused("confidence", "is not a number between 0 and 1");
  if (draft.ts !== undefined) readTime("ts", draft.ts);
}

/** Ms since 1970 of an instant in ISO 8601. @throws SentinelError `bad_argument`, naming the field. */
export function readTime(field: string, text: string): number {
  const time = ISO.test(text) ? isoInstant(text) : Number.NaN;
  if (time >= EARLIEST && time <= LATEST) return time;
  throw refused(field, "is not a time between 1970 and 9999 in ISO 8601");
}

const isShare = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;

function mustBeObject(field: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused(field, "is not an object");
}

/** Level by level: a call for each could itself go too deep. */
function mustNotBeDeep(field: string, value: object): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw refused(field, `is nested in more than ${DEEPEST} levels`);
    level = level.flatMap((one) =>
      Object.values(one).filter((item) => typeof item === "object" && item !== null),
    );
  }
}

function mustBeNames(field: string, value: unknown): void {
  if (!Array.isArray(value)) throw refused(field, "is not a list");
  if (value.length > MOST_NAMES)
    throw refused(field, `has more than ${MOST_NAMES.toLocaleString("en")} entries`);
  for (const name of value) mustBeName(field, name);
}

function mustBeOneOf(field: string, value: unknown, values: readonly string[]): void {
  if (!values.includes(value as string)) throw refused(field, `is not one of ${values.join(", ")}`);
}

function mustBeName(field: string, value: unknown): void {
  if (typeof value !== "string" || value === "" || value.length > LONGEST_NAME)
    throw refused(field, `is not a text of 1 to ${LONGEST_NAME.toLocaleString("en")} characters`);
}

function refused(field: string, why: string): SentinelError {
  return new SentinelError("bad_argument", `${field} ${why}.`, "Correct it, then call again.");
}
