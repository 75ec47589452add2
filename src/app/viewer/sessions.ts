/** The session log as the page has it: sessions by day, one as a conversation, and what a search finds, in context. */
import { SentinelError } from "../../ground/core/errors.ts";
import { oneLine } from "../../ground/core/text.ts";
import type { Event } from "../../sessions/kinds/event.ts";
import { eventText } from "../../sessions/kinds/event-text.ts";
import { isFromPerson } from "../../sessions/kinds/message.ts";
import { sessionsNow } from "../../sessions/projections/sessions.ts";
import { type FoundChunk, MOST_HITS } from "../../sessions/store.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import { saidIn } from "../../sessions/terminal/events.ts";
import type { SessionLog } from "./session-log.ts";

export type SessionRow = Awaited<ReturnType<typeof allSessions>>[number];
type EventRow = ReturnType<typeof rowOf>;
export type SessionEvent = Awaited<ReturnType<typeof oneSession>>[number];
export type Hit = Awaited<ReturnType<typeof findInSessions>>[number];
export type WholeEvent = Awaited<ReturnType<typeof oneEvent>>;

const MOST_WORDS = 300;
const MOST_SAID = 4_000;
const HITS = 50;
const CONTEXT = { mostLines: 6, width: 240 };

/** That which began last first. */
export async function allSessions(log: SessionLog) {
  const { store } = await log.open();
  return (await sessionsNow(store, Date.now())).map((summary) => {
    const { session, agent, began, ended, end, branches } = summary;
    const { title, plan, request, files, failed, decisions, commits, events } = summary;
    const { done, all } = summary.tasks;
    const counts = { files: files.length, failed, decisions, commits: commits.length, events };
    const facts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
    const words = oneLine(title ?? plan ?? request ?? "").slice(0, MOST_WORDS);
    const ofTasks = all > 0 ? [`${done} of ${all} tasks`] : [];
    return { session, agent, began, ended, end, branches, words, facts: [...ofTasks, ...facts] };
  });
}

/** In order of time; a call and its answer are one where nothing stands between them. @param id whole. */
export async function oneSession(log: SessionLog, id: string) {
  const { store } = await log.open();
  const rows: (EventRow & { call?: string })[] = [];
  for await (const event of store.read({ session: id })) {
    const [row, last] = [rowOf(event), rows.at(-1)];
    const isAnswer = event.kind === "tool_result" && last?.who === "tool call" && last.text === row.text;
    if (isAnswer) rows.pop();
    rows.push(isAnswer ? { ...row, who: "call", call: last.id } : row);
  }
  return rows;
}

/** One with all of its fields, and the whole of a text that was cut. @throws SentinelError `not_found`. */
export async function oneEvent(log: SessionLog, id: string) {
  const { store } = await log.open();
  const [event] = await store.find([id]);
  if (!event)
    throw new SentinelError("not_found", "This event is recorded no more.", "It was purged, or its time is over.");
  const artifact = "artifact_id" in event.content ? event.content.artifact_id : undefined;
  const whole = typeof artifact === "string" ? await store.artifact(artifact) : undefined;
  return { event, ...(whole !== undefined && { whole }) };
}

export async function findInSessions(log: SessionLog, text: string) {
  if (text.trim() === "") return [];
  const { store } = await log.open();
  const { hits } = await store.search({ text, limit: Math.min(HITS, MOST_HITS), withNeighbours: true });
  const beside = (chunk: FoundChunk | undefined) => chunk && oneLine(saidIn(chunk)).slice(0, MOST_WORDS);
  return hits.map((hit) => {
    const { event, before, after } = hit;
    const around = { ...(before && { before: beside(before) ?? "" }), ...(after && { after: beside(after) ?? "" }) };
    const lines = aroundMatch(saidIn(hit), text, CONTEXT);
    return { ...rowOf(event), session: event.session, agent: event.agent, lines, ...around };
  });
}

/** Calls, results and the like are a line, which `oneEvent` unfolds. */
function rowOf(event: Event) {
  const { id, ts: at, kind, content } = event;
  if (kind === "message") {
    const who = isFromPerson(event) ? "person" : "agent";
    return { id, at, who, text: (content.text ?? "").slice(0, MOST_SAID), isFolded: false, outcome: "" };
  }
  const { tool, outcome, command, path } = content as Partial<Record<string, string>>;
  const said = [tool, command ?? path ?? eventText(event)].filter((part) => part !== undefined && part !== "");
  const text = oneLine(said.join("  ")).slice(0, MOST_WORDS);
  return { id, at, who: kind.replace("_", " "), text, isFolded: true, outcome };
}
