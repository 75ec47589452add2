/** A daemon of the tests' own in this process, over a PostgreSQL that they started, and tokens for it. */
import { request } from "node:http";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { beforeAll, onTestFinished } from "vitest";
import { databaseCallers, type PrepareLarge } from "../../src/daemon/database-callers.ts";
import type { TokenOptions } from "../../src/daemon/http/caller.ts";
import { listen } from "../../src/daemon/http/listen.ts";
import { type LogEntry, Service } from "../../src/daemon/http/service.ts";
import { checkRole } from "../../src/daemon/postgres/migrate.ts";
import { createTenant } from "../../src/daemon/postgres/tenants.ts";
import { WorkerThread } from "../../src/daemon/worker-thread.ts";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { eventRedactor, type Redactor } from "../../src/sessions/storing/redactor.ts";
import { atEndOfFile } from "./in-test.ts";
import { ownToken } from "./own-token.ts";
import { migratedDatabase, type Postgres, poolOf } from "./postgres-server.ts";

export interface DaemonOfTest {
  readonly url: string;
  readonly port: number;
  readonly database: string;
  readonly log: readonly LogEntry[];
  close(): Promise<void>;
  /** A person's own token of a tenant; both are made where they are missing. */
  token(more?: Partial<TokenOptions>): Promise<string>;
}

interface Options {
  readonly now?: () => number;
  readonly redactor?: Redactor;
  /** Takes what ends it, where it outlives a test. */
  readonly atEnd?: (end: () => Promise<void>) => void;
  /** What answers in place of a caller's store: it may have a fault that no database has. */
  readonly storeFor?: (store: EventStore) => EventStore;
}

export async function daemonOver(
  postgres: Postgres,
  database: string,
  options: Options = {},
): Promise<DaemonOfTest> {
  const { now = Date.now, redactor, storeFor = (store) => store, atEnd = onTestFinished } = options;
  const poolFor = (user: string, more: pg.PoolConfig = {}) => {
    const pool = poolOf(postgres.port, user, database, more);
    atEnd(() => pool.end());
    return pool;
  };
  const pool = poolFor("daemon", { connectionTimeoutMillis: 20_000 });
  const owner = poolFor("owner", { max: 1 });
  const log: LogEntry[] = [];
  const thread = new WorkerThread(pathToFileURL("dist/daemon-thread.mjs"));
  atEnd(() => thread.close());
  const prepareLarge: PrepareLarge = (task) => thread.run("prepare", task);
  const callers = databaseCallers({ pool, now, prepareLarge, redactor });
  const service = new Service({
    callers: {
      ...callers,
      open(holder) {
        const opened = callers.open(holder);
        return { ...opened, events: storeFor(opened.events) };
      },
    },
    parseLarge: (body) => thread.run("parse", body, [body.buffer]),
    pool,
    checkHealth: () => checkRole(pool),
    hosts: [],
    version: "0.0.0",
    log: (entry) => log.push(entry),
  });
  const listening = await listen({
    host: "127.0.0.1",
    port: 0,
    answer: (call, response) => service.answer(call, response),
    onClose: () => service.stop(),
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) {
      await listening.close();
    }
    isOpen = false;
  };
  atEnd(close);
  return {
    url: listening.url,
    port: Number(new URL(listening.url).port),
    database,
    log,
    close,
    async token({ tenant = "acme", owner: person = "ann", ...more } = {}) {
      await createTenant(owner, tenant).catch(() => undefined);
      return ownToken(owner, tenant, person, more);
    },
  };
}

/** One for all tests of a file, over a database that only they use. Each may have its own tenants. */
export function daemonOfFile(postgres: () => Postgres): () => DaemonOfTest {
  const atEnd = atEndOfFile();
  let daemon: DaemonOfTest | undefined;
  beforeAll(async () => {
    daemon = await daemonOver(postgres(), await migratedDatabase(postgres()), { atEnd });
  });
  return () => daemon as DaemonOfTest;
}

/** The session log of a token's person, as a clone reaches it. */
export function storeAt(url: string, token: string): EventStore {
  return remoteEventStore({ url, token, redactor: eventRedactor() });
}

/** Calls about events with a token, without the tries of our own client. */
export function eventCalls(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return (name: string, body: unknown): Promise<Answer> =>
    send(Number(new URL(url).port), `/v1/events/${name}`, headers, JSON.stringify(body));
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A call as any program may make it: what fetch would not send, too. */
export function send(
  port: number,
  path: string,
  headers: object = {},
  body?: string,
  method = "POST",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "127.0.0.1", port, path, method, headers: { ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => {
          const text = Buffer.concat(parts).toString();
          const isJson = response.headers["content-type"] === "application/json";
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}
