/** Looks up a recorded text with its neighbours, and formats a page of it for an agent: fenced, with the range of the next page. */
import { type Budget, Meter, without } from "../../ground/core/budget.ts";
import { collect } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import {
  fenced,
  firstWords,
  LINE_BREAK,
  oneLine,
  present,
  showControls,
} from "../../ground/core/text.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import {
  type Content,
  type Event,
  eventText,
  identityIn,
  type Json,
  shortEventId,
} from "../kinds/event.ts";
import { type EventNow, eventNow } from "../projections/current-refs.ts";
import type { EventStore } from "../store.ts";
import { type Chunk, chunksOf, partIn } from "../storing/chunks.ts";
import { artifactsOf, cutsOf } from "../storing/event-texts.ts";
import { eventNamed, ownOfEachId } from "../storing/named-ids.ts";
import { refNow, shortIds, speakerLabel } from "./render.ts";

/** Longer lines count as several. */
const LONGEST_LINE = 2_000;
/** The most characters of a session's or speaker's name. */
const LONGEST_NAME = 60;
/** The longest possible note about lines, for the budget. */
const LINES_NOTE = 'Lines 1000000-1000000 of 1000000. For the next, pass range "1000000-1000000".';

/** @param range of lines, like `201-400`, `201-` or `201`. The default is all. @throws SentinelError `bad_argument`. */
export function pageAnswer(
  whole: Whole,
  range: string | undefined,
  near: Beside | undefined,
  budget: Budget,
): string {
  const lines = whole.text.split(LINE_BREAK).flatMap((line) => {
    const pieces = line.length <= LONGEST_LINE ? [line] : (line.match(PIECE) ?? []);
    return pieces.map((piece) => `  ${showControls(piece)}`);
  });
  const { first, last } = readRange(range, lines.length);
  const before = neighbours("before it", near?.before);
  const after = neighbours("after it", near?.after);
  const head = headOf(whole);
  const room = without(budget, [LINES_NOTE, fenced([...before, head, ...after])].join("\n"));
  const shown = fitting(lines.slice(first - 1, last), room);
  const end = first + shown.length - 1;
  const isPart = shown.length < lines.length;
  const next = `${end + 1}-${Math.min(lines.length, end + shown.length)}`;
  const more = end < lines.length ? `. For the next, pass range "${next}"` : "";
  return present(
    isPart && `Lines ${first}-${end} of ${lines.length}${more}.`,
    fenced([...before, head, ...shown, ...after]),
  ).join("\n");
}

function headOf({ event, part, removed = [], replaced = [] }: Whole): string {
  if (!event) {
    return `${part}:`;
  }
  const { id, ts, session, refs, tags } = event;
  const facts = present(
    part !== "event" && part,
    speakerLabel(event),
    timeOf(event, ts.slice(0, 10)),
    `session ${inShort(session)}`,
    replaced.length > 0 && `superseded by ${shortIds(replaced)}`,
    refs.length > 0 && `refs ${refs.map((ref) => oneLine(refNow(ref, removed))).join(" ")}`,
    tags.length > 0 && `tags ${tags.map(oneLine).join(" ")}`,
  );
  return `${id}: ${facts.join(", ")}`;
}

/** Formats neighbours, one line each. */
function neighbours(label: string, events: readonly Event[] = []): string[] {
  if (events.length === 0) {
    return [];
  }
  const rows = events.map(
    (event) =>
      `  ${shortEventId(event.id)} ${timeOf(event)} ${speakerLabel(event)}: ${firstWords(eventText(event))}`,
  );
  return [`${label}:`, ...rows];
}

const timeOf = ({ ts }: Event, day = ""): string => `${day} ${ts.slice(11, 19)}`.trim();

const inShort = (name: string): string => oneLine(name).slice(0, LONGEST_NAME);

/** Matches pieces without splitting a character. */
const PIECE = new RegExp(`[^]{1,${LONGEST_LINE}}`, "gu");

/** Returns at least one line, so paging always advances. */
function fitting(lines: readonly string[], budget: Budget): string[] {
  const meter = new Meter(budget);
  const end = lines.findIndex((line, at) => !meter.take(line) && at > 0);
  return lines.slice(0, end < 0 ? lines.length : end);
}

function readRange(range: string | undefined, count: number): { first: number; last: number } {
  if (range === undefined) {
    return { first: 1, last: count };
  }
  const [, from = "", to = from] = /^\s*(\d+)\s*(?:-\s*(\d*)\s*)?$/.exec(range) ?? [];
  const first = Number(from);
  const last = to === "" ? count : Math.min(count, Number(to));
  if (first >= 1 && first <= last) {
    return { first, last };
  }
  throw new SentinelError(
    "bad_argument",
    `The range ${JSON.stringify(range.slice(0, 40))} is not within lines 1-${count}.`,
    'Give lines like "201-400", or leave range out.',
  );
}

/** The neighbours of an event, in order of time. */
export interface Beside {
  readonly before: readonly Event[];
  readonly after: readonly Event[];
}

/** Neighbours further away are ignored. */
const MOST_DAYS = 14;

