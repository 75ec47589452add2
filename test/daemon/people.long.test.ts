/** Adding, rotating and removing a person, and reading the audit log: the steps of docs/daemon.md in their order, and what must not work. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { all, message, texts } from "../contracts/event-store.ts";
import { eventCalls, storeAt } from "../support/daemon.ts";
import { operatorOfFile } from "../support/daemon-process.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { testFolder, testRepository } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();
const operatorOfAll = operatorOfFile(postgres, "other");
const TOKEN = /^sentinel_[0-9a-f]{16}_[\w-]{43}$/;

/** The commands below a heading of the page, a list for each block. */
function steps(heading: string): string[][] {
  const [, part = ""] = readFileSync("docs/daemon.md", "utf8").split(`### ${heading}\n`);
  const [section = ""] = part.split(/^#/m);
  return [...section.matchAll(/^ *```\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  );
}

let [one, two] = ["", ""];
beforeAll(async () => {
  one = (await operatorOfAll().serve()).url;
  two = (await operatorOfAll().serve()).url;
});

/** A new tenant at both daemons. */
async function company(tenant: string = randomUUID()) {
  const operator = operatorOfAll();
  await operator.addTenant(tenant);
  const folder = testFolder();
  const database = { SENTINEL_DATABASE_URL: operator.databaseUrl("owner") };
  /** Runs a line of the page. @returns what it prints. */
  const type = async (line: string, token?: string) => {
    const typed = line
      .replace(/^SENTINEL_TOKEN=… /, "")
      .replaceAll(/\b(?:sentinel-memory|sm)\b/g, `${process.execPath} ${BIN}`)
      .replaceAll("https://memory.example.com", one)
      .replace("--tenant app", `--tenant ${tenant}`);
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      ...(token ? { SENTINEL_TOKEN: token } : database),
    };
    const { exit, stdout, stderr } = await runProcess("sh", ["-c", typed], { cwd: folder, env });
    if (exit !== 0) {
      throw new Error(stderr);
    }
    return stdout.trim();
  };
  const storeOf = (token: string, url = one) => storeAt(url, token);
  const tokenOf = (person: string) => operator.tokenOf(tenant, person);
  return { operator, tenant, folder, database, type, storeOf, tokenOf };
}

/** Rotates a token as the command of the page does. @returns the new one. */
async function rotated(token: string): Promise<string> {
  return ((await eventCalls(one, token)("rotate-token", {})).body as { token: string }).token;
}

const refused = (code: string) => ({ code, fix: expect.any(String) });

it("a stranger adds a person, rotates a token, reads the audit log and removes the person by the steps of the page", async () => {
  const { type, storeOf, operator, folder } = await company("app");
  const ann = await testRepository();

  const [[create = ""] = [], [rotate = ""] = [], [on = ""] = []] = steps("Add a person");
  const given = await type(create);
  const own = await type(rotate, given);
  expect([given, own]).toEqual([expect.stringMatching(TOKEN), expect.stringMatching(TOKEN)]);
  const env = { SENTINEL_TOKEN: own };
  const typed = on.replace(/^.*\bsm /, "").replace("https://memory.example.com", two);
  expect(await sentinel(ann, typed.split(" "), env)).toMatchObject({
    exit: 0,
    text: expect.stringContaining(
      "Recorded for app as ann, channel team: everyone in app can read it",
    ),
  });
  const session = new Session({ cwd: ann.folder, at: Date.now() - 600_000 });
  await keepTranscript(
    ann,
    session.asks("Why do refunds fail?").says("The ledger of refunds rounds to cents twice."),
  );
  await captureAll(ann);
  await storeOf(own).append([message("kept to herself", 0, { session: "hers" })]);
  expect(await operator.run("token", "list", "--tenant", "app")).toContain(
    "app, ann: own, write, up to private",
  );

  const [[again = ""] = []] = steps("Rotate a token");
  const next = await type(again, own);
  for (const token of [own, next]) {
    expect(await texts(storeOf(token))).toContain("kept to herself");
  }

  const [[audit = "", ofTenant = ""] = []] = steps("Read the audit log");
  const said = (text: string) => text.split("\n").map((line) => line.replace(/^\S+ {2}/, ""));
  const known = said(await type(audit, next));
  const token = "token [0-9a-f]{16}";
  expect(known).toEqual([
    expect.stringMatching(
      `^ann: created by the operator: ${token} for write, up to team, until \\d{4}`,
    ),
    expect.stringMatching(`^ann: created by ann: ${token} for write, up to private, until `),
    expect.stringMatching(`^ann: replaced by ann: ${token}$`),
    expect.stringMatching(`^ann: created by ann: ${token} for write, up to private, until `),
    expect.stringMatching(`^ann: replaced by ann: ${token}$`),
  ]);
  expect(known.join()).not.toMatch(/herself|sentinel_/);

  const [[remove = ""] = []] = steps("Remove a person");
  await expect(type(remove)).rejects.toThrow("--name");
  expect(await type(`${remove} --name ann`)).toMatch(
    /Removed: ann\. .*1 private event of theirs was deleted\.[\s\S]*Written: ann\.jsonl\./,
  );
  const exported = readFileSync(join(folder, "ann.jsonl"), "utf8");
  for (const text of ["rounds to cents twice", "kept to herself"]) {
    expect(exported).toContain(text);
  }
  for (const token of [given, own, next]) {
    for (const url of [one, two]) {
      await expect(texts(storeOf(token, url))).rejects.toMatchObject(refused("unauthorised"));
    }
  }
  for (const name of ["ann", "nobody"]) {
    const again = operator.run("person", "remove", name, "--tenant", "app", "--name", name);
    await expect(again).rejects.toThrow("error not_found");
  }
  const after = said(await type(`${ofTenant} --person ann`)).slice(known.length);
  expect(after.filter((line) => line.startsWith("ann: revoked by the operator"))).toHaveLength(3);
  expect(after.filter((line) => line.startsWith("ann: deleted by the operator"))).toHaveLength(3);

  // What she said for the team is still hers. Somebody with a token in her name can purge it.
  const bob = await type(rotate, await type(create.replace("ann", "bob")));
  expect((await all(storeOf(bob))).map(({ person }) => person)).toEqual(["ann", "ann", "ann"]);
  expect(await storeOf(bob).toPurge({ text: "refunds" })).toMatchObject({ events: 0 });
  const inHerName = await type(create);
  expect(await storeOf(inHerName).purge({ text: "refunds" })).toMatchObject({ events: 2 });

  // She can import her file anywhere.
  const elsewhere = await testRepository();
  await sentinel(elsewhere, ["sessions", "on"]);
  expect(
    (await sentinel(elsewhere, ["sessions", "import", join(folder, "ann.jsonl"), "--yes"])).text,
  ).toContain("Added: 4");
});

describe("a token that the operator made for a person", () => {
  it("never reads or records what is private, also once it is rotated, as soon as the person has one of their own", async () => {
    const { operator, tenant, storeOf, tokenOf } = await company();
    const own = await tokenOf("ann");
    await storeOf(own).append([message("ann's secret plan", 0, { session: "hers" })]);
    const create = ["token", "create", "--tenant", tenant, "--person", "ann"];
    const [plain, ofPrivate, ofAgent] = (await Promise.all(
      [[], ["--channel", "private"], ["--channel", "agent"]].map((more) =>
        operator.run(...create, ...more),
      ),
    )) as [string, string, string];
    const first = await rotated(plain);
    const [twice, other] = [await rotated(first), await rotated(ofPrivate)];
    for (const token of [twice, other, ofAgent]) {
      const store = storeOf(token);
      expect(await texts(store)).toEqual([]);
      expect((await store.search({ text: "secret plan" })).hits).toEqual([]);
      expect(await store.brief("recent")).toEqual([]);
      expect(await store.toPurge({ text: "secret" })).toMatchObject({ events: 0 });
      const forced = message("mine", 1, { channel: "private", session: "other" });
      await expect(store.append([forced])).rejects.toMatchObject(refused("not_allowed"));
    }
    expect(await texts(storeOf(own))).toEqual(["ann's secret plan"]);
    const ask = (name: string, token: string) => eventCalls(one, token)(name, {});
    const { body } = await ask("caller", twice);
    expect(body).toMatchObject({ owner: "ann", channel: "team", own: false });
    // She sees each of them, also after her own token was revoked.
    const audit = JSON.stringify((await ask("audit", own)).body);
    for (const token of [plain, ofPrivate, ofAgent, first, twice, other]) {
      expect(audit).toContain(token.split("_")[1]);
    }
    await operator.run("token", "revoke", own.split("_")[1] ?? "");
    expect(await texts(storeOf(await rotated(twice)))).toEqual([]);
  });

  it("makes one own token, however many are rotated at once", async () => {
    const { operator, tenant } = await company();
    const create = ["token", "create", "--tenant", tenant, "--person", "ann"];
    const minted = await Promise.all([1, 2, 3].map(() => operator.run(...create)));
    const answers = await Promise.all(
      minted.map((token) => eventCalls(one, token)("rotate-token", {})),
    );
    const channels = answers.map(({ body }) => (body as { channel: string }).channel);
    expect(channels.sort()).toEqual(["private", "team", "team"]);
  });
});

describe("a token that was rotated", () => {
  it("ends at once, or after the overlap that was asked for, and makes no second one", async () => {
    const { storeOf, tokenOf, type } = await company();
    const own = await tokenOf("ann");
    const [rotate = ""] = steps("Add a person")[1] ?? [];
    const overlapping = await type(`${rotate} --overlap 0.001`, own);
    await expect(type(rotate, own)).rejects.toThrow(/error (?:not_allowed|unauthorised)/);
    await expect
      .poll(() => texts(storeOf(own)).catch(({ code }) => code), { timeout: 20_000 })
      .toBe("unauthorised");
    expect(await texts(storeOf(overlapping))).toEqual([]);
    const last = await rotated(overlapping);
    await expect(texts(storeOf(overlapping))).rejects.toMatchObject(refused("unauthorised"));
    expect(await texts(storeOf(last))).toEqual([]);
    for (const overlapHours of [-1, 169]) {
      expect((await eventCalls(one, last)("rotate-token", { overlapHours })).status).toBe(400);
    }
    await expect(type(`${rotate} --overlap x`, last)).rejects.toThrow("error bad_argument");
    expect(await texts(storeOf(last))).toEqual([]);
  });
});

describe("a person", () => {
  it("speaks for nobody else, and writes into no session that a teammate records for the team", async () => {
    const { storeOf, tokenOf } = await company();
    const [hers, his] = [storeOf(await tokenOf("ann")), storeOf(await tokenOf("bob"))];
    await hers.append([message("for all", 0, { session: "sess-ann", channel: "team" })]);
    await hers.append([message("for herself", 0, { session: "sess-private" })]);
    for (const channel of ["team", "private"] as const) {
      const forged = message("do delete it", 1, { session: "sess-ann", channel });
      await expect(
        his.append([message("fine", 2, { session: "sess-bob" }), forged]),
      ).rejects.toMatchObject({
        ...refused("not_allowed"),
        message: expect.stringContaining("one of these sessions belongs to another person"),
      });
    }
    expect(await texts(his)).toEqual(["for all"]);
    const asAnn = message("ann says", 3, {
      session: "sess-bob",
      actor: { type: "human", id: "ann" },
    });
    await expect(his.append([asAnn])).rejects.toMatchObject(refused("not_allowed"));
    await his.append([{ ...asAnn, actor: { type: "human", id: "bob" } }]);
    // What he cannot see is not told to be there; it stays another session.
    await his.append([message("by chance", 4, { session: "sess-private" })]);
    expect(await texts(hers, { session: "sess-private" })).toEqual(["for herself"]);
    // Her own session goes on.
    await hers.append([message("more", 5, { session: "sess-ann", channel: "team" })]);
  });

  it("who has the transcript of such a session leaves it out, and the next capture goes on", async () => {
    const { tokenOf } = await company();
    const [hers, his] = [await testRepository(), await testRepository()];
    await recordOn(hers, one, await tokenOf("ann"), "--channel", "team");
    await recordOn(his, one, await tokenOf("bob"), "--channel", "team");
    const at = Date.now() - 600_000;
    for (const place of [hers, his]) {
      await keepTranscript(
        place,
        new Session({ cwd: place.folder, at }).asks("Why do refunds fail?"),
      );
    }
    await captureAll(hers);
    expect(await captureAll(his)).toMatch(
      /error not_allowed: .*belongs to another person[\s\S]*fix: .*sessions skip SESSION/,
    );
    const own = new Session({ id: "5e551011-0000-4000-8000-00000000000b", cwd: his.folder, at });
    await keepTranscript(his, own.asks("Where is the turnstile?"));
    const skipped = await sentinel(his, [
      "sessions",
      "skip",
      new Session({ cwd: his.folder }).id,
      "--yes",
    ]);
    expect(skipped.text).toContain("From here nothing of it is recorded.");
    await captureAll(his);
    expect((await sentinel(hers, ["sessions", "search", "turnstile"])).text).toContain(
      "Where is the turnstile?",
    );
  });

  it("who is removed while a call is under way has nothing stored by it", async () => {
    const { operator, tenant, storeOf, tokenOf } = await company();
    const own = await tokenOf("ann");
    await storeOf(own).append([message("before", 0, { session: "p" })]);
    const holder = await testPool(postgres(), "owner", operator.database).connect();
    // The removal waits for the lock of the person, and the append behind it.
    await holder.query(
      `begin; select pg_advisory_xact_lock(sentinel.write_lock('${tenant}', 'ann'))`,
    );
    const waiting = async (count: number) =>
      expect
        .poll(
          async () =>
            (await holder.query("select from pg_locks where locktype = 'advisory' and not granted"))
              .rowCount,
          { timeout: 20_000 },
        )
        .toBe(count);
    const removed = operator.run("person", "remove", "ann", "--tenant", tenant, "--name", "ann");
    await waiting(1);
    const appended = storeOf(own)
      .append([message("late", 1, { session: "p" })])
      .catch(({ code }) => code);
    await waiting(2);
    await holder.query("commit");
    holder.release();
    expect(await removed).toContain("Removed: ann.");
    expect(await appended).toBe("unauthorised");
    const { rows } = await testPool(postgres(), "admin", operator.database).query(
      "select from sentinel.events where owner = 'ann' and tenant = $1",
      [tenant],
    );
    expect(rows).toEqual([]);
  });
});

it("who has lost a token comes back by the steps of the page, with what was for the team, and takes in again what was private", async () => {
  const { type, storeOf, tokenOf, operator, folder } = await company();
  const lost = await tokenOf("ann");
  await storeOf(lost).append([
    message("for all", 0, { session: "t", channel: "team" }),
    message("kept to herself", 1, { session: "p" }),
    message("for agents", 2, { session: "t", channel: "agent" }),
  ]);
  await operator.run("token", "revoke", lost.split("_")[1] ?? "");
  const [[remove = "", create = ""] = []] = steps("A token that ended or was lost");
  expect(await type(`${remove} --name ann`)).toContain("2 private events of theirs were deleted");
  const own = await type(steps("Add a person")[1]?.[0] ?? "", await type(create));
  expect(await texts(storeOf(own))).toEqual(["for all"]);
  expect(await storeOf(own).toPurge({ session: "t" })).toMatchObject({ events: 1 });
  const ann = await testRepository();
  await recordOn(ann, two, own);
  const taken = await sentinel(ann, ["sessions", "import", join(folder, "ann.jsonl"), "--yes"], {
    SENTINEL_TOKEN: own,
  });
  expect(taken).toMatchObject({ exit: 0, text: expect.stringContaining("Added: 2") });
  expect(await texts(storeOf(own))).toEqual(["for all", "kept to herself", "for agents"]);
});

describe("removing a person with an export", () => {
  const remove =
    "sentinel-memory daemon person remove ann --tenant app --name ann --export ann.jsonl";

  it("does nothing if its file can't be written", async () => {
    const { tokenOf, type, folder, storeOf } = await company();
    const own = await tokenOf("ann");
    writeFileSync(join(folder, "ann.jsonl"), "another's");
    await expect(type(remove)).rejects.toThrow("ann.jsonl is there already.");
    await expect(type(remove.replace("ann.jsonl", "none/ann.jsonl"))).rejects.toThrow(
      "is not a folder",
    );
    expect(await texts(storeOf(own))).toEqual([]);
    expect(readFileSync(join(folder, "ann.jsonl"), "utf8")).toBe("another's");
  });

  it("leaves no part of a file if it is killed, and the same command finishes the removal", async () => {
    const { operator, tenant, tokenOf, type, folder, storeOf, database } = await company();
    const own = await tokenOf("ann");
    await storeOf(own).append([message("kept to herself", 0, { session: "hers" })]);
    const admin = testPool(postgres(), "admin", operator.database);
    const holder = await admin.connect();
    await holder.query("begin; lock table sentinel.events in access exclusive mode");
    const [program, ...args] = remove
      .replace("sentinel-memory", BIN)
      .replace("--tenant app", `--tenant ${tenant}`)
      .split(" ");
    const child = spawn(process.execPath, [program ?? "", ...args], {
      cwd: folder,
      env: { ...process.env, ...database },
    });
    const waiting = async () =>
      (
        await admin.query(
          "select from pg_stat_activity where usename = 'owner' and wait_event_type = 'Lock'",
        )
      ).rowCount;
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    holder.release(true);
    expect(readdirSync(folder)).not.toContain("ann.jsonl");
    await expect(texts(storeOf(own))).rejects.toMatchObject(refused("unauthorised"));

    expect(await type(remove)).toContain("Written: ann.jsonl.");
    expect(readFileSync(join(folder, "ann.jsonl"), "utf8")).toContain("kept to herself");
    expect(readdirSync(folder).filter((name) => name.startsWith("ann.jsonl"))).toEqual([
      "ann.jsonl",
    ]);
    const { rows } = await admin.query(
      "select from sentinel.events where owner = 'ann' and tenant = $1",
      [tenant],
    );
    expect(rows).toEqual([]);
  });
});
