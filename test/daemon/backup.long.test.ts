/** What docs/daemon.md says of backups, done. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventRedactor } from "../../src/events/redactor.ts";
import { RemoteEventStore } from "../../src/events/remote/store.ts";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();

it("a dump that is restored is the same record, with the same tokens, and takes more", async () => {
  const database = await migratedDatabase(postgres());
  const before = await daemonOver(postgres(), database);
  const token = await before.token();
  const redactor = eventRedactor();
  const store = new RemoteEventStore({ url: before.url, token, redactor });
  await store.append([message("the red door", 0, { origin: "1" }), message("a line\n".repeat(9_000), 1)]);
  const { cursor } = await store.changes();
  const { folder, port, run } = postgres();
  const place = ["--host=127.0.0.1", `--port=${port}`];
  const dump = join(folder, "dump");
  expect(() => run("pg_dump", ...place, "--username=owner", `--file=${dump}`, database)).toThrow(/row-level security/);
  run("pg_dump", ...place, "--username=admin", "--format=custom", `--file=${dump}`, database);
  run("createdb", ...place, "--username=admin", "--owner=owner", "restored");
  run("pg_restore", ...place, "--username=admin", "--dbname=restored", dump);
  const after = await daemonOver(postgres(), "restored");
  const restored = new RemoteEventStore({ url: after.url, token, redactor });
  expect(await all(restored)).toEqual(await all(store));
  expect(await restored.search({ text: "door" })).toEqual(await store.search({ text: "door" }));
  expect(await restored.append([message("the red door", 0, { origin: "1" }), message("more", 2)])).toHaveLength(2);
  expect(await restored.statistics()).toMatchObject({ events: 3 });
  // A projection that followed the other one goes on here.
  const { added } = await restored.changes(cursor);
  expect(added.flatMap(({ events }) => events).some(({ content }) => content.text === "more")).toBe(true);
});