/** The neighbours of an event in its session, in the store's order, because events of the same millisecond can't be compared. @param count the most events on each side. */
export async function beside(
  { id, ts, session }: Event,
  count: number,
  store: Pick<EventStore, "read">,
): Promise<Beside> {
  const day = (days: number) => new Date(Date.parse(ts) + days * DAY_MS).toISOString();
  const isIt = (event: Event) => identityIn(event.id) === identityIn(id);
  const around = { session, from: day(-MOST_DAYS), to: day(MOST_DAYS) };
  const all = await collect(store.read(around));
  const events = all.filter((event) => event.sensitivity !== "secret" || isIt(event));
  const place = events.findIndex(isIt);
  if (place < 0) {
    return { before: [], after: [] };
  }
  return {
    before: events.slice(Math.max(0, place - count), place),
    after: events.slice(place + 1, place + 1 + count),
  };
}

export interface Whole extends Partial<EventNow> {
  /** The event with this text. Undefined for an artifact, which several events may share. */
  readonly event: Event | undefined;
  /** The kind of text: `artifact`, `event`, or the chunk's number. */
  readonly part: string;
  readonly text: string;
}

const CHUNK = "chk_";
const ARTIFACT = "art_";
/** Fields about how a text was cut. */
const BOOKKEEPING: readonly string[] = ["cuts", "truncated", "stats", "artifact_id"];
const GONE = "[the rest is gone: its time is over, or it was purged]";

/** @throws SentinelError `not_found`, `ambiguous`. */
export async function wholeOf(
  ref: string,
  store: Pick<EventStore, "find" | "artifact" | "brief">,
): Promise<Whole> {
  if (ref.startsWith(ARTIFACT)) {
    const text = await store.artifact(ref);
    if (text === undefined) {
      throw nothingThere(ref);
    }
    return { event: undefined, part: "artifact", text };
  }
  const event = await findEvent(ref, store);
  if (event.sensitivity === "secret") {
    throw nothingThere(ref);
  }
  const now = await eventNow(event, store);
  if (!ref.startsWith(CHUNK)) {
    return { event, part: "event", text: await textOf(event, store), ...now };
  }
  const chunks = await allChunksOf(event, store);
  const part = partIn(ref);
  const chunk = chunks[part - 1];
  if (!chunk) {
    throw nothingThere(ref);
  }
  return { event, part: `part ${part} of ${chunks.length}`, text: chunk.text, ...now };
}

/** @param ref the whole or short id of an event or a chunk. @throws SentinelError `not_found`, `ambiguous`. */
export async function findEvent(ref: string, store: Pick<EventStore, "find">): Promise<Event> {
  // People type ids in lower case, too.
  const id = eventNamed(ref).replace(/(?<=^evt_).+/, (rest) => rest.toUpperCase());
  const [event, ...others] = ownOfEachId(await store.find([id]));
  if (!event) {
    throw nothingThere(ref);
  }
  if (others.length > 0) {
    throw several(ref, [event, ...others]);
  }
  return event;
}

/** The chunks of an event, including those of its artifacts. @internal */
export async function allChunksOf(
  event: Event,
  store: Pick<EventStore, "artifact">,
): Promise<Chunk[]> {
  const whole = new Map<string, string | undefined>();
  for (const id of artifactsOf(event)) {
    whole.set(id, await store.artifact(id));
  }
  return chunksOf(event, (id) => whole.get(id));
}

/** All fields, labelled unless there is only one text. */
async function textOf({ content }: Event, store: Pick<EventStore, "artifact">): Promise<string> {
  const fields = Object.entries(await uncut(content, store)).filter(
    ([name]) => !BOOKKEEPING.includes(name),
  );
  if (fields.length === 1 && typeof fields[0]?.[1] === "string") {
    return fields[0][1];
  }
  return fields.map(([name, value]) => `${name}: ${inWords(value)}`).join("\n");
}

/** The content with the whole of each cut text. That of a nested text is added under its path. */
export async function uncut(
  content: Content,
  store: Pick<EventStore, "artifact">,
): Promise<Content> {
  const fields: Record<string, Json | undefined> = { ...content };
  for (const { field, artifact } of cutsOf(content)) {
    fields[field] = (await store.artifact(artifact)) ?? `${fields[field] ?? ""}\n${GONE}`;
  }
  return fields;
}

function inWords(value: Json | undefined): string {
  if (typeof value === "string") {
    return value;
  }
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isPlain ? value.map((item) => `\n- ${item}`).join("") : JSON.stringify(value);
}

export function nothingThere(ref: string): SentinelError {
  return new SentinelError(
    "not_found",
    `The session log has nothing under ${JSON.stringify(ref.slice(0, 80))}: it never had, its time is over, or it was purged.`,
    ref.startsWith("acb_")
      ? "The last 200 bundles of a session log on this machine are kept, except those of skipped sessions and purged ones."
      : "Give an id as an answer, the start of a session or sentinel-memory sessions show SESSION shows it: evt_…, chk_…, art_… or a lesson's id. sentinel-memory pin lists the pins.",
  );
}

function several(ref: string, events: readonly Event[]): SentinelError {
  const ids = events
    .slice(0, 5)
    .map(({ id, person }) => (person === undefined ? id : `${id} (${person})`));
  const fix = "Give one of these in full. If the ids are the same, search for its words.";
  return new SentinelError("ambiguous", `${ref} matches ${ids.join(", ")}.`, fix);
}
