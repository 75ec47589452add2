/** Adding, rotating and removing a person, and reading the audit log: the steps of docs/daemon.md in their order, and what must not work. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RemoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all, message, texts } from "../contracts/event-store.ts";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { testFolder, testRepository } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { Session } from "../support/transcript.ts";

const postgres = postgresOfFile();
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

/** A group of two tenants, with daemons over one database. */
async function company() {
  const operator = await operatorOf(postgres(), "app");
  await operator.run("tenant", "create", "web", "--group", "app");
  const [one, two] = [await operator.serve(), await operator.serve()];
  const folder = testFolder();
  const database = { SENTINEL_DATABASE_URL: operator.databaseUrl("owner") };
  /** A line of the page, with the names of this test. @returns what it prints. */
  const type = async (line: string, token?: string, cwd = folder) => {
    const typed = line
      .replace(/^SENTINEL_TOKEN=… /, "")
      .replaceAll("sentinel-memory", `${process.execPath} ${BIN}`)
      .replaceAll("https://memory.example.com", one.url)
      .replaceAll("acme", "app");
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      ...(token ? { SENTINEL_TOKEN: token } : database),
    };
    const { exit, stdout, stderr } = await runProcess("sh", ["-c", typed], { cwd, env });
    if (exit !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const storeOf = (token: string, tenant = "app", { url } = one) =>
    new RemoteEventStore({ url: `${url}/t/${tenant}`, token, redactor: eventRedactor() });
  /** Adds a person as the page says. @returns the operator's token and the person's own. */
  const join = async (name: string) => {
    const [add = "", create = ""] = steps("Add a person")[0] ?? [];
    await type(add.replace("ann", name));
    const given = await type(create.replace("ann", name));
    return { given, own: await type(steps("Add a person")[1]?.[0] ?? "", given) };
  };
  return { operator, one, two, folder, database, type, storeOf, join };
}

const refused = (code: string) => ({ code, fix: expect.any(String) });

it("a stranger adds a person, rotates a token, reads the audit log and removes the person by the steps of the page", async () => {
  const { type, storeOf, operator, folder, two } = await company();
  const ann = await testRepository();
  await type("sentinel-memory daemon person add bob --group acme");

  const [[add = "", create = ""] = [], [rotate = ""] = [], [on = ""] = []] = steps("Add a person");
  expect(await type(add)).toContain("ann is in app.");
  const given = await type(create);
  const own = await type(rotate, given);
  expect([given, own]).toEqual([expect.stringMatching(TOKEN), expect.stringMatching(TOKEN)]);
  const env = { SENTINEL_TOKEN: own };
  const typed = on
    .replace(/^.*sentinel-memory /, "")
    .replace("https://memory.example.com", two.url);
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
  await storeOf(own, "web").append([message("kept to herself", 0, { session: "hers" })]);
  expect(await operator.run("token", "list", "--tenant", "web")).toContain(
    `app, ann: own, write, up to private`,
  );

  const [[again = ""] = []] = steps("Rotate a token");
  const next = await type(again, own);
  for (const token of [own, next])
    expect(await texts(storeOf(token, "web"))).toEqual(["kept to herself"]);
  await storeOf(next, "web").purge({ text: "nothing that she said" });
  const [spoken] = await storeOf(next, "web").append([
    message("said by mistake", 1, { session: "hers" }),
  ]);
  await storeOf(next, "web").purge({ ids: [spoken?.id ?? ""] });

  const [[audit = "", ofGroup = ""] = []] = steps("Read the audit log");
  const said = (text: string) => text.split("\n").map((line) => line.replace(/^\S+ {2}/, ""));
  const known = said(await type(audit, next));
  expect(known).toEqual([
    "all: made by the operator: tenant app",
    "all: made by the operator: tenant web",
    "ann: added by the operator: to app",
    expect.stringMatching(
      /^ann: made by the operator: token [0-9a-f]{16} for write, up to team, until \d{4}/,
    ),
    expect.stringMatching(
      /^ann: rotated by ann: token [0-9a-f]{16}, now [0-9a-f]{16}, up to private$/,
    ),
    expect.stringMatching(/^ann: rotated by ann: token /),
    "ann: purged by ann: 1 event of web",
  ]);
  expect(known.join()).not.toMatch(/mistake|sentinel_/);

  const [[remove = ""] = []] = steps("Remove a person");
  await expect(type(remove)).rejects.toThrow("--name");
  expect(await type(`${remove} --name ann`)).toMatch(/Removed: ann\.[\s\S]*Written: ann\.jsonl\./);
  const exported = readFileSync(join(folder, "ann.jsonl"), "utf8");
  expect(exported).toMatch(
    /rounds to cents twice[\s\S]*kept to herself|kept to herself[\s\S]*rounds to cents twice/,
  );
  for (const token of [given, own, next])
    await expect(texts(storeOf(token, "app", two))).rejects.toMatchObject(refused("unauthorised"));
  expect(said(await type(`${ofGroup} --person ann`)).slice(known.length)).toEqual([
    "ann: removed by the operator: to bob",
    expect.stringMatching(/^ann: revoked by the operator: token/),
    expect.stringMatching(/^ann: revoked by the operator: token/),
    expect.stringMatching(/^ann: revoked by the operator: token/),
    "ann: exported by the operator: all that was recorded",
    "ann: deleted by the operator: 1 private of web",
  ]);

  // What she said for the team is still hers, and bob takes it out.
  const bob = await type(rotate, await type(create.replace("ann", "bob")));
  expect((await all(storeOf(bob))).map(({ person }) => person)).toEqual(["ann", "ann", "ann"]);
  expect(await storeOf(bob).toPurge({ text: "refunds" })).toMatchObject({ events: 2 });
  expect(await storeOf(bob).purge({ text: "refunds" })).toMatchObject({ events: 2 });
  expect(await texts(storeOf(bob))).toEqual([undefined]);
  expect(said(await type(`${ofGroup} --person ann`)).at(-1)).toBe(
    "ann: purged by bob: 2 events of app",
  );

  // Her own file is hers to take in again, anywhere.
  const elsewhere = await testRepository();
  await sentinel(elsewhere, ["sessions", "on"]);
  expect(
    (await sentinel(elsewhere, ["sessions", "import", join(folder, "ann.jsonl"), "--yes"])).text,
  ).toContain("Added: 4");
});

describe("a token that the operator made for a person", () => {
  it("never reads or records what is private, also once it is rotated, as soon as the person has one of their own", async () => {
    const { operator, storeOf, join, type, one } = await company();
    const ann = await join("ann");
    await storeOf(ann.own).append([message("ann's secret plan", 0, { session: "hers" })]);
    const create = ["token", "create", "--group", "app", "--person", "ann"];
    const minted = [
      await operator.run(...create),
      await operator.run(...create, "--channel", "private"),
      await operator.run(
        "token",
        "create",
        "--tenant",
        "app",
        "--person",
        "ann",
        "--channel",
        "agent",
      ),
    ];
    const [rotate = ""] = steps("Add a person")[1] ?? [];
    const rotated = [];
    for (const token of minted.slice(0, 2)) rotated.push(await type(rotate, token));
    const twice = await type(rotate, rotated[0]);
    for (const token of [twice, rotated[1] ?? "", minted[2] ?? ""]) {
      const store = storeOf(token);
      expect(await texts(store)).toEqual([]);
      expect((await store.search({ text: "secret plan" })).hits).toEqual([]);
      expect(await store.brief("recent")).toEqual([]);
      expect(await store.toPurge({ text: "secret" })).toMatchObject({ events: 0 });
      const forced = message("mine", 1, { channel: "private", session: "other" });
      await expect(store.append([forced])).rejects.toMatchObject(refused("not_allowed"));
    }
    expect(await texts(storeOf(ann.own))).toEqual(["ann's secret plan"]);
    const port = Number(new URL(one.url).port);
    const ask = (name: string, token: string) =>
      send(port, `/t/app/v1/events/${name}`, { authorization: `Bearer ${token}` }, "{}");
    const { body } = await ask("caller", twice);
    expect(body).toMatchObject({ owner: "ann", channel: "team", own: false });
    // She sees each of them.
    const audit = JSON.stringify((await ask("audit", ann.own)).body);
    for (const token of [...minted, ...rotated]) expect(audit).toContain(token.split("_")[1]);
  });

  it("is refused for who is in no group, and for a group or a tenant that is not there", async () => {
    const { operator } = await company();
    const create = (...more: readonly string[]) =>
      operator.run("token", "create", "--person", ...more);
    await operator.run("tenant", "create", "rival");
    await operator.run("person", "add", "rex", "--group", "rival");
    for (const more of [
      ["ann", "--group", "app"],
      ["rex", "--group", "app"],
      ["rex", "--tenant", "web"],
      ["rex", "--group", "none"],
    ])
      await expect(create(...more), more.join(" ")).rejects.toThrow(
        /error not_found: There is no person[\s\S]*person add/,
      );
    await expect(create("rex")).rejects.toThrow("Give --group or --tenant.");
    await expect(operator.run("person", "add", "ann", "--group", "none")).rejects.toThrow(
      /error not_found: There is no tenant in the group "none"/,
    );
    await expect(operator.run("audit", "--group", "none")).rejects.toThrow(
      /error not_found: There is no tenant in the group "none"\.\nfix: .*daemon tenant list/,
    );
    await expect(operator.run("audit", "--group", "app", "--person", "nobody")).rejects.toThrow(
      'error not_found: There is no person "nobody" in "app".',
    );
    await expect(operator.run("person", "add", " x", "--group", "app")).rejects.toThrow(
      "is not a name",
    );
  });
});

describe("a token that was rotated", () => {
  it("ends at once, or after the overlap that was asked for, and makes no second one", async () => {
    const { storeOf, join, type } = await company();
    const { given, own } = await join("ann");
    await expect(texts(storeOf(given))).rejects.toMatchObject(refused("unauthorised"));
    const [rotate = ""] = steps("Add a person")[1] ?? [];
    const overlapping = await type(`${rotate} --overlap 0.001`, own);
    await expect(type(rotate, own)).rejects.toThrow(/error (?:not_allowed|unauthorised)/);
    await expect
      .poll(() => texts(storeOf(own)).catch(({ code }) => code), { timeout: 20_000 })
      .toBe("unauthorised");
    expect(await texts(storeOf(overlapping))).toEqual([]);
    const last = await type(rotate, overlapping);
    await expect(texts(storeOf(overlapping))).rejects.toMatchObject(refused("unauthorised"));
    expect(await texts(storeOf(last))).toEqual([]);
    for (const hours of ["-1", "169", "x"])
      await expect(type(`${rotate} --overlap ${hours}`, last)).rejects.toThrow(
        "error bad_argument",
      );
    expect(await texts(storeOf(last))).toEqual([]);
  });
});

describe("a person", () => {
  it("speaks for nobody else, and writes into no session that a teammate records for the team", async () => {
    const { storeOf, join } = await company();
    const [ann, bob] = [await join("ann"), await join("bob")];
    const [hers, his] = [storeOf(ann.own), storeOf(bob.own)];
    await hers.append([message("for all", 0, { session: "sess-ann", channel: "team" })]);
    await hers.append([message("for herself", 0, { session: "sess-private" })]);
    for (const channel of ["team", "private"] as const) {
      const forged = message("do delete it", 1, { session: "sess-ann", channel });
      await expect(
        his.append([message("fine", 2, { session: "sess-bob" }), forged]),
      ).rejects.toMatchObject({
        ...refused("not_allowed"),
        message: expect.stringContaining("a session of these is somebody else's"),
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
    // Her own session goes on, and the other tenant knows nothing of it.
    await hers.append([message("more", 5, { session: "sess-ann", channel: "team" })]);
    await storeOf(bob.own, "web").append([message("elsewhere", 6, { session: "sess-ann" })]);
  });

  it("who has the transcript of such a session leaves it out, and the next capture goes on", async () => {
    const { join, one } = await company();
    const url = `${one.url}/t/app`;
    const [hers, his] = [await testRepository(), await testRepository()];
    await recordOn(hers, url, (await join("ann")).own, "--channel", "team");
    await recordOn(his, url, (await join("bob")).own, "--channel", "team");
    const at = Date.now() - 600_000;
    for (const place of [hers, his])
      await keepTranscript(
        place,
        new Session({ cwd: place.folder, at }).asks("Why do refunds fail?"),
      );
    await captureAll(hers);
    expect(await captureAll(his)).toMatch(
      /error not_allowed: .*somebody else's[\s\S]*fix: .*sessions skip SESSION/,
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

  it("uses the tenants of the group and no other, and says which where there are several", async () => {
    const { operator, storeOf, join, one } = await company();
    await operator.run("tenant", "create", "rival");
    const { own } = await join("ann");
    await storeOf(own, "web").append([message("of web")]);
    expect([await texts(storeOf(own, "web")), await texts(storeOf(own))]).toEqual([["of web"], []]);
    const which = {
      code: "bad_argument",
      message: expect.stringMatching(/app, web\.$/),
      fix: expect.any(String),
    };
    for (const tenant of ["rival", "none", "%", "app%2fx", ""])
      await expect(texts(storeOf(own, tenant)), tenant).rejects.toMatchObject(
        tenant === "" ? refused("not_found") : which,
      );
    const unnamed = new RemoteEventStore({ url: one.url, token: own, redactor: eventRedactor() });
    await expect(texts(unnamed)).rejects.toMatchObject(which);
    const narrow = await operator.run("token", "create", "--tenant", "web", "--person", "ann");
    const only = new RemoteEventStore({ url: one.url, token: narrow, redactor: eventRedactor() });
    expect((await only.statistics()).events).toBe(0);
    await expect(texts(storeOf(narrow))).rejects.toMatchObject({ code: "bad_argument" });
    // Also where it is about the person in whatever tenant.
    const port = Number(new URL(one.url).port);
    const status = async (path: string) =>
      (await send(port, path, { authorization: `Bearer ${own}` }, "{}")).status;
    for (const name of ["audit", "rotate-token"])
      expect(await status(`/t/rival/v1/events/${name}`), name).toBe(400);
    expect([await status("/v1/events/audit"), await status("/t/web/v1/events/audit")]).toEqual([
      200, 200,
    ]);
    expect(await status("/v1/events/rotate-token"), "at once, where it says nothing").toBe(200);
    expect(await status("/v1/events/audit")).toBe(401);
  });

  it("who was removed is refused at once at every daemon, in a call that runs as well, and comes back with nothing private", async () => {
    const { operator, storeOf, join, one, two } = await company();
    const [ann, bob, cat] = [await join("ann"), await join("bob"), await join("cat")];
    for (const daemon of [one, two])
      await storeOf(ann.own, "app", daemon).append([message("a plan", 0, { session: "p" })]);
    await storeOf(ann.own).append([
      message("for all", 1, { session: "t", channel: "team" }),
      message("for all, too", 2, { session: "u", channel: "team" }),
    ]);
    const remove = (name: string, to: string) =>
      operator.run("person", "remove", name, "--group", "app", "--to", to, "--name", name);
    await expect(remove("ann", "nobody")).rejects.toThrow("error not_found");
    await expect(remove("nobody", "bob")).rejects.toThrow("error not_found");
    expect(await texts(storeOf(ann.own))).toEqual(["a plan", "a plan", "for all", "for all, too"]);
    await remove("ann", "bob");
    for (const daemon of [one, two])
      await expect(texts(storeOf(ann.own, "app", daemon))).rejects.toMatchObject(
        refused("unauthorised"),
      );
    await expect(operator.token("bob")).resolves.toMatch(TOKEN);
    await expect(
      operator.run("token", "create", "--group", "app", "--person", "ann"),
    ).rejects.toThrow("not_found");

    // What she left goes on to the next one.
    await remove("bob", "cat");
    expect(
      await storeOf(bob.own)
        .statistics()
        .catch(({ code }) => code),
    ).toBe("unauthorised");
    expect(await storeOf(cat.own).purge({ session: "t" })).toMatchObject({ events: 1 });

    // Another one of her name would have it in hand; she herself does, where the operator says so.
    await storeOf(cat.own).append([message("about that", 3, { session: "c", channel: "team" })]);
    await expect(join("ann")).rejects.toThrow(
      /error not_allowed: .* belong to cat\.\nfix: .*--to NAME/,
    );
    expect(await storeOf(cat.own).toPurge({ session: "u" })).toMatchObject({ events: 1 });
    expect(await remove("ann", "ann")).toContain("once they are added again");
    expect(await storeOf(cat.own).toPurge({ session: "u" })).toMatchObject({ events: 0 });
    const again = await join("ann");
    expect(await texts(storeOf(again.own))).toEqual(["for all, too", "about that"]);
    expect(await storeOf(again.own).purge({ session: "u" })).toMatchObject({ events: 1 });
    const audit = await operator.run("audit", "--group", "app", "--person", "ann");
    expect(audit.match(/ann: (?:removed|handed over) .*/g)).toEqual([
      "ann: removed by the operator: to bob",
      "ann: handed over by the operator: to cat",
      "ann: handed over by the operator: to ann",
    ]);
  });
});

it("who has lost a token comes back by the steps of the page, with what was for the team, and takes in again what was private", async () => {
  const { type, storeOf, join: add, operator, folder, two } = await company();
  const lost = await add("ann");
  await storeOf(lost.own).append([
    message("for all", 0, { session: "t", channel: "team" }),
    message("kept to herself", 1, { session: "p" }),
  ]);
  await operator.run("token", "revoke", lost.own.split("_")[1] ?? "");
  const [[remove = "", again = "", create = ""] = []] = steps("A token that ended or was lost");
  await type(`${remove} --name ann`);
  await type(again);
  const own = await type(steps("Add a person")[1]?.[0] ?? "", await type(create));
  expect(await texts(storeOf(own))).toEqual(["for all"]);
  expect(await storeOf(own).toPurge({ session: "t" })).toMatchObject({ events: 1 });
  const ann = await testRepository();
  await recordOn(ann, `${two.url}/t/app`, own);
  const taken = await sentinel(ann, ["sessions", "import", join(folder, "ann.jsonl"), "--yes"], {
    SENTINEL_TOKEN: own,
  });
  expect(taken).toMatchObject({ exit: 0, text: expect.stringContaining("Added: 1") });
  expect(await texts(storeOf(own))).toEqual(["for all", "kept to herself"]);
});

describe("removing a person with an export", () => {
  const remove =
    "sentinel-memory daemon person remove ann --group acme --to bob --name ann --export ann.jsonl";
  const acts = async ({ type }: Awaited<ReturnType<typeof company>>) =>
    (await type("sentinel-memory daemon audit --group acme --person ann"))
      .split("\n")
      .map((line) => line.replace(/^\S+ {2}/, ""))
      .filter((line) => line.startsWith("ann: ") && !/: (?:added|made|rotated) /.test(line));

  it("does nothing where its file cannot be written", async () => {
    const all = await company();
    const { join: add, type, folder, storeOf } = all;
    const [ann] = [await add("ann"), await add("bob")];
    writeFileSync(join(folder, "ann.jsonl"), "another's");
    await expect(type(remove)).rejects.toThrow("ann.jsonl is there already.");
    await expect(type(remove.replace("ann.jsonl", "none/ann.jsonl"))).rejects.toThrow(
      "is not a folder",
    );
    expect([await texts(storeOf(ann.own)), await acts(all)]).toEqual([[], []]);
    expect(readFileSync(join(folder, "ann.jsonl"), "utf8")).toBe("another's");
  });

  it("leaves no part of a file where it is killed, and the same command again does what was not done, once", async () => {
    const all = await company();
    const { join: add, type, folder, storeOf, database, operator } = all;
    const [ann] = [await add("ann"), await add("bob")];
    await storeOf(ann.own).append([message("kept to herself", 0, { session: "hers" })]);
    const admin = testPool(
      postgres(),
      "admin",
      new URL(database.SENTINEL_DATABASE_URL).pathname.slice(1),
    );
    const holder = await admin.connect();
    await holder.query("begin; lock table sentinel.events in access exclusive mode");
    const [program, ...args] = remove
      .replace("sentinel-memory", BIN)
      .replace("acme", "app")
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
    const exported = "ann: exported by the operator: all that was recorded";
    const done = await acts(all);
    expect(done.at(-1)).toBe(exported);

    expect(await type(remove)).toContain("Written: ann.jsonl.");
    expect(readFileSync(join(folder, "ann.jsonl"), "utf8")).toContain("kept to herself");
    expect(readdirSync(folder).filter((name) => name.startsWith("ann.jsonl"))).toEqual([
      "ann.jsonl",
    ]);
    const last = [...done, exported, "ann: deleted by the operator: 1 private of app"];
    expect(await acts(all)).toEqual(last);
    await type(remove.replace("ann.jsonl", "again.jsonl"));
    expect(await acts(all)).toEqual([...last, exported]);
    expect(await operator.run("audit", "--group", "app", "--person", "bob")).toContain(
      "bob: put in charge by the operator: of what ann recorded for the team",
    );
  });
});

it("a tenant keeps events as long as it was told to, whoever recorded them", async () => {
  const { operator, storeOf, join } = await company();
  const [ann, bob] = [await join("ann"), await join("bob")];
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const [who, { own }] of Object.entries({ ann, bob }))
    for (const tenant of ["app", "web"])
      await storeOf(own, tenant).append([
        message("long ago", 0, { session: who, ts: daysAgo(40) }),
        message("lately", 0, { session: who, ts: daysAgo(2), channel: "team" }),
      ]);
  for (const days of ["0", "-3", "1e3", "x"])
    await expect(operator.run("tenant", "set-retention", days, "--tenant", "app")).rejects.toThrow(
      "bad_argument",
    );
  await expect(operator.run("tenant", "set-retention", "30", "--tenant", "none")).rejects.toThrow(
    "not_found",
  );
  await operator.run("tenant", "set-retention", "30", "--tenant", "app");
  expect(await operator.run("tenant", "list")).toContain("keeps 30 days");
  // A daemon looks when it starts, and once a day.
  await operator.serve();
  for (const { own } of [ann, bob]) {
    await expect.poll(() => texts(storeOf(own)), { timeout: 20_000 }).toEqual(["lately", "lately"]);
    expect(await texts(storeOf(own, "web"))).toEqual(["long ago", "lately", "lately"]);
  }
  const audit = await operator.run("audit", "--group", "app", "--person", "bob");
  expect(audit).toContain(
    "bob: deleted by the operator: 1 event over the time of the tenant of app",
  );
  expect(audit).toContain("all: set by the operator: how long events stay: 30 days of app");
});
