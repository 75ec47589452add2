/** A PostgreSQL for tests: one for a file, with databases and pools for each test. */
import type pg from "pg";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type Postgres, poolOf, startPostgres, stopPostgres } from "./postgres-server.ts";

/** One for all tests of a file, or of a group in it. @param programs where its programs are, if it is not the one that is installed. */
export function postgresOfFile(programs?: () => string): () => Postgres {
  let started: Postgres | undefined;
  beforeAll(async () => {
    started = await startPostgres(programs?.());
  });
  afterAll(() => {
    if (started) {
      stopPostgres(started);
    }
  });
  return () => started as Postgres;
}

/** A pool for one test. Losing its connections is what some tests are about. */
export function testPool(
  { port }: Postgres,
  user: string,
  database: string,
  more: pg.PoolConfig = {},
): pg.Pool {
  const pool = poolOf(port, user, database, more);
  onTestFinished(() => pool.end());
  return pool;
}
