/** The session log on PostgreSQL (docs/design/daemon.md, "The session log on PostgreSQL"). */
import type { BriefEvent } from "../../sessions/kinds/brief-event.ts";
import type { Event, EventDraft } from "../../sessions/kinds/event.ts";
import type {
  Changes,
  ChangesRange,
  Cursor,
  EventQuery,
  EventStore,
  Purged,
  PurgeTarget,
  Retained,
  RetentionLimits,
  SearchQuery,
  SearchResult,
  Statistics,
  Window,
} from "../../sessions/store.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import { appendEvents } from "./append-events.ts";
import { changesSince } from "./changes.ts";
import { Database, type Identity } from "./database.ts";
import { databaseError } from "./database-error.ts";
import { exclusively } from "./exclusively.ts";
import { draftsNotStored } from "./not-stored.ts";
import type { Pool } from "./open-pool.ts";
import { purge } from "./purge.ts";
import { findArtifact, findEvents, readEvents } from "./read-events.ts";
import { retain } from "./retain.ts";
import { searchLog } from "./search.ts";
import { statisticsOf } from "./statistics.ts";
import { Windows } from "./windows.ts";

export interface PostgresEventStoreOptions extends Identity {
  /** Of connections as a role that `checkRole` accepts. */
  readonly pool: Pool;
  /** For those that `exclusively` takes, so that they leave the others to calls; the same ones where it is absent. */
  readonly locks?: Pool;
  readonly redactor: Redactor;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** The session log of a tenant as one person may see it. It holds no connection between calls. */
export class PostgresEventStore implements EventStore {
  readonly location: string;
  readonly #database: Database;
  readonly #alone: Database;
  readonly #windows: Windows;
  readonly #redactor: Redactor;
  readonly #now: () => number;

  constructor({ pool, locks = pool, redactor, now, ...identity }: PostgresEventStoreOptions) {
    this.location = `PostgreSQL, tenant ${identity.tenant}`;
    this.#database = new Database(pool, identity);
    this.#alone = new Database(locks, identity);
    this.#windows = new Windows(this.#database);
    this.#redactor = redactor;
    this.#now = now;
  }

  append(drafts: readonly EventDraft[]): Promise<readonly (Event | undefined)[]> {
    const circumstances = { redactor: this.#redactor, now: this.#now() };
    return this.#writing((database) => appendEvents(database, drafts, circumstances));
  }

  notStored(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    return this.#reading((database) => draftsNotStored(database, drafts));
  }

  async *read(query: EventQuery = {}): AsyncGenerator<Event> {
    try {
      yield* readEvents(this.#database, query);
    } catch (error) {
      readFailed(error);
    }
  }

  find(ids: readonly string[]): Promise<readonly Event[]> {
    return this.#reading((database) => findEvents(database, ids));
  }

  search(query: SearchQuery): Promise<SearchResult> {
    return this.#reading((database) => searchLog(database, query));
  }

  /** Events are indexed as they are appended. */
  async prepareSearch(): Promise<boolean> {
    return false;
  }

  changes(since?: Cursor, range?: ChangesRange): Promise<Changes> {
    return this.#reading((database) => changesSince(database, since, range));
  }

  brief(window: Window): Promise<readonly BriefEvent[]> {
    return this.#reading(() => this.#windows.read(window, this.#now()));
  }

  artifact(id: string): Promise<string | undefined> {
    return this.#reading((database) => findArtifact(database, id));
  }

  toPurge(target: PurgeTarget): Promise<Purged> {
    return this.#reading((database) => purge(database, target, "plan"));
  }

  purge(target: PurgeTarget): Promise<Purged> {
    return this.#writing((database) => purge(database, target, "do it"));
  }

  retain(limits: RetentionLimits): Promise<Retained> {
    return this.#writing((database) => retain(database, limits, this.#now()));
  }

  statistics(): Promise<Statistics> {
    return this.#reading(statisticsOf);
  }

  exclusively<Result>(act: () => Promise<Result>, patienceMs?: number): Promise<Result> {
    return this.#writing(() => exclusively(this.#alone, act, patienceMs));
  }

  async #reading<Result>(read: (database: Database) => Promise<Result>): Promise<Result> {
    return read(this.#database).catch(readFailed);
  }

  async #writing<Result>(write: (database: Database) => Promise<Result>): Promise<Result> {
    return write(this.#database).catch((error) => {
      throw databaseError(error, "write_failed", "Writing the session log");
    });
  }
}

function readFailed(error: unknown): never {
  throw databaseError(error, "read_failed", "Reading the session log");
}
