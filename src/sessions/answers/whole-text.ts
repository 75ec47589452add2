import { SentinelError } from "../../ground/core/errors.ts";
import type { Content, Event, Json } from "../kinds/event.ts";
import { type EventNow, eventNow } from "../projections/replacements.ts";
import type { EventStore } from "../store.ts";
import { type Chunk, chunksOf, partIn } from "../storing/chunks.ts";
import { artifactsOf, cutsOf } from "../storing/mentions.ts";
import { eventNamed, ownOfEachId } from "../storing/named-ids.ts";

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
    if (text === undefined) throw nothingThere(ref);
    return { event: undefined, part: "artifact", text };
  }
  const [event, ...others] = ownOfEachId(await store.find([eventNamed(ref)]));
  if (!event || event.sensitivity === "secret") throw nothingThere(ref);
  if (others.length > 0) throw several(ref, [event, ...others]);
  const now = await eventNow(event, store);
  if (!ref.startsWith(CHUNK))
    return { event, part: "event", text: await textOf(event, store), ...now };
  const chunks = await allChunksOf(event, store);
  const part = partIn(ref);
  const chunk = chunks[part - 1];
  if (!chunk) throw nothingThere(ref);
  return { event, part: `part ${part} of ${chunks.length}`, text: chunk.text, ...now };
}

/** The chunks of an event, including those of its artifacts. @internal */
export async function allChunksOf(
  event: Event,
  store: Pick<EventStore, "artifact">,
): Promise<Chunk[]> {
  const whole = new Map<string, string | undefined>();
  for (const id of artifactsOf(event)) whole.set(id, await store.artifact(id));
  return chunksOf(event, (id) => whole.get(id));
}

/** All fields, labelled unless there is only one text. */
async function textOf({ content }: Event, store: Pick<EventStore, "artifact">): Promise<string> {
  const fields = Object.entries(await uncut(content, store)).filter(
    ([name]) => !BOOKKEEPING.includes(name),
  );
  if (fields.length === 1 && typeof fields[0]?.[1] === "string") return fields[0][1];
  return fields.map(([name, value]) => `${name}: ${inWords(value)}`).join("\n");
}

async function uncut(content: Content, store: Pick<EventStore, "artifact">): Promise<Content> {
  const fields: Record<string, Json | undefined> = { ...content };
  for (const { field, artifact } of cutsOf(content)) {
    const shown = fields[field];
    // A nested text stays cut, and its artifact's id is shown.
    if (shown === undefined) fields[field] = artifact;
    else fields[field] = (await store.artifact(artifact)) ?? `${String(shown)}\n${GONE}`;
  }
  return fields;
}

function inWords(value: Json | undefined): string {
  if (typeof value === "string") return value;
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isPlain ? value.map((item) => `\n- ${item}`).join("") : JSON.stringify(value);
}

function nothingThere(ref: string): SentinelError {
  return new SentinelError(
    "not_found",
    `The session log has nothing under ${JSON.stringify(ref.slice(0, 80))}: it never had, its time is over, or it was purged.`,
    ref.startsWith("acb_")
      ? "The last 200 bundles of a session log on this machine are kept, except those of skipped sessions."
      : "Give an id as an answer or the start of a session shows it: evt_…, chk_…, art_… or a lesson's id.",
  );
}

function several(ref: string, events: readonly Event[]): SentinelError {
  const ids = events
    .slice(0, 5)
    .map(({ id, person }) => (person === undefined ? id : `${id} (${person})`));
  const fix = "Give one of these in full. If the ids are the same, search for its words.";
  return new SentinelError("ambiguous", `${ref} matches ${ids.join(", ")}.`, fix);
}
