/** The store of a session log in files (docs/design/sessions.md, "The session log"). */
import type { SentinelError } from "../../ground/core/errors.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import type { Event } from "../kinds/event.ts";
import type { EventQuery, EventStore } from "../store.ts";
import { prepare } from "../storing/prepare.ts";
import type { Redactor } from "../storing/redactor.ts";
import { type KnownBriefs, readBriefs } from "./briefs.ts";
import { appendEvents, findEvents, readEvents, statisticsOf } from "./events.ts";
import { searchLog } from "./index/search.ts";
import { SearchIndex } from "./index/search-index.ts";
import { type LogFiles, logFiles } from "./log-files.ts";
import { withLogLock } from "./log-lock.ts";
import { exclusively, purge, retain, toPurge } from "./purge.ts";

export interface JsonlEventStoreOptions {
  /** The session log's folder, which need not exist. */
  readonly folder: string;
  readonly redactor: Redactor;
  /** Ms since 1970. */
  readonly now: () => number;
}

export class JsonlEventStore implements EventStore {
  readonly location: string;
  readonly #redactor: Redactor;
  readonly #now: () => number;
  readonly #files: LogFiles;
  readonly #index: SearchIndex;
  readonly #briefs: KnownBriefs = {};

  /** Opens and reads nothing. */
  constructor({ folder, redactor, now }: JsonlEventStoreOptions) {
    this.location = folder;
    this.#redactor = redactor;
    this.#now = now;
    this.#files = logFiles(folder);
    this.#index = new SearchIndex(this.#files);
  }

  readonly append: EventStore["append"] = async (drafts) => {
    const now = this.#now();
    const prepared = drafts.map((draft) => prepare(draft, this.#redactor, now));
    const append = () => appendEvents(this.#files, prepared, now);
    return this.#writing(() => withLogLock(this.#files.folder, append));
  };

  async *read(query: EventQuery = {}): AsyncGenerator<Event> {
    try {
      yield* readEvents(this.#files, query);
    } catch (error) {
      throw this.#readError(error);
    }
  }

  readonly find: EventStore["find"] = (ids) => this.#reading(() => findEvents(this.#files, ids));

  readonly search: EventStore["search"] = (query) =>
    this.#reading(() => searchLog(this.#index, query));

  readonly prepareSearch: EventStore["prepareSearch"] = () =>
    this.#writing(() => this.#index.update());

  readonly brief: EventStore["brief"] = (window) =>
    this.#reading(() => readBriefs(this.location, window, this.#now(), this.#briefs));

  readonly artifact: EventStore["artifact"] = (id) =>
    this.#reading(async () => this.#files.artifacts.read(id));

  readonly toPurge: EventStore["toPurge"] = (target) =>
    this.#reading(() => toPurge(this.#files, target));

  readonly purge: EventStore["purge"] = (target) => {
    const at = new Date(this.#now()).toISOString();
    return this.exclusively(() => purge(this.#files, target, at));
  };

  readonly retain: EventStore["retain"] = (limits) =>
    this.exclusively(() => retain(this.#files, limits, this.#now()));

  readonly statistics: EventStore["statistics"] = () =>
    this.#reading(async () => ({
      ...(await statisticsOf(this.#files)),
      indexed: this.#index.onDisk(),
    }));

  /** Runs an act that only one process may run at a time. @param patienceMs the longest wait. @throws SentinelError `lock_timeout`. */
  exclusively<Result>(act: () => Promise<Result>, patienceMs?: number): Promise<Result> {
    return this.#writing(() => exclusively(this.#files, act, patienceMs));
  }

  async #reading<Result>(read: () => Promise<Result>): Promise<Result> {
    return read().catch((error) => {
      throw this.#readError(error);
    });
  }

  #readError(error: unknown): SentinelError {
    return fileError(error, "read_failed", `reading the session log in ${this.location}`);
  }

  async #writing<Result>(write: () => Promise<Result>): Promise<Result> {
    return write().catch((error) => {
      throw fileError(error, "write_failed", `writing the session log in ${this.location}`);
    });
  }
}
