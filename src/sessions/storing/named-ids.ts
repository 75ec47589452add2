import { type Event, identityIn, isOwn, readShortEventId } from "../kinds/event.ts";
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

/** Resolves ids. The result leaves out unknown ids and short ids that match several events. */
export async function namedIn(
  store: Pick<EventStore, "find" | "artifact">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const events = await store.find(ids.map(eventNamed));
  const named = new Map<string, Named>();
  for (const id of ids) {
    const name = eventNamed(id);
    const matches = events.filter((event) => isNamed(event.id, name));
    const [event] = matches;
    if (event && matches.length === 1) {
      named.set(id, describe(event, id));
      continue;
    }
    const isArtifact = id.startsWith(ARTIFACT) && (await store.artifact(id)) !== undefined;
    if (isArtifact) named.set(id, { id, kind: "artifact" });
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
  if (kind !== "task_update") return named;
  return { ...named, task: { session, task: content.task ?? content.title ?? event.id } };
}

/** A note on cited ids that match no event, or several. Undefined if all are fine. */
export async function noteOnCitations(
  store: Pick<EventStore, "find" | "artifact">,
  events: readonly (Event | undefined)[],
): Promise<string | undefined> {
  const cited = new Set(events.flatMap((event) => textsIn(event?.content.citations)));
  const ids = [...cited].filter(isId).slice(0, MOST_CITED);
  const named = await namedIn(store, ids);
  const unknown = ids.filter((id) => !named.has(id)).join(", ");
  if (unknown === "") return undefined;
  return `Cited as given, but no event here has the id ${unknown}. Answers show ids as evt_….`;
}

/** The id of a chunk's event, or the id itself. */
export const eventNamed = (id: string): string => (id.startsWith(CHUNK) ? eventOfChunk(id) : id);

/** Leaves out other people's events with the identity of one of the reader's, because they can record under any id. */
export function ownOfEachId(events: readonly Event[]): readonly Event[] {
  const own = new Set(events.filter(isOwn).map(({ id }) => identityIn(id)));
  return events.filter((event) => isOwn(event) || !own.has(identityIn(event.id)));
}

function isNamed(event: string, name: string): boolean {
  const end = readShortEventId(name);
  return end === undefined ? identityIn(event) === identityIn(name) : event.endsWith(end);
}

/** Whether a text has the form of an id of an event, a chunk or an artifact. */
export const isId = (text: string): boolean => ID.test(text);
