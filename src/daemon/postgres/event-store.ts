import type { Event } from "../../sessions/kinds/event.ts";
import type { EventQuery, EventStore } from "../../sessions/store.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import { type AppendParts, appendEvents } from "./append-events.ts";
import { Database, type Identity } from "./database.ts";
import { databaseError } from "./database-error.ts";
import type { Pool } from "./open-pool.ts";
import { purge } from "./purge.ts";
import { findArtifact, findEvents, readEvents } from "./read-events.ts";
import { retain } from "./retain.ts";
import { searchLog } from "./search.ts";
import { statisticsOf } from "./statistics.ts";
import { readWindow } from "./windows.ts";

export interface PostgresEventStoreOptions extends Identity {
  /** Connections with a role that `checkRole` accepts. */
  readonly pool: Pool;
  readonly redactor: Redactor;
  readonly prepareLarge?: AppendParts["prepareLarge"];
  /** The id of the caller's token, as in `AppendParts`. */
  readonly token?: string;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
}

/** The session log of a tenant, as one person may see it. It keeps no connection between calls. */
export class PostgresEventStore implements EventStore {
  readonly location: string;
  readonly #options: PostgresEventStoreOptions;
  readonly #database: Database;

  constructor(options: PostgresEventStoreOptions) {
    const { pool, tenant } = options;
    this.location = `PostgreSQL, tenant ${tenant}`;
    this.#options = options;
    this.#database = new Database(pool, options);
  }

  readonly append: EventStore["append"] = (drafts) => {
    const { redactor, prepareLarge, now, token } = this.#options;
    return this.#writing((database) =>
      appendEvents(database, drafts, { redactor, prepareLarge, now: now(), token }),
    );
  };

  async *read(query: EventQuery = {}): AsyncGenerator<Event> {
    try {
      yield* readEvents(this.#database, query);
    } catch (error) {
      readFailed(error);
    }
  }

  readonly find: EventStore["find"] = (ids) =>
    this.#reading((database) => findEvents(database, ids));

  readonly search: EventStore["search"] = (query) =>
    this.#reading((database) => searchLog(database, query));

  /** Returns false, because events are indexed when they're appended. */
  readonly prepareSearch: EventStore["prepareSearch"] = async () => false;

  readonly brief: EventStore["brief"] = (window) =>
    this.#reading((database) => readWindow(database, window, this.#options.now()));

  readonly artifact: EventStore["artifact"] = (id) =>
    this.#reading((database) => findArtifact(database, id));

  readonly toPurge: EventStore["toPurge"] = (target) =>
    this.#reading((database) => purge(database, target, "plan"));

  readonly purge: EventStore["purge"] = (target) =>
    this.#writing((database) => purge(database, target, "do it"));

  readonly retain: EventStore["retain"] = (limits) =>
    this.#writing((database) => retain(database, limits, this.#options.now()));

  readonly statistics: EventStore["statistics"] = () => this.#reading(statisticsOf);

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
