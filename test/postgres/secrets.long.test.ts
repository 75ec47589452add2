/** The planted secrets of the record's tests are in no table, log or segment of the write-ahead log; without the redactor they all are. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Redactor } from "../../src/events/redactor.ts";
import { eventRedactor } from "../../src/events/redactor.ts";
import { PostgresEventStore } from "../../src/postgres/event-store.ts";
import { NOON } from "../contracts/event-store.ts";
import { COUNT, draftsWith, escaped, makeSecrets, type Planted, runsLeft } from "../support/planted-secrets.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

/** Kinds of what was taken out, in a list of tags, and tables and arguments that a cookie is named like. */
const OUR_NAMES = /redacted:[\w-]+|\w*_session\w*/g;

const [clean, open] = [postgresOfFile(), postgresOfFile()];

/** A cluster whose record holds them: its dump, its logs. Long texts are stored as they are, so that they can be searched. */
async function record(postgres: ReturnType<typeof clean>, redactor: Redactor, secrets: readonly Planted[]) {
  const database = await migratedDatabase(postgres);
  const owner = testPool(postgres, "owner", database);
  await owner.query("alter table sentinel.events alter content set storage external");
  await owner.query("alter table sentinel.artifacts alter text set storage external");
  const pool = testPool(postgres, "daemon", database);
  const store = new PostgresEventStore({
    pool,
    tenant: "t",
    owner: "jo",
    channel: "private",
    redactor,
    now: () => NOON,
  });
  await store.append(draftsWith(secrets));
  await store.purge({ text: "number 7" });
  await pool.query("select sentinel.append_events(1)").catch(() => undefined);
  const options = ["--host=127.0.0.1", `--port=${postgres.port}`, "--username=admin", "--data-only", "--inserts"];
  const segments = join(postgres.folder, "data", "pg_wal");
  const files = readdirSync(segments).filter((name) => /^[0-9A-F]{24}$/.test(name));
  return {
    dump: postgres.run("pg_dump", ...options, database),
    logs: [...files.map((name) => join(segments, name)), join(postgres.folder, "log")]
      .map((path) => readFileSync(path, "latin1"))
      .join("\n"),
  };
}

it("no table and no log holds eight characters of a secret; without the redactor they hold them all", async () => {
  const secrets = makeSecrets();
  const plain = await record(open(), UNREDACTED, secrets);
  for (const text of [plain.dump, plain.logs])
    expect(
      secrets.filter(({ secret }) => !text.includes(escaped(secret)) && !text.includes(secret)).length,
    ).toBeLessThan(COUNT / 20);
  const redacted = await record(clean(), eventRedactor(), secrets);
  for (const text of [redacted.dump, redacted.logs])
    expect(runsLeft(secrets, text.replaceAll(OUR_NAMES, ""))).toEqual([]);
  for (const text of [redacted.dump, redacted.logs]) expect(text).toContain("step 17 of the build");
});
