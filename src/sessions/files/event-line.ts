/**
 * Lines of a file of events, and of earlier versions (docs/design/sessions.md, "What an event holds"). A shared line stands before its events in
 * each batch, so that it is written with them or not at all; an origin that begins with the agent begins with `:` in place of it.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tryOr } from "../../ground/core/errors.ts";
import { linesOf, linesWith } from "../../ground/files/append-log.ts";
import { readAt, withFile } from "../../ground/files/open-file.ts";
import { countRead } from "../../ground/files/read-count.ts";
import type { Event } from "../kinds/event.ts";
import { contentHash, ID_PREFIX, identityIn, readEventId } from "../kinds/event.ts";
import type { Content } from "../kinds/kind.ts";
import { narrowed } from "../kinds/narrow.ts";
import type { Prepared } from "../storing/prepare.ts";

/** What JSON leaves as it is and a terminal or an editor does not: control characters, line separators, changes of direction. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What every line begins with, up to the time in its id; earlier versions began with the second. */
const BEGINNINGS = ['["', `{"id":"${ID_PREFIX}`].map((text) => Buffer.from(text));
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;

type Shared = Pick<Event, "session" | "agent" | "place">;

const SHARED = Buffer.from('{"in":"');
/** Characters of a name that are of the session, by which its lines are found, and of all that is shared. */
const SESSION_LENGTH = 3;
const REST_LENGTH = 4;
/** After `["`, the id's 26 characters and `","`. */
const NAME_START = 31;
/** Most of these lines have a quarter. */
const SHARED_BYTES = 1_024;
/** An event whose line of these was destroyed by hand is still there, and found by its words. */
const LOST: Shared = { session: "unknown", agent: "unknown" };

/** By name, which says what it stands for wherever it stands. */
const known = new Map<string, Shared>();

/** The lines of a batch. */
export function writeBatch(batch: readonly Prepared[]): string[] {
  const shared = new Set(batch.map(({ event }) => sharedLine(event).json));
  return [...shared, ...batch.map(writeEventLine)].map(escapeUnseen);
}

/** Its id comes first, so that a line says which event it is before it is parsed. The content comes last. */
function writeEventLine({ event, contentJson }: Prepared): string {
  const { id, session, agent, place, kind, content, origin = "", ...others } = event;
  const expected: Partial<Record<string, unknown>> = usual(event, contentJson);
  const unusual = Object.entries(others).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(expected[field]),
  );
  const rest = unusual.length > 0 ? [Object.fromEntries(unusual)] : [];
  const part = origin.startsWith(`${agent}:`) ? origin.slice(agent.length) : origin;
  const before = JSON.stringify([
    id.slice(ID_PREFIX.length),
    sharedLine(event).name,
    kind,
    part,
    ...rest,
  ]);
  return `${before.slice(0, -1)},${contentJson}]`;
}

/** The line, and how events name it. */
function sharedLine({ session, agent, place }: Shared): {
  readonly name: string;
  readonly json: string;
} {
  const json = JSON.stringify({ session, agent, place });
  const name = sessionName(session) + hash("sha256", json, "base64url").slice(0, REST_LENGTH);
  return { name, json: `${SHARED}${name}",${json.slice(1)}` };
}

/** What the names of a session's lines begin with, and those of few others. */
export const sessionName = (session: string): string =>
  hash("sha256", session, "base64url").slice(0, SESSION_LENGTH);

/** A value as it stands in a line. */
export const writeJson = (value: unknown): string => escapeUnseen(JSON.stringify(value));

/** Undefined for a damaged line; unknown fields are kept. @param path where not all before it was read. @param at where the line stands that says what it shares. @throws the file system's error without it. */
export function readEventLine(line: string, path?: string, at?: number): Event | undefined {
  const value = tryOr(() => JSON.parse(line), null);
  const shared = value !== null && line.startsWith("[") && sharedNamed(value[1], path, at);
  const event = shared ? tryOr(() => unfolded(value, shared), null) : value;
  return isEvent(event) ? narrowed(event) : undefined;
}

/** The events of lines, without those that are damaged. @param path as for a line. */
export const eventsOf = (lines: readonly Buffer[], path?: string): Event[] =>
  lines.flatMap((line) => readEventLine(line.toString(), path) ?? []);

