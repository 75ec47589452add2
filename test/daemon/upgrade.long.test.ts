/** An upgrade without an outage, as docs/daemon.md tells it: the daemon of the release before and this one on one database. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrate, OUR_MIGRATIONS } from "../../src/daemon/postgres/migrate.ts";
import { RemoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { storedDaemon, writeTexts } from "../compat/archive.ts";
import { all, message } from "../contracts/event-store.ts";
import { startDaemon, startDaemonWith } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, emptyDatabase } from "../support/postgres-server.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const postgres = postgresOfFile();
const LAST = OUR_MIGRATIONS.at(-1)?.number ?? 0;

/** The release before: its bundle has no command line, so its commands are called by their names. */
function before(databaseUrl: (role: string) => string) {
  const folder = join(testFolder(), "before");
  mkdirSync(folder);
  const texts = storedDaemon();
  writeTexts(folder, texts);
  const known = Object.keys(texts).filter((path) => path.endsWith(".sql")).length;
  const script = (code: string) => [
    "--input-type=module",
    "--eval",
    `import { daemonCommands } from "${join(folder, "daemon.mjs")}"; try { ${code} } catch ({ code, message }) { console.error(code, message); process.exitCode = 1; }`,
  ];
  const place = { cwd: folder, env: { PATH: process.env.PATH ?? "", HOME: folder } };
  const options = { databaseUrl: databaseUrl("daemon"), host: "127.0.0.1", port: 0, hosts: [] };
  return {
    known,
    async call(command: string, ...args: readonly unknown[]) {
      const code = `console.log(await daemonCommands.${command}(...${JSON.stringify([databaseUrl("owner"), ...args])}));`;
      const { exit, stdout, stderr } = await runProcess(process.execPath, script(code), place);
      expect(exit, stderr).toBe(0);
      return stdout.trim();
    },
    serve() {
      const code = `await daemonCommands.serve(${JSON.stringify(options)}, (line) => console.error(line));`;
      return startDaemonWith(process.execPath, script(code), place.cwd, place.env);
    },
  };
}

