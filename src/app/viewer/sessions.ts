/** The session log in the format of the page: sessions by day, one session as a conversation, and search hits in context. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
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
import { type FoundLog, findLog } from "../../sessions/consent/find-log.ts";
import { GivenBundles } from "../../sessions/files/given-bundles.ts";
import { type Event, eventText, inTime, newestOwnSession } from "../../sessions/kinds/event.ts";
import { withRefsNow } from "../../sessions/projections/current-refs.ts";
import { decisionsOf } from "../../sessions/projections/decisions.ts";
import { pinsOf } from "../../sessions/projections/pins.ts";
import { type SessionNow, sessionsNow } from "../../sessions/projections/sessions.ts";
import { tasksOf } from "../../sessions/projections/tasks.ts";
import type { EventStore, FoundChunk } from "../../sessions/store.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import { plannedPurge } from "../../sessions/terminal/planned-purge.ts";
import { mustHaveLog, type SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { saidIn, sessionFacts } from "../../sessions/terminal/rows.ts";
import { type Action, type Done, textIn } from "./lesson-actions.ts";

export interface SessionRow
  extends Pick<SessionNow, "session" | "agent" | "began" | "ended" | "end" | "branches"> {
  /** The beginning of its title, plan or first request. */
  readonly words: string;
  readonly facts: readonly string[];
}

export interface WholeEvent {
  readonly event: Event;
  /** The full text, if the event contains only its beginning. */
  readonly whole: string | undefined;
}

/** An event in a list of search hits, decisions, tasks or pins. */
export interface Found {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly session: string;
  /** The speaker, or the state of a decision or task. */
  readonly who: string;
  readonly lines: readonly string[];
  readonly agent?: string;
  /** The texts next to a search hit. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

const MOST_WORDS = 300;
const MOST_SAID = 4_000;
const HITS = 50;
const CONTEXT = { mostLines: 6, width: 240 };

/** How long the result of a look is reused. It starts two git processes, and a page asks more than once a second. */
const FRESH_MS = 5_000;

/** The project's session log. It's looked for repeatedly, because recording may be turned on while a page is open. */
export class SessionLog {
  readonly #context: SessionCommandContext;
  /** Reused, because the store caches the parts of the index it has read. */
  #opened: { readonly folder: string; readonly store: EventStore } | undefined;
  #found: Promise<FoundLog> | undefined;
  #lookedAt = 0;

  constructor(context: SessionCommandContext) {
    this.#context = context;
  }

  /** Finds the session log, or the reason why it can't be read. */
  find(): Promise<FoundLog> {
    const { project, env } = this.#context;
    const now = Date.now();
    if (!this.#found || now - this.#lookedAt > FRESH_MS) {
      this.#lookedAt = now;
      this.#found = findLog(project.folder, env);
    }
    return this.#found;
  }

  /** @throws SentinelError `not_recorded`, with the command that turns recording on. */
  async open(): Promise<{ readonly folder: string; readonly store: EventStore }> {
    const { project, openEvents } = this.#context;
    const { folder } = mustHaveLog(await this.find(), project.folder);
    if (this.#opened?.folder !== folder) {
      this.#opened = { folder, store: openEvents(folder) };
    }
    return this.#opened;
  }

