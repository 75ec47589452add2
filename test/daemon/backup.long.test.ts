/** What docs/daemon-operations.md says of backups, done: on the same server, and on another one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver, storeAt } from "../support/daemon.ts";
import { recordOn } from "../support/daemon-record.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase, type Postgres } from "../support/postgres-server.ts";
import { keepTranscript } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

const [postgres, other] = [postgresOfFile(), postgresOfFile()];
const PAGE = readFileSync("docs/daemon-operations.md", "utf8");
const asAdmin = ({ port }: Postgres) => ["--host=127.0.0.1", `--port=${port}`, "--username=admin"];

function dumpOf(from: Postgres, database: string, name: string): string {
  const dump = join(from.folder, name);
  from.run("pg_dump", ...asAdmin(from), "--format=custom", `--file=${dump}`, database);
  return dump;
}

/** With the commands of the page, each of which names its server. */
function restoreInto(to: Postgres, database: string, dump: string): void {
  const commands = [...PAGE.matchAll(/^(createdb|pg_restore) (.*)$/gm)];
  expect(commands.map(([, program]) => program)).toEqual(["createdb", "pg_restore"]);
  for (const [, program = "", options = ""] of commands) {
    expect(options).toContain("postgres://postgres@db/");
    const here = (option: string) =>
      option
        .replace("postgres://postgres@db/", `postgres://admin@127.0.0.1:${to.port}/`)
        .replace("sentinel_owner", "owner")
        .replace("sentinel_new", database)
        .replace("sentinel.dump", dump);
    to.run(program, ...options.split(" ").map(here));
  }
}

/** Restores on another server as the page says: its roles first. */
function restoreElsewhere(from: Postgres, to: Postgres, database: string, dump: string): void {
  const roles = join(from.folder, "roles.sql");
  from.run("pg_dumpall", ...asAdmin(from), "--roles-only", `--file=${roles}`);
  to.run("psql", ...asAdmin(to), "--dbname=postgres", "--quiet", `--file=${roles}`);
  restoreInto(to, database, dump);
}

it("a restored dump is the same session log, with the same tokens, and accepts new events", async () => {
  const database = await migratedDatabase(postgres());
  const before = await daemonOver(postgres(), database);
  const token = await before.token();
  const store = storeAt(before.url, token);
  await store.append([
    message("the red door", 0, { origin: "1" }),
    message("a line\n".repeat(9_000), 1),
  ]);
  const asOwner = [
    "--host=127.0.0.1",
    `--port=${postgres().port}`,
    "--username=owner",
    "--file=/dev/null",
    database,
  ];
  expect(() => postgres().run("pg_dump", ...asOwner)).toThrow(/row-level security/);
  const dump = dumpOf(postgres(), database, "dump");
  const [whole, door] = [await all(store), await store.search({ text: "door" })];
  await store.append([message("lost since", 2)]);
  restoreInto(postgres(), "restored", dump);
  const after = await daemonOver(postgres(), "restored");
  const restored = storeAt(after.url, token);
  expect(await all(restored)).toEqual(whole);
  expect(await restored.search({ text: "door" })).toEqual(door);
  expect(
    await restored.append([message("the red door", 0, { origin: "1" }), message("more", 2)]),
  ).toHaveLength(2);
  expect(await restored.statistics()).toMatchObject({ events: 3 });
});

it("what was captured after the backup comes back from the transcripts, and nothing twice", async () => {
  const database = await migratedDatabase(postgres());
  const before = await daemonOver(postgres(), database);
  const token = await before.token();
  const ann = await testRepository();
  await recordOn(ann, before.url, token);
  const session = new Session({ cwd: ann.folder });
  const said = async (question: string) => {
    session.asks(question).says(`${question} Yes.`);
    await keepTranscript(ann, session);
  };
  await said("Why do refunds round twice?");
  const capture = (...more: readonly string[]) =>
    ann.run("sessions", "capture", "--all", "--yes", ...more);
  await capture();
  const dump = dumpOf(postgres(), database, "dump of captures");
  await said("Where is the turnstile of invoices?");
  await capture();
  const whole = await idsAt(before.url, token);
  await before.close();
  restoreElsewhere(postgres(), other(), "restored_captures", dump);
  const after = await daemonOver(other(), "restored_captures");
  await recordOn(ann, after.url, token);
  expect((await idsAt(after.url, token)).length).toBeLessThan(whole.length);
  await capture("--again");
  expect(await idsAt(after.url, token)).toEqual(whole);
  await capture();
  expect(await idsAt(after.url, token)).toEqual(whole);
  const bundle = await ann.run("context", "turnstile of invoices");
  expect(bundle.stdout).toContain("turnstile of invoices? Yes.");
});

async function idsAt(url: string, token: string): Promise<readonly string[]> {
  return (await all(storeAt(url, token))).map(({ id }) => id).sort();
}