it("expand, both serve, contract: nobody waits, nothing is lost, and who knows the schema no more says which migration did it", async () => {
  const database = await emptyDatabase(postgres());
  const databaseUrl = (role: string) =>
    `postgres://${role}@127.0.0.1:${postgres().port}/${database}`;
  const owner = testPool(postgres(), "owner", database);
  const release = before(databaseUrl);
  expect(
    release.known,
    "npx tsx test/compat/make-daemon.ts stores one before the last migration",
  ).toBeLessThan(OUR_MIGRATIONS.length);
  await release.call("migrate", "do it");
  await release.call("createTenant", "acme");
  await asAdmin(postgres(), "grant sentinel_app to daemon");
  const token = await release.call("createToken", {
    tenant: "acme",
    owner: "ann",
    channel: "private",
    scope: "write",
  });

  const cwd = testFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: cwd,
    SENTINEL_DATABASE_URL: databaseUrl("daemon"),
  };
  const storeAt = ({ url }: { url: string }) =>
    new RemoteEventStore({ url, token, redactor: eventRedactor() });
  const healthOf = async ({ url }: { url: string }) => {
    const answer = await fetch(`${url}/health`);
    return [answer.status, await answer.text()];
  };
  const well = [200, '{"status":"ok"}'];

  const old = await release.serve();
  await storeAt(old).append([message("before", 0, { origin: "before" })]);
  await expect(startDaemon(cwd, env)).rejects.toThrow("schema_outdated");

  // Expand: while the old daemon takes events.
  const acknowledged = ["before"];
  let isOver = false;
  const recording = (async () => {
    for (let at = 1; !isOver; at++) {
      await storeAt(old).append([message(`said ${at}`, at, { origin: `old ${at}` })]);
      acknowledged.push(`old ${at}`);
    }
  })();
  const serveMigrate = (...more: readonly string[]) => {
    const ownersEnv = { ...env, SENTINEL_DATABASE_URL: databaseUrl("owner") };
    return runProcess(process.execPath, [BIN, "daemon", "migrate", ...more], {
      cwd,
      env: ownersEnv,
    });
  };
  const news = OUR_MIGRATIONS.slice(release.known).map(({ name }) => name);
  expect(await serveMigrate("--dry-run")).toMatchObject({
    exit: 0,
    stdout: `To be applied: ${news.join(", ")}.\n`,
  });
  expect(await serveMigrate()).toMatchObject({
    exit: 0,
    stderr: "",
    stdout: `Applied: ${news.join(", ")}.\n`,
  });
  const added = acknowledged.length;
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(added + 3);

  // Both serve.
  const current = await startDaemon(cwd, env);
  for (const daemon of [old, current]) expect(await healthOf(daemon)).toEqual(well);
  isOver = true;
  await recording;
  const both = [storeAt(old), storeAt(current)] as const;
  const origins = async (store: RemoteEventStore) =>
    (await all(store)).map(({ origin }) => origin).sort();
  const brief = async (store: RemoteEventStore) =>
    (await store.brief("recent")).map(({ content }) => content.text);
  for (const at of both.keys()) {
    const ts = new Date(Date.now() + at).toISOString();
    const draft = message(`the turnstile of ${at}`, 5_000 + at, { origin: `both ${at}`, ts });
    for (const either of both)
      expect(await either.append([draft])).toMatchObject([{ origin: `both ${at}` }]);
    acknowledged.push(`both ${at}`);
    for (const either of both) {
      expect(await origins(either)).toEqual([...acknowledged].sort());
      expect((await either.search({ text: `turnstile of ${at}` })).hits[0]?.event.origin).toBe(
        `both ${at}`,
      );
      expect(await brief(either)).toContain(`the turnstile of ${at}`);
    }
  }
  await both[1].purge({ text: "turnstile of 0" });
  for (const store of both) {
    expect(await brief(store)).not.toContain("the turnstile of 0");
    expect(
      await store.append([message("the turnstile of 0", 5_000, { origin: "both 0" })]),
    ).toEqual([undefined]);
  }
  const kept = acknowledged.filter((origin) => origin !== "both 0").sort();

  // To go back: the old one starts on the schema that was added to.
  const back = await release.serve();
  expect(await origins(storeAt(back))).toEqual(kept);

  // Contract: what the release after this one does with what only the old one needs.
  const contract = { number: LAST + 1, name: "contract", needs: LAST, sql: "select 1" };
  await migrate(owner, "do it", [...OUR_MIGRATIONS, contract]);
  const refused = [503, expect.stringMatching(/"newer_format".*\(contract\)/)];
  expect([await healthOf(old), await healthOf(current)]).toEqual([refused, well]);
  await expect(release.serve()).rejects.toThrow(/newer_format .*\(contract\)/);
  expect(await origins(storeAt(await startDaemon(cwd, env)))).toEqual(kept);

  // The contract after that is beyond this release: it is refused by its name, at the start and to who asks for the health.
  const next = { number: LAST + 2, name: "beyond", needs: LAST + 1, sql: "select 1" };
  await migrate(owner, "do it", [...OUR_MIGRATIONS, contract, next]);
  expect(await healthOf(current)).toEqual([
    503,
    expect.stringMatching(/"newer_format".*\(beyond\)/),
  ]);
  await expect(startDaemon(cwd, env)).rejects.toThrow(/newer_format: .*\(beyond\)/);
  expect((await serveMigrate()).stderr).toMatch(/newer_format: .*\(beyond\)/);
});

it("begins again where a daemon and it wait for each other", async () => {
  const database = await emptyDatabase(postgres());
  const owner = testPool(postgres(), "owner", database);
  await migrate(owner, "do it", OUR_MIGRATIONS.slice(0, 9));
  // PostgreSQL cancels the one whose timeout ends first: the upgrade.
  await asAdmin(postgres(), "alter system set deadlock_timeout = '9s'", "select pg_reload_conf()");
  const reader = await testPool(postgres(), "admin", database).connect();
  await reader.query(
    "set deadlock_timeout = '1min'; begin; lock table sentinel.tenants in access share mode",
  );
  const upgraded = migrate(owner);
  const waiting =
    "select from pg_locks where not granted and relation = 'sentinel.tenants'::regclass";
  await expect
    .poll(async () => (await reader.query(waiting)).rowCount, { timeout: 20_000 })
    .toBe(1);
  await reader.query("select from sentinel.tokens; commit");
  reader.release();
  expect(await upgraded).toEqual(OUR_MIGRATIONS.slice(9).map(({ name }) => name));
  // The database counts it a little later.
  const counted =
    "select from pg_stat_database where datname = current_database() and deadlocks = 1";
  await expect.poll(async () => (await owner.query(counted)).rowCount, { timeout: 90_000 }).toBe(1);
});
