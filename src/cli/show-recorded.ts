/** Shows an event with its neighbours, and a session with its events. */
import type { Event } from "../events/event.ts";
import { artifactsOf } from "../events/mentions.ts";
import { ownFirst } from "../events/projections/brief-event.ts";
import { asOfNow, summariseSessions } from "../events/projections/sessions.ts";
import { removedRefs } from "../events/refs-now.ts";
import { replacedBy } from "../events/replaced-by.ts";
import { tasksBySession } from "../events/session-tasks.ts";
import type { EventStore } from "../events/store.ts";
import { eventNamed } from "./named-event.ts";
import { oneOf } from "./named-session.ts";
import { lookForRecord, openRecord } from "./project-record.ts";
import type { SessionCommandContext } from "./session-command.ts";
import { artifactInFull, type EventNow, eventInFull, eventInPart, eventRow, sessionRows } from "./terminal/events.ts";
import { json, type Page } from "./terminal/layout.ts";

interface Options {
  readonly json?: boolean;
  /** Whole texts instead of a line for each event, or of the beginnings of one event's texts. */
  readonly full?: boolean;
}

/** Events of the same session that are shown on each side. */
const NEIGHBOURS = 3;

/** Whether it can only be a session: the ids of lessons have no hyphens. */
export function isSessionId(id: string): boolean {
  return /^[0-9a-f]{8}-/.test(id);
}

/** @throws SentinelError `ambiguous`, `not_found`, `not_recorded`. */
export async function showEvent(context: SessionCommandContext, id: string, options: Options): Promise<void> {
  const { terminal, openEvents } = context;
  const { folder } = await openRecord(context);
  const store = openEvents(folder);
  const event = await eventNamed(store, id);
  const session = await eventsOf(store, event.session);
  const at = session.findIndex((other) => other.id === event.id);
  const before = session.slice(Math.max(0, at - NEIGHBOURS), at);
  const after = session.slice(at + 1, at + 1 + NEIGHBOURS);
  if (options.json) {
    const { removed, replaced } = await nowOf(event, store);
    const now = { ...(removed.length > 0 && { removed }), ...(replaced.length > 0 && { superseded_by: replaced }) };
    return terminal.print(json({ event, ...now, before, after }));
  }
  const rows = (events: readonly Event[]) => events.map((other) => eventRow(other, terminal.page));
  const shown = options.full
    ? await inFull(event, store, terminal.page)
    : eventInPart(event, terminal.page, await nowOf(event, store));
  terminal.print([...rows(before), "", shown, "", ...rows(after)].join("\n").trim());
}

/** @returns whether there is a record with a session that has this id, or begins with it. */
export async function showSession(context: SessionCommandContext, id: string, options: Options): Promise<boolean> {
  const { terminal, openEvents } = context;
  const { record } = await lookForRecord(context);
  if (!record) return false;
  const store = openEvents(record.folder);
  const summaries = await summariseSessions(store.read());
  const named = oneOf(new Set(summaries.map(({ session }) => session)), id);
  const found = ownFirst(summaries).find(({ session }) => session === named);
  if (!found) return false;
  const tasks = tasksBySession(await store.brief("ledger")).get(found.session);
  const summary = asOfNow({ ...found, ...(tasks && { tasks }) }, Date.now());
  const events = await eventsOf(store, summary.session);
  if (options.json) {
    terminal.print(json({ ...summary, events }));
    return true;
  }
  terminal.print(`${sessionRows(summary, terminal.page).join("\n")}\n`);
  for (const event of events)
    terminal.print(options.full ? `${await inFull(event, store, terminal.page)}\n` : eventRow(event, terminal.page));
  return true;
}

/** An event with its fields, and with the whole of each text that was cut. */
async function inFull(event: Event, store: EventStore, page: Page): Promise<string> {
  const whole: string[] = [];
  for (const id of artifactsOf(event)) whole.push(artifactInFull(id, await store.artifact(id), page));
  return [eventInFull(event, page, await nowOf(event, store)), ...whole].join("\n");
}

/** What has become of what it refers to, and of itself. */
async function nowOf(event: Event, store: EventStore): Promise<EventNow> {
  return { removed: await removedRefs(event, store), replaced: await replacedBy(event, store) };
}

async function eventsOf(store: EventStore, session: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of store.read({ session })) events.push(event);
  return events;
}
