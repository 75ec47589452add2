/** The calls of the page. Reads have their own code, and changes use the same code as the commands. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../../ground/core/text.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { inbox, inboxActions } from "./inbox.ts";
import { type Action, lessonActions } from "./lesson-actions.ts";
import { allLessons, givenLessons, oneLesson, searchLessons } from "./lessons.ts";
import {
  allSessions,
  bundleFor,
  findInSessions,
  ledger,
  oneEvent,
  oneSession,
  purgeAction,
  SessionLog,
} from "./sessions.ts";

/** The calls of the page, by name. */
export interface Routes {
  readonly reads: ReadonlyMap<string, (query: URLSearchParams) => Promise<unknown>>;
  readonly actions: ReadonlyMap<string, Action>;
}

/** @param readOnly leaves out all changes. */
export function routesOf(context: SessionCommandContext, readOnly: boolean): Routes {
  const { lessons } = context;
  const log = new SessionLog(context);
  const id = (query: URLSearchParams) => query.get("id") ?? "";
  const q = (query: URLSearchParams) => query.get("q") ?? "";
  const reads: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
    stamp: () => stateOf(context, log, readOnly),
    lessons: () => allLessons(lessons),
    search: (query) => searchLessons(lessons, q(query)),
    lesson: (query) => oneLesson(context, id(query)),
    given: () => givenLessons(context),
    inbox: () => inbox(context, log),
    sessions: () => allSessions(log),
    session: (query) => oneSession(log, id(query)),
    event: (query) => oneEvent(log, id(query)),
    ledger: (query) => ledger(log, query.get("list") ?? ""),
    find: (query) => findInSessions(log, q(query)),
    bundle: (query) => bundleFor(context, log, q(query)),
  };
  const actions: Record<string, Action> = {
    ...lessonActions(context),
    ...inboxActions(context, log),
    purge: purgeAction(context),
  };
  return {
    reads: new Map(Object.entries(reads)),
    actions: new Map(readOnly ? [] : Object.entries(actions)),
  };
}

/** A fault of the memory. @param topic the filter of lessons that shows it. */
interface Fault {
  readonly said: string;
  readonly topic?: string;
}

/** The header of all views. */
export interface State {
  /** Changes whenever any shown data may have changed. */
  readonly stamp: string;
  readonly project: string;
  readonly isRecording: boolean;
  readonly health: readonly Fault[];
  readonly readOnly: boolean;
}

async function stateOf(
  { lessons, project }: SessionCommandContext,
  log: SessionLog,
  readOnly: boolean,
): Promise<State> {
  const [snapshot, { unrecognised }] = await Promise.all([lessons.read(), lessons.report()]);
  const conflicts = snapshot.lessons().filter(({ also }) => also).length;
  const health: Fault[] = [];
  if (conflicts > 0) {
    health.push({ said: `${conflicts} in conflict`, topic: ":conflict" });
  }
  if (unrecognised.length > 0) {
    health.push({
      said: `${plural(unrecognised.length, "line")} unreadable: sentinel-memory check`,
    });
  }
  const { context, folder } = project;
  const { trash, given, notes } = LOCAL_FILES;
  const local = [trash, given, notes].map((name) => join(context.local, name));
  const files = [context.memoryFile, ...local, ...(await log.files())];
  const isRecording = (await log.find()).status === "on";
  return { stamp: files.map(stampOf).join(" "), project: folder, isRecording, health, readOnly };
}

/** Returns a text that changes with a file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs}.${stats.size}` : "-";
}
