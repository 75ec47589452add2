/** What an operator does with tenants, their retention, tokens and roles at the command line, and what is said to one who does it wrong. */
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { all, message, texts } from "../contracts/event-store.ts";
import { storeAt } from "../support/daemon.ts";
import { operatorOf, startDaemon } from "../support/daemon-process.ts";
import { testFolder } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { asAdmin, emptyDatabase } from "../support/postgres-server.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const postgres = postgresOfFile();

it("the commands of docs/daemon.md set a daemon up, one after the other", async () => {
  const page = readFileSync("docs/daemon.md", "utf8").split("## Set up")[1] ?? "";
  const [roles = "", commands = ""] = [...page.matchAll(/^```(?:sql)?\n([\s\S]*?)```$/gm)].map(
    ([, block]) => block,
  );
  for (const statement of roles.trim().split("\n")) {
    await asAdmin(postgres(), statement);
  }
  const [migrate = "", tenant = "", serve = "", ...others] = commands
    .trim()
    .replaceAll(":…@db/", `@127.0.0.1:${postgres().port}/`)
    .replaceAll("sentinel-memory", `${process.execPath} ${BIN}`)
    .split("\n");
  expect(others).toEqual([]);
  const cwd = testFolder();
  const env = { PATH: `${postgres().programs}${delimiter}${process.env.PATH}`, HOME: cwd };
  const sh = (line: string) => runProcess("sh", ["-c", line], { cwd, env });
  for (const line of [`${migrate} --dry-run`, migrate, tenant]) {
    expect(await sh(line), line).toMatchObject({ exit: 0 });
  }
  const [, databaseUrl = ""] = /^SENTINEL_DATABASE_URL=(\S+) .* serve$/.exec(serve) ?? [];
  const { url } = await startDaemon(cwd, { ...env, SENTINEL_DATABASE_URL: databaseUrl });
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

it("set-privacy takes a file, and refuses one with a line that it would ignore", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  const token = await operator.token("ann");
  const store = storeAt(url, token);
  const file = join(testFolder(), "privacy.yaml");
  const set = (yaml: string) => {
    writeFileSync(file, yaml);
    return operator.run("tenant", "set-privacy", file, "--tenant", "acme");
  };
  await expect(set("version: 1\nwords: [Tapir]\n")).rejects.toThrow(
    /privacy\.yaml, line 2: words is not a key/,
  );
  await expect(set("version: 1\nnever_store:\n  words: [ab]\n")).rejects.toThrow(
    "Nothing was changed.",
  );
  expect(await set("version: 1\nnever_store:\n  words: [Tapir]\n")).toContain(
    "in new events of acme",
  );
  const [event] = await store.append([message("the customer is Tapir")]);
  expect(event?.content.text).toBe("the customer is [REDACTED]");
  for (const retention of [{ eventsDays: -1 }, { eventsDays: 1e6 }]) {
    await expect(
      store.retain({ ...retention, artifactsDays: 90, artifactsBytes: 1e9 }),
    ).rejects.toMatchObject({
      code: "bad_argument",
    });
  }
  expect(await all(store)).toHaveLength(1);
});

/** What would end a text of SQL. */
const OTHER = "other 'one";

it("tenants are made, listed, and deleted with all that they recorded; another one's stays", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  const storeOf = async (tenant: string, person: string) => {
    const token = await operator.tokenOf(tenant, person);
    return storeAt(url, token);
  };
  expect(await operator.run("tenant", "create", OTHER)).toContain(
    `token create --tenant "${OTHER}" --person NAME`,
  );
  const [ann, bob, other] = await Promise.all([
    storeOf("acme", "ann"),
    storeOf("acme", "bob"),
    storeOf(OTHER, "x' or '1'='1"),
  ]);
  const long = "a line of the output\n".repeat(2_000);
  for (const store of [ann, bob, other]) {
    await store.append([
      message(long, 0, { session: "kept" }),
      message("second", 1, { session: "purged" }),
    ]);
    await store.purge({ session: "purged" });
  }
  const listed = await operator.run("tenant", "list");
  // Midnight may come between.
  const days = [Date.now() - 86_400_000, Date.now()].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  const since = `since (?:${days.join("|")})`;
  expect(listed).toMatch(
    new RegExp(`^acme: ${since}, 2 tokens of 2 persons\\n${OTHER}: ${since}, 1 token of 1 person$`),
  );

  const deleting = ["tenant", "delete", "acme"];
  await expect(operator.run(...deleting)).rejects.toThrow("--name");
  await expect(operator.run(...deleting, "--name", OTHER)).rejects.toThrow("Nothing was changed.");
  expect(await all(ann)).toHaveLength(1);
  expect(await operator.run(...deleting, "--name", "acme")).toBe(
    "Deleted: the tenant acme, with 2 events.",
  );
  await expect(all(ann)).rejects.toMatchObject({ code: "unauthorised" });
  await expect(operator.run(...deleting, "--name", "acme")).rejects.toThrow("error not_found");
  expect(await all(other)).toHaveLength(1);
  expect(await rowsOf("acme", operator.database)).toEqual([]);

  // The name is free again, and nothing of it comes back.
  await operator.run("tenant", "create", "acme");
  const again = await storeOf("acme", "ann");
  expect(await all(again)).toEqual([]);
  await again.append([message("again", 2, { session: "purged" })]);
  expect(await all(again)).toHaveLength(1);
  expect(await operator.run("tenant", "delete", OTHER, "--name", OTHER)).toContain("Deleted");
  expect(await all(again)).toHaveLength(1);
});