/** @returns its name, if this is such a line. */
export function learnShared(line: Buffer): string | undefined {
  if (!line.subarray(0, SHARED.length).equals(SHARED)) return undefined;
  const { in: name, ...shared } = tryOr(() => JSON.parse(line.toString()), {});
  if (typeof name === "string") known.set(name, shared);
  return name;
}

/** Where the lines begin that say what events share, by name; they are learnt on the way. @param from where the bytes stand in their file. */
export function sharedPlaces(bytes: Buffer, from = 0): Map<string, number> {
  const places = new Map<string, number>();
  for (const line of linesWith(bytes, SHARED)) {
    const name = learnShared(line);
    if (name !== undefined) places.set(name, from + line.byteOffset - bytes.byteOffset);
  }
  return places;
}

/** The name that the line of an event has for what it shares. */
export const sharedIn = (line: Buffer): string =>
  line.toString("latin1", NAME_START, NAME_START + SESSION_LENGTH + REST_LENGTH);

/** The lines of events; what they share is learnt on the way. */
export const eventLinesOf = (bytes: Buffer): Buffer[] =>
  linesOf(bytes).filter((line) => learnShared(line) === undefined);

/** What makes the event of a line the same event; undefined where nobody can say. */
export function identityInLine(line: Buffer): string | undefined {
  const beginning = BEGINNINGS.find((one) => line.subarray(0, one.length).equals(one));
  const start = beginning && beginning.length + TIME_LENGTH;
  if (start !== undefined) return line.toString("latin1", start, start + IDENTITY_LENGTH);
  const event = readEventLine(line.toString());
  return event && identityIn(event.id);
}

/** @param path of the file that names it, where only a part of that was read. @param at where its line begins there. */
function sharedNamed(name: string, path: string | undefined, at: number | undefined): Shared {
  if (path !== undefined && at !== undefined && !known.has(name)) {
    sharedPlaces(withFile(path, (file) => readAt(file, at, SHARED_BYTES)));
    countRead(SHARED_BYTES);
  }
  if (path !== undefined && !known.has(name)) {
    const bytes = readFileSync(path);
    countRead(bytes.length);
    known.set(name, LOST);
    sharedPlaces(bytes);
  }
  return known.get(name) ?? LOST;
}

/** Most lines are ASCII: to see that takes a fifth of the time of looking at each character. */
function escapeUnseen(json: string): string {
  if (Buffer.byteLength(json) === json.length && !json.includes("\u007f")) return json;
  return json.replace(
    UNSEEN,
    (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** An event of any version, before its content is known. */
type Read = Omit<Event, "kind" | "content"> & { readonly kind: string; readonly content: Content };

function unfolded(
  [ulid, , kind, origin, ...rest]: [string, string, string, string, ...Content[]],
  { session, agent, place }: Shared,
) {
  const content = rest.at(-1) as Content;
  const event = usual(
    { id: ID_PREFIX + ulid, session, agent, kind, content },
    JSON.stringify(content),
  );
  if (origin !== "")
    Object.assign(event, { origin: origin.startsWith(":") ? agent + origin : origin });
  if (place) Object.assign(event, { place });
  return rest.length > 1 ? Object.assign(event, rest[0]) : event;
}

/** An event as most are, of which a line need not say more. Spreads would take three times as long. */
function usual(
  {
    id,
    session,
    agent,
    kind,
    content,
  }: Pick<Read, "id" | "session" | "agent" | "kind" | "content">,
  json: string,
) {
  const isOfTool = kind === "tool_result" && typeof content.tool === "string";
  return {
    id,
    ts: new Date(readEventId(id)?.time ?? Number.NaN).toISOString(),
    session,
    agent,
    channel: "private",
    actor: isOfTool ? { type: "tool", id: `tool.${content.tool}` } : { type: "agent", id: agent },
    kind,
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: contentHash(kind, json),
    content,
  };
}

function isEvent(value: Partial<Read> | null): value is Read {
  if (typeof value !== "object" || value === null) return false;
  const { id, ts, session, agent, channel, actor, kind, content, refs, tags, sensitivity } = value;
  return (
    typeof id === "string" &&
    readEventId(id) !== undefined &&
    typeof ts === "string" &&
    TIME.test(ts) &&
    [session, agent, channel, actor?.type, actor?.id, kind, sensitivity].every(
      (text) => typeof text === "string",
    ) &&
    typeof content === "object" &&
    content !== null &&
    [refs, tags].every(
      (texts) => Array.isArray(texts) && texts.every((text) => typeof text === "string"),
    )
  );
}
