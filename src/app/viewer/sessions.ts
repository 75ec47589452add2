/** The session log in the format of the page: sessions by day, one session as a conversation, and search hits in context. */
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine, present } from "../../ground/core/text.ts";
import {
  decisionThing,
  pinThing,
  speakerLabel,
  type Thing,
  taskThing,
} from "../../sessions/answers/render.ts";
import { BUNDLE_PREFIX, type Bundle } from "../../sessions/bundle/bundle.ts";
import { DEFAULT_MAX_TOKENS, openBundle } from "../../sessions/bundle/open-bundle.ts";
import { GivenBundles } from "../../sessions/files/given-bundles.ts";
import { type Event, eventText, inTime, newestOwnSession } from "../../sessions/kinds/event.ts";
import { withRefsNow } from "../../sessions/projections/current-refs.ts";
import { decisionsOf } from "../../sessions/projections/decisions.ts";
import { pinsOf } from "../../sessions/projections/pins.ts";
import { sessionsNow } from "../../sessions/projections/sessions.ts";
import { tasksOf } from "../../sessions/projections/tasks.ts";
import type { EventStore, FoundChunk } from "../../sessions/store.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import { plannedPurge } from "../../sessions/terminal/planned-purge.ts";
import { saidIn, sessionFacts } from "../../sessions/terminal/rows.ts";
import { type Done, textIn } from "./lesson-actions.ts";
import type { SessionLog } from "./session-log.ts";
import type { Action, ViewerContext } from "./viewer.ts";

export type SessionRow = Awaited<ReturnType<typeof allSessions>>[number];
type EventRow = ReturnType<typeof rowOf>;
export type SessionEvent = Awaited<ReturnType<typeof oneSession>>[number];
type Hit = Awaited<ReturnType<typeof findInSessions>>[number];
export type Found = Awaited<ReturnType<typeof ledger>>[number] &
  Partial<Pick<Hit, "agent" | "before" | "after">>;
export type WholeEvent = Awaited<ReturnType<typeof oneEvent>>;

const MOST_WORDS = 300;
const MOST_SAID = 4_000;
const HITS = 50;
const CONTEXT = { mostLines: 6, width: 240 };

/** Returns all sessions, the latest start first. */
export async function allSessions(log: SessionLog) {
  const { store } = await log.open();
  return (await sessionsNow(store, Date.now())).map((summary) => {
    const { session, agent, began, ended, end, branches, title, plan, request } = summary;
    const words = oneLine(title ?? plan ?? request ?? "").slice(0, MOST_WORDS);
    return { session, agent, began, ended, end, branches, words, facts: sessionFacts(summary) };
  });
}

/** Returns the events of a session in order of time. A call directly followed by its result is one row. @param id the whole id. */
export async function oneSession(log: SessionLog, id: string) {
  const { store } = await log.open();
  const rows: (EventRow & { call?: string })[] = [];
  for await (const event of store.read({ session: id })) {
    const row = rowOf(event);
    const last = rows.at(-1);
    const isAnswer =
      row.kind === "tool_result" && last?.kind === "tool_call" && last.text === row.text;
    if (isAnswer) rows.pop();
    rows.push(isAnswer ? { ...row, call: last.id } : row);
  }
  return rows;
}

/** Returns one event with all fields, and with the full text if it was shortened. @throws SentinelError `not_found`. */
export async function oneEvent(log: SessionLog, id: string) {
  const { store } = await log.open();
  const [event] = await store.find([id]);
  if (!event)
    throw new SentinelError(
      "not_found",
      "This event is recorded no more.",
      "It was purged, or its time is over.",
    );
  const artifact = "artifact_id" in event.content ? event.content.artifact_id : undefined;
  const whole = typeof artifact === "string" ? await store.artifact(artifact) : undefined;
  return { event, whole };
}

/** Returns all decisions, tasks or pins in the format of search hits, newest first. @param list `decision`, `task` or `pin`. */
export async function ledger(log: SessionLog, list: string) {
  const { store } = await log.open();
  return (await ledgerRows(store, list)).reverse();
}

async function ledgerRows(store: EventStore, list: string) {
  const events = await store.brief("ledger");
  if (list === "task")
    return tasksOf(events).map((task) => thingRow(taskThing(task), task, task.status));
  if (list === "pin") return pinsOf(events).map((pin) => thingRow(pinThing(pin), pin, "pinned"));
  const decisions = await withRefsNow(decisionsOf(events), store);
  return decisions.map((made) => thingRow(decisionThing(made), made, made.status));
}

function thingRow(
  { id, ts: at, text, facts }: Thing,
  { session }: { readonly session: string },
  who: string,
) {
  const lines = facts.map(([name, value]) => (name === "" ? value : `${name}: ${value}`));
  return { id, at, session, who, lines: [text, ...lines] };
}

/** Purges an event, a session, or everything that contains a text. Without `yes` it only reports what a purge would delete. */
export const purgeAction =
  (context: ViewerContext): Action =>
  async (body): Promise<Done> => {
    const named = { id: textIn(body, "id"), text: textIn(body, "text") };
    const { preview, carryOut } = await plannedPurge(context, named);
    if (body.yes === true) return { said: (await carryOut()).join("\n") };
    return { said: preview.join("\n"), purge: named };
  };

export async function findInSessions(log: SessionLog, text: string) {
  if (text.trim() === "") return [];
  const { store } = await log.open();
  const { hits } = await store.search({ text, limit: HITS, withNeighbours: true });
  const beside = (chunk: FoundChunk | undefined) =>
    chunk && oneLine(saidIn(chunk)).slice(0, MOST_WORDS);
  return hits.map((hit) => {
    const { event, before, after } = hit;
    return {
      ...rowOf(event),
      session: event.session,
      agent: event.agent,
      lines: aroundMatch(saidIn(hit), text, CONTEXT),
      before: beside(before),
      after: beside(after),
    };
  });
}

/** Returns the stored bundle if the query is its id. Otherwise builds the bundle that `context` would print in the person's newest session. Records and captures nothing. */
export async function bundleFor(
  { project, lessons, readPrivacy }: ViewerContext,
  log: SessionLog,
  query: string,
): Promise<Bundle> {
  const { folder, store: events } = await log.open();
  const given = query.startsWith(BUNDLE_PREFIX) ? new GivenBundles(folder).find(query) : undefined;
  if (given) return given;
  const session = newestOwnSession(inTime(await events.brief("recent"))) ?? "";
  const request = { query, session, maxTokens: DEFAULT_MAX_TOKENS, channel: "private" as const };
  const { known: ownWords } = await readPrivacy();
  return (await openBundle(request, { project, lessons, events, ownWords, now: Date.now() }))
    .bundle;
}

/** Returns an event as a row. Everything except messages is one line, which `oneEvent` expands. */
function rowOf(event: Event) {
  const { id, ts: at, kind, content } = event;
  const { tool, outcome = "", command, path } = content as Partial<Record<string, string>>;
  const who = speakerLabel(event);
  if (kind === "message") {
    const text = (content.text ?? "").slice(0, MOST_SAID);
    return { id, at, kind, who, text, isFolded: false, outcome };
  }
  const words = present(tool ?? "", command ?? path ?? eventText(event)).join("  ");
  const text = oneLine(words).slice(0, MOST_WORDS);
  return { id, at, kind, who, text, isFolded: true, outcome };
}