it("a command under another role, on an empty database, or for a token that is over says what to do", async () => {
  const operator = await operatorOf(postgres(), "acme");
  // Once more: it stays as it is.
  expect(await operator.run("tenant", "create", "acme")).toContain("The tenant acme exists.");
  const asDaemon = ["--database-url", operator.databaseUrl("daemon")];
  const owners = /error role_refused[\s\S]*fix: Connect as the role that owns the database/;
  for (const command of [
    ["tenant", "create", "x"],
    ["tenant", "list"],
    ["tenant", "delete", "acme", "--name", "acme"],
    ["token", "list"],
  ]) {
    await expect(operator.run(...command, ...asDaemon), command.join(" ")).rejects.toThrow(owners);
  }
  const empty = `postgres://daemon@127.0.0.1:${postgres().port}/${await emptyDatabase(postgres())}`;
  await expect(operator.run("migrate", "--database-url", empty)).rejects.toThrow(owners);
  await expect(operator.run("serve", "--port", "0", "--database-url", empty)).rejects.toThrow(
    /error schema_outdated[\s\S]*no schema yet[\s\S]*fix: .* daemon migrate/,
  );
  for (const name of [
    "https://memory.example.com",
    "memory.example.com:8443",
    "memory.example.com/x",
    "a b",
  ]) {
    await expect(operator.run("serve", "--port", "0", "--allow-host", name), name).rejects.toThrow(
      "Give a name alone, as memory.example.com.",
    );
  }
  const over = ["token", "create", "--tenant", "acme", "--person", "x", "--expires", "2026-01-01"];
  await expect(operator.run(...over)).rejects.toThrow("--expires is over already");
  await expect(operator.run(...over.slice(0, -1), "2099-02-30")).rejects.toThrow(
    "--expires is not a time",
  );
  for (const name of ["  ", " app", "app "]) {
    await expect(operator.run("tenant", "create", name)).rejects.toThrow("error bad_argument");
  }
  const create = ["token", "create", "--tenant"];
  await expect(operator.run(...create, "none", "--person", "ann")).rejects.toThrow(
    /error not_found: There is no tenant "none"\.\nfix: .*daemon tenant list/,
  );
  await expect(operator.run(...create, "acme", "--person", " x")).rejects.toThrow("is not a name");
  await expect(operator.run("audit")).rejects.toThrow("Give --url or --tenant.");
  expect(await operator.run("audit", "--tenant", "none")).toBe("");
  expect(await operator.run("tenant", "create", 'a$(id)"b')).toContain(
    `token create --tenant 'a$(id)"b' --person NAME`,
  );
});

/** The tables that hold a row of a tenant. */
async function rowsOf(tenant: string, database: string): Promise<string[]> {
  const admin = testPool(postgres(), "admin", database);
  const { rows: tables } = await admin.query<{ name: string }>(
    "select distinct table_name as name from information_schema.columns where table_schema = 'sentinel' and column_name = 'tenant'",
  );
  expect(tables.length).toBeGreaterThan(6);
  const held: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await admin.query(`select from sentinel.${name} where tenant = $1`, [
      tenant,
    ]);
    if (rowCount) {
      held.push(name);
    }
  }
  return held;
}

it("a tenant keeps events as long as it was told to, whoever recorded them", async () => {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  const stores = [
    storeAt(url, await operator.tokenOf("acme", "ann")),
    storeAt(url, await operator.tokenOf("acme", "bob")),
  ];
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const [index, store] of stores.entries()) {
    const session = `s${index}`;
    await store.append([
      message("long ago", 0, { session, ts: daysAgo(40) }),
      message("lately", 0, { session, ts: daysAgo(2), channel: "team" }),
    ]);
  }
  await operator.addTenant("web");
  const elsewhere = storeAt(url, await operator.tokenOf("web", "ann"));
  await elsewhere.append([message("long ago", 0, { ts: daysAgo(40) })]);
  for (const days of ["0", "-3", "1e3", "x"]) {
    await expect(operator.run("tenant", "set-retention", days, "--tenant", "acme")).rejects.toThrow(
      "bad_argument",
    );
  }
  await expect(operator.run("tenant", "set-retention", "30", "--tenant", "none")).rejects.toThrow(
    "not_found",
  );
  await operator.run("tenant", "set-retention", "30", "--tenant", "acme");
  expect(await operator.run("tenant", "list")).toContain("keeps 30 days");
  // A daemon looks when it starts, and once a day.
  await operator.serve();
  for (const store of stores) {
    await expect.poll(() => texts(store), { timeout: 20_000 }).toEqual(["lately", "lately"]);
  }
  expect(await texts(elsewhere)).toEqual(["long ago"]);
});
