/** The calls of the page. Reads have their own code, and changes use the same code as the commands. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { plural, present } from "../../ground/core/text.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { givenLessons } from "./given.ts";
import { inbox, inboxActions } from "./inbox.ts";
import { lessonActions } from "./lesson-actions.ts";
import { allLessons, oneLesson, searchLessons } from "./lessons.ts";
import { openSessionLog, type SessionLog } from "./session-log.ts";
import {
  allSessions,
  bundleFor,
  findInSessions,
  ledger,
  oneEvent,
  oneSession,
  purgeAction,
} from "./sessions.ts";
import type { Routes, ViewerContext } from "./viewer.ts";

/** @param readOnly leaves out all changes. */
export function routesOf(context: ViewerContext, readOnly: boolean): Routes {
  const { lessons } = context;
  const log = openSessionLog(context);
  const id = (query: URLSearchParams) => query.get("id") ?? "";
  const q = (query: URLSearchParams) => query.get("q") ?? "";
  const reads: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
    stamp: () => stateOf(context, log, readOnly),
    lessons: () => allLessons(lessons),
    search: searchLessons(lessons, q),
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
  const actions = readOnly
    ? {}
    : { ...lessonActions(context), ...inboxActions(context, log), purge: purgeAction(context) };
  return { reads: new Map(Object.entries(reads)), actions: new Map(Object.entries(actions)) };
}

export type State = Awaited<ReturnType<typeof stateOf>>;

/** Returns the header of all views, with a stamp that changes whenever any shown data may have changed. */
async function stateOf({ lessons, project }: ViewerContext, log: SessionLog, readOnly: boolean) {
  const [snapshot, { unrecognised }] = await Promise.all([lessons.read(), lessons.report()]);
  const conflicts = snapshot.lessons().filter(({ also }) => also).length;
  const health: readonly { readonly said: string; readonly topic?: string }[] = present(
    conflicts > 0 && { said: `${conflicts} in conflict`, topic: ":conflict" },
    unrecognised.length > 0 && {
      said: `${plural(unrecognised.length, "line")} unreadable: sentinel-memory check`,
    },
  );
  const { context, folder } = project;
  const { trash, given, notes } = LOCAL_FILES;
  const local = [trash, given, notes].map((name) => join(context.local, name));
  const files = [context.memoryFile, ...local, ...(await log.files())];
  const stamps = files
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.mtimeMs.toString(36)}.${stats.size.toString(36)}` : "-"));
  return {
    stamp: stamps.join(" "),
    project: folder,
    recorded: (await log.find()).status,
    health,
    readOnly,
  };
}
