/** The planted secrets of the session log's tests are in no table, log or segment of the write-ahead log; without the redactor they all are. */
import { expect, it } from "vitest";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import type { Redactor } from "../../src/sessions/storing/redactor.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { NOON } from "../contracts/event-store.ts";
import { keptBy, storeTextsAsTheyAre, withoutOurNames } from "../support/kept-by-postgres.ts";
import {
  COUNT,
  draftsWith,
  escaped,
  makeSecrets,
  type Planted,
  runsLeft,
} from "../support/planted-secrets.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const [clean, open] = [postgresOfFile(), postgresOfFile()];

/** What a cluster keeps whose session log holds them. */
async function record(
  postgres: ReturnType<typeof clean>,
  redactor: Redactor,
  secrets: readonly Planted[],
) {
  const database = await migratedDatabase(postgres);
  await storeTextsAsTheyAre(postgres, database);
  const pool = testPool(postgres, "daemon", database);
  const store = postgresEventStore({
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
  return keptBy(postgres, database);
}

it("no table and no log holds eight characters of a secret; without the redactor they hold them all", async () => {
  const secrets = makeSecrets();
  const plain = await record(open(), UNREDACTED, secrets);
  for (const text of [plain.tables, plain.logs])
    expect(
      secrets.filter(({ secret }) => !text.includes(escaped(secret)) && !text.includes(secret))
        .length,
    ).toBeLessThan(COUNT / 20);
  const redacted = await record(clean(), eventRedactor(), secrets);
  for (const text of [redacted.tables, redacted.logs])
    expect(runsLeft(secrets, withoutOurNames(text))).toEqual([]);
  for (const text of [redacted.tables, redacted.logs])
    expect(text).toContain("step 17 of the build");
});
