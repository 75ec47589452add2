import { groupBy } from "../../ground/core/collections.ts";
import { type Event, identityIn, isOwn, readShortEventId, SHORT_LENGTH } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { isOfOtherVoice } from "../kinds/message.ts";
import type { Named } from "../statements/statement.ts";
import type { EventStore } from "../store.ts";
import { eventOfChunk } from "./chunks.ts";

const CHUNK = "chk_";
const ARTIFACT = "art_";
const ID = /^(?:evt|chk|art)_\w+$/;
/** The most citations to look up for one call. */
const MOST_CITED = 100;

export type Lookup = Pick<EventStore, "find" | "artifact">;

/** Finds the event of each id, also of a chunk's, or the artifact. Leaves out unknown ids, and short ids that match several events. */
export async function resolveIds(
  ids: readonly string[],
  store: Lookup,
): Promise<ReadonlyMap<string, Event | "artifact">> {
  const wanted = [...new Set(ids)];
  const events = ownOfEachId(await store.find(wanted.map(eventNamed)));
  const byEnd = groupBy(events, ({ id }) => id.slice(-SHORT_LENGTH));
  const found = new Map<string, Event | "artifact">();
  for (const id of wanted) {
    const name = eventNamed(id);
    const short = readShortEventId(name);
    const end = short ?? identityIn(name);
    const alike = byEnd.get(end.slice(-SHORT_LENGTH)) ?? [];
    const [event, ...others] = alike.filter((one) => one.id.endsWith(end));
    // Several people can record an event under the same whole id.
    const isOne = short === undefined || others.length === 0;
    if (event && isOne) {
      found.set(id, event);
    } else if (id.startsWith(ARTIFACT) && (await store.artifact(id)) !== undefined) {
      found.set(id, "artifact");
    }
  }
  return found;
}

/** Describes the events and artifacts of ids for a statement. */
export async function namedIn(
  store: Lookup,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const named = new Map<string, Named>();
  for (const [id, found] of await resolveIds(ids, store)) {
    named.set(id, found === "artifact" ? { id, kind: found } : describe(found, id));
  }
  return named;
}

/** @param id of the event, or of a chunk of it. */
function describe(event: Event, id: string): Named {
  const { kind, session, content } = event;
  const named = {
    id: id.startsWith(CHUNK) ? id : event.id,
    kind,
    isOtherVoice: isOfOtherVoice(event),
  };
  if (kind !== "task_update") {
    return named;
  }
  return { ...named, task: { session, task: content.task ?? content.title ?? event.id } };
}

/** A note on cited ids that match no event, or several. Undefined if all are fine. */
export async function noteOnCitations(
  store: Lookup,
  events: readonly (Event | undefined)[],
): Promise<string | undefined> {
  const cited = new Set(events.flatMap((event) => textsIn(event?.content.citations)));
  const ids = [...cited].filter(isId).slice(0, MOST_CITED);
  const known = await resolveIds(ids, store);
  const unknown = ids.filter((id) => !known.has(id)).join(", ");
  if (unknown === "") {
    return undefined;
  }
  return `Cited as given, but no event here has the id ${unknown}. Answers show ids as evt_….`;
}

/** The id of a chunk's event, or the id itself. */
export const eventNamed = (id: string): string => (id.startsWith(CHUNK) ? eventOfChunk(id) : id);

/** Leaves out other people's events with the identity of one of the reader's, because they can record under any id. */
export function ownOfEachId(events: readonly Event[]): readonly Event[] {
  const own = new Set(events.filter(isOwn).map(({ id }) => identityIn(id)));
  return events.filter((event) => isOwn(event) || !own.has(identityIn(event.id)));
}

/** Whether a text has the form of an id of an event, a chunk or an artifact. */
export const isId = (text: string): boolean => ID.test(text);
