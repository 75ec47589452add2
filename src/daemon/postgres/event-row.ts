import {
  type BriefEvent,
  type Content,
  type Event,
  eventId,
  identityIn,
  type Kind,
  type Place,
  type Sensitivity,
} from "../../sessions/kinds/event.ts";
import { narrowed } from "../../sessions/kinds/narrow.ts";
import { artifactsOf } from "../../sessions/storing/event-texts.ts";
import type { Prepared } from "../../sessions/storing/prepare.ts";
import { fromStorable, toStorable } from "./storable-text.ts";

/** The columns for `toldOf`. `ms` is in ms since 1970. */
export const TOLD_COLUMNS = `(extract(epoch from ts) * 1000)::float8 as ms, key, owner, session, agent, channel, actor_type, actor_id, kind,
  sensitivity, refs, place, content`;
/** The columns for `eventOf`, including those that order events. */
export const EVENT_COLUMNS = `${TOLD_COLUMNS}, seq::float8 as seq, tags, origin, hash`;

export interface EventRow {
  readonly ms: number;
  readonly key: string;
  readonly owner: string;
  /** The owner, if that isn't the reader. `readRows` sets it. */
  person?: string;
  readonly seq: number;
  readonly session: string;
  readonly agent: string;
  readonly channel: Event["channel"];
  readonly actor_type: Event["actor"]["type"];
  readonly actor_id: string;
  readonly kind: Kind;
  readonly sensitivity: Sensitivity;
  readonly refs: readonly string[];
  readonly tags: readonly string[];
  readonly origin: string | null;
  readonly place: Place | null;
  readonly hash: string;
  readonly content: Content;
}

export type ToldRow = Omit<EventRow, "seq" | "tags" | "origin" | "hash">;

export function eventOf(row: EventRow): Event {
  const { tags, origin, hash } = row;
  return {
    ...toldOf(row),
    tags: tags.map(fromStorable),
    hash,
    origin: origin === null ? undefined : fromStorable(origin),
  };
}

/** Returns a short event for a window, because a window reads thousands. */
export function toldOf(row: ToldRow) {
  const {
    ms,
    key,
    session,
    agent,
    channel,
    actor_type,
    actor_id,
    kind,
    sensitivity,
    refs,
    place,
    person,
  } = row;
  return narrowed({
    id: eventId(ms, key),
    ts: new Date(ms).toISOString(),
    session: fromStorable(session),
    agent: fromStorable(agent),
    channel,
    actor: { type: actor_type, id: fromStorable(actor_id) },
    kind,
    content: row.content,
    refs: refs.map(fromStorable),
    sensitivity,
    place: place ?? undefined,
    person,
  }) as BriefEvent & Pick<Event, "channel" | "sensitivity">;
}

/** Returns a row for `append_events`. @param n its place in the batch. */
export function rowOf({ event, contentJson }: Prepared, n: number) {
  return {
    n,
    ts: event.ts,
    key: identityIn(event.id),
    session: toStorable(event.session),
    agent: toStorable(event.agent),
    channel: event.channel,
    actor_type: event.actor.type,
    actor_id: toStorable(event.actor.id),
    kind: event.kind,
    sensitivity: event.sensitivity,
    refs: event.refs.map(toStorable),
    tags: event.tags.map(toStorable),
    artifacts: artifactsOf(event),
    origin: event.origin === undefined ? null : toStorable(event.origin),
    place: event.place === undefined ? null : JSON.stringify(event.place),
    hash: event.hash,
    content: contentJson,
  };
}
