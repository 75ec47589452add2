/** Finds the project's session log for the viewer. It looks repeatedly, because recording may be turned on while a page is open. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type FoundLog, findLog } from "../../sessions/consent/find-log.ts";
import type { EventStore } from "../../sessions/store.ts";
import { mustHaveLog } from "../../sessions/terminal/project-log.ts";
import type { ViewerContext } from "./viewer.ts";

/** How long a result is reused. Looking starts two git processes, and a page asks more than once a second. */
const FRESH_MS = 5_000;

export type SessionLog = ReturnType<typeof openSessionLog>;

export function openSessionLog({ project, env, openEvents }: ViewerContext) {
  /** Reused, because the store caches the parts of the index it has read. */
  let opened: { readonly folder: string; readonly store: EventStore } | undefined;
  let found: Promise<FoundLog> | undefined;
  let lookedAt = 0;
  /** Finds the session log, or the reason why it can't be read. */
  const find = (): Promise<FoundLog> => {
    const now = Date.now();
    if (!found || now - lookedAt > FRESH_MS) {
      lookedAt = now;
      found = findLog(project.folder, env);
    }
    return found;
  };
  return {
    find,
    /** @throws SentinelError `not_recorded`, with the command that turns recording on. */
    async open() {
      const { folder } = mustHaveLog(await find(), project.folder);
      if (opened?.folder !== folder) opened = { folder, store: openEvents(folder) };
      return opened;
    },
    /** Returns the files and folders that change with the session log. */
    async files(): Promise<readonly string[]> {
      const { record } = await find();
      if (!record) return [];
      const events = join(record.folder, "events");
      const [last] = (await readdir(events).catch(() => [])).sort().reverse();
      const beside = await readdir(record.folder).catch(() => []);
      const files = beside.map((name) => join(record.folder, name));
      return last === undefined ? files : [...files, join(events, last)];
    },
  };
}
