/** The project's session log for the viewer: looked for again and again, because recording may begin while a page is open. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { type FoundLog, findLog, obstacleIn } from "../../sessions/consent/find-log.ts";
import type { EventStore } from "../../sessions/store.ts";
import type { ViewerContext } from "./viewer.ts";

/** To look takes two processes of git, and a page asks more than once a second. */
const FRESH_MS = 5_000;

export class SessionLog {
  readonly #context: ViewerContext;
  /** Kept, because it keeps what it read of the index. */
  #opened: { readonly folder: string; readonly store: EventStore } | undefined;

  #found: Promise<FoundLog> | undefined;
  #lookedAt = 0;

  constructor(context: ViewerContext) {
    this.#context = context;
  }

  /** @throws SentinelError `not_recorded`, with what turns recording on. */
  async open(): Promise<{ readonly folder: string; readonly store: EventStore }> {
    const found = await this.find();
    if (!found.record) {
      const { what, fix } = obstacleIn(found) ?? NEVER;
      throw new SentinelError("not_recorded", what, fix);
    }
    const { folder } = found.record;
    if (this.#opened?.folder !== folder) this.#opened = { folder, store: this.#context.openEvents(folder) };
    return this.#opened;
  }

  /** Files and folders that change with the session log. */
  async files(): Promise<readonly string[]> {
    const { record } = await this.find();
    if (!record) return [];
    const events = join(record.folder, "events");
    const [last] = (await readdir(events).catch(() => [])).sort().reverse();
    const beside = await readdir(record.folder).catch(() => []);
    return [...beside.map((name) => join(record.folder, name)), ...(last === undefined ? [] : [join(events, last)])];
  }

  /** The one that is there, or why there is none that can be read. */
  find(): Promise<FoundLog> {
    const now = Date.now();
    if (!this.#found || now - this.#lookedAt > FRESH_MS) {
      this.#lookedAt = now;
      this.#found = findLog(this.#context.project.folder, this.#context.env);
    }
    return this.#found;
  }
}

const NEVER = {
  what: "Sessions of this project are not recorded, so there is nothing to show here.",
  fix: "sentinel-memory record on starts a session log, private and on this machine alone.",
};