  /** Returns the files and folders that change with the session log. */
  async files(): Promise<readonly string[]> {
    const { record } = await this.find();
    if (!record) {
      return [];
    }
    const events = join(record.folder, "events");
    const days = await readdir(events).catch(() => []);
    const names = await readdir(record.folder).catch(() => []);
    const files = names.map((name) => join(record.folder, name));
    const last = days.sort().at(-1);
    return last === undefined ? files : [...files, join(events, last)];
  }
}

/** Returns all sessions, the latest start first. */
export async function allSessions(log: SessionLog): Promise<SessionRow[]> {
  const { store } = await log.open();
  const sessions = await sessionsNow(store, Date.now());
  return sessions.map((summary) => {
    const { session, agent, began, ended, end, branches, title, plan, request } = summary;
    const words = oneLine(title ?? plan ?? request ?? "").slice(0, MOST_WORDS);
    return { session, agent, began, ended, end, branches, words, facts: sessionFacts(summary) };
  });
}

/** An event as a row. Everything except messages is one line, which `oneEvent` expands. */
export interface SessionEvent {
  readonly id: string;
  /** The call, if the row is its result. */
  readonly call?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: Event["kind"];
  readonly who: string;
  readonly text: string;
  readonly isFolded: boolean;
  readonly outcome: string;
}

/** Returns the events of a session in order of time. A call directly followed by its result is one row. @param id the whole id. */
export async function oneSession(log: SessionLog, id: string): Promise<SessionEvent[]> {
  const { store } = await log.open();
  const rows: SessionEvent[] = [];
  for await (const event of store.read({ session: id })) {
    const row = rowOf(event);
    const last = rows.at(-1);
    const isCall = last?.kind === "tool_call" && last.text === row.text;
    if (last && isCall && row.kind === "tool_result") {
      rows.splice(-1, 1, { ...row, call: last.id });
    } else {
      rows.push(row);
    }
  }
  return rows;
}

/** Returns one event with all fields, and with the full text if it was shortened. @throws SentinelError `not_found`. */
export async function oneEvent(log: SessionLog, id: string): Promise<WholeEvent> {
  const { store } = await log.open();
  const [event] = await store.find([id]);
  if (!event) {
    const what = "This event is no longer in the session log.";
    throw new SentinelError("not_found", what, "It was purged or has expired.");
  }
  const artifact = "artifact_id" in event.content ? event.content.artifact_id : undefined;
  const whole = typeof artifact === "string" ? await store.artifact(artifact) : undefined;
  return { event, whole };
}

/** Returns all decisions, tasks or pins, newest first. @param list `decision`, `task` or `pin`. */
export async function ledger(log: SessionLog, list: string): Promise<Found[]> {
  const { store } = await log.open();
  const rows = await ledgerRows(store, list);
  return rows.reverse();
}

async function ledgerRows(store: EventStore, list: string): Promise<Found[]> {
  const events = await store.brief("ledger");
  if (list === "task") {
    return tasksOf(events).map((task) => thingRow(taskThing(task), task, task.status));
  }
  if (list === "pin") {
    return pinsOf(events).map((pin) => thingRow(pinThing(pin), pin, "pinned"));
  }
  const decisions = await withRefsNow(decisionsOf(events), store);
  return decisions.map((made) => thingRow(decisionThing(made), made, made.status));
}

function thingRow(
  { id, ts: at, text, facts }: Thing,
  { session }: { readonly session: string },
  who: string,
): Found {
  const lines = facts.map(([name, value]) => (name === "" ? value : `${name}: ${value}`));
  return { id, at, session, who, lines: [text, ...lines] };
}

/** Purges an event, a session, or everything that contains a text. Without `yes` it only previews the purge. */
export function purgeAction(context: SessionCommandContext): Action {
  return async (body): Promise<Done> => {
    const named = { id: textIn(body, "id"), text: textIn(body, "text") };
    const { preview, carryOut } = await plannedPurge(context, named);
    if (body.yes !== true) {
      return { said: preview.join("\n"), purge: named };
    }
    const report = await carryOut();
    return { said: report.join("\n") };
  };
}

export async function findInSessions(log: SessionLog, text: string): Promise<Found[]> {
  if (text.trim() === "") {
    return [];
  }
  const { store } = await log.open();
  const { hits } = await store.search({ text, limit: HITS, withNeighbours: true });
  const inShort = (chunk: FoundChunk | undefined) =>
    chunk && oneLine(saidIn(chunk)).slice(0, MOST_WORDS);
  return hits.map((hit) => {
    const { id, ts: at, session, agent } = hit.event;
    const who = speakerLabel(hit.event);
    const lines = aroundMatch(saidIn(hit), text, CONTEXT);
    const before = inShort(hit.before);
    const after = inShort(hit.after);
    return { id, at, session, agent, who, lines, before, after };
  });
}

/** Returns the stored bundle if the query is its id. Otherwise builds the bundle that `context` would print in the person's newest session. Records and captures nothing. */
export async function bundleFor(
  { project, lessons, readPrivacy }: SessionCommandContext,
  log: SessionLog,
  query: string,
): Promise<Bundle> {
  const { folder, store: events } = await log.open();
  const given = query.startsWith(BUNDLE_PREFIX) ? new GivenBundles(folder).find(query) : undefined;
  if (given) {
    return given;
  }
  const session = newestOwnSession(inTime(await events.brief("recent"))) ?? "";
  const request = { query, session, maxTokens: DEFAULT_MAX_TOKENS, channel: "private" as const };
  const { known: ownWords } = await readPrivacy();
  const parts = { project, lessons, events, ownWords, now: Date.now() };
  const { bundle } = await openBundle(request, parts);
  return bundle;
}

function rowOf(event: Event): SessionEvent {
  const { id, ts: at, kind, content } = event;
  const { tool = "", outcome = "", command, path } = content as Partial<Record<string, string>>;
  const who = speakerLabel(event);
  if (kind === "message") {
    const text = (content.text ?? "").slice(0, MOST_SAID);
    return { id, at, kind, who, text, isFolded: false, outcome };
  }
  const words = present(tool, command ?? path ?? eventText(event)).join("  ");
  const text = oneLine(words).slice(0, MOST_WORDS);
  return { id, at, kind, who, text, isFolded: true, outcome };
}
