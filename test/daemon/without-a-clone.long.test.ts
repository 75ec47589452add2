/** What agents without a clone get of a project: views and policies that an operator sets, and lessons that a clone pushes; and who tries to get round it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { type DaemonOfTest, daemonOver, send } from "../support/daemon.ts";
import { sentinel } from "../support/daemon-record.ts";
import { testFolder, testRepository } from "../support/in-test.ts";
import { logId, logLine } from "../support/lines.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { BIN, type Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";

const postgres = postgresOfFile();
const MEMORY = ".context/memory_log.jsonl";
let database = "";
beforeAll(async () => {
  database = await migratedDatabase(postgres());
});

const post = (daemon: DaemonOfTest, path: string, token: string, body: unknown) =>
  send(daemon.port, path, { authorization: `Bearer ${token}` }, JSON.stringify(body));

/** The bundle for a question, as data. */
async function bundleFor(daemon: DaemonOfTest, token: string, query: string, more: object = {}) {
  const { status, body } = await post(daemon, "/v1/build_acb", token, { query, ...more });
  expect(status).toBe(200);
  return body as Bundle & { notes: string[] };
}

const section = ({ sections }: Bundle, name: string) =>
  sections.filter((one) => one.name === name).flatMap(({ items }) => items.map(({ text }) => text));
const unavailableSections = ({ omissions }: Bundle) =>
  omissions.flatMap(({ reason, section: name }) => (reason === "not_here" ? [name] : []));

/** Runs a command of the operator. */
async function operate(...args: readonly string[]) {
  const url = `postgres://owner@127.0.0.1:${postgres().port}/${database}`;
  const cwd = testFolder();
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, SENTINEL_DATABASE_URL: url };
  const { exit, stdout, stderr } = await runProcess(process.execPath, [BIN, "daemon", ...args], {
    cwd,
    env,
  });
  return { exit, text: stdout + stderr };
}

describe("views and policies of a tenant", () => {
  it("stand in its bundles, over HTTP and over MCP, and in nobody else's", async () => {
    const daemon = await daemonOver(postgres(), database);
    const [ann, other] = await Promise.all([
      daemon.token({ tenant: "views" }),
      daemon.token({ tenant: "others" }),
    ]);
    const folder = testFolder();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const set = (...files: readonly string[]) =>
      operate("tenant", "views", ...files, "--tenant", "views");
    expect(unavailableSections(await bundleFor(daemon, ann, "tests"))).toEqual([
      "identity",
      "rules",
      "lessons",
    ]);

    const many = file(
      "rules.project.md",
      "Run the tests before anything else is done.\n".repeat(100),
    );
    const budgets = file("budgets.yaml", "version: 1\nmax_tokens: 900\n");
    expect(await set(many, budgets)).toEqual({
      exit: 0,
      text: "Bundles of views go by budgets.yaml, rules.project.md.\n",
    });
    const large = await bundleFor(daemon, ann, "tests", { max_tokens: 5_000 });
    expect(large).toMatchObject({
      budget_tokens: 900,
      notes: [expect.stringContaining("900 tokens at most here")],
    });
    expect(large.notes[0]).toContain(
      "budgets.yaml, which the operator gives with daemon tenant views",
    );
    const rules = "Run the tests first.\n<!-- for us -->\n<!-- <private>the boss</private> -->\n";
    await set(file("rules.project.md", rules));
    const bundle = await bundleFor(daemon, ann, "tests", { max_tokens: 5_000 });
    expect(section(bundle, "rules")).toEqual(["Run the tests first."]);
    expect([bundle.budget_tokens, bundle.notes]).toEqual([900, []]);
    expect(unavailableSections(bundle)).toEqual(["identity", "lessons"]);
    expect(unavailableSections(await bundleFor(daemon, other, "tests"))).toEqual([
      "identity",
      "rules",
      "lessons",
    ]);
    const { text } = await (await httpAgent(daemon, ann)).call("build_acb", { query: "tests" });
    expect(text).toContain("== rules and preferences ==\nRun the tests first.");
    expect(text).not.toMatch(/the boss|for us/);

    // One more leaves the others, and an empty one takes its own back.
    await set(file("identity.md", "You keep this shop.\n"));
    const both = await bundleFor(daemon, ann, "tests");
    expect([section(both, "identity"), section(both, "rules")]).toEqual([
      ["You keep this shop."],
      ["Run the tests first."],
    ]);
    expect((await set(file("rules.project.md", ""), file("budgets.yaml", ""))).text).toContain(
      "go by identity.md.",
    );
    const less = await bundleFor(daemon, ann, "tests", { max_tokens: 5_000 });
    expect([section(less, "rules"), less.budget_tokens, unavailableSections(less)]).toEqual([
      [],
      5_000,
      ["rules", "lessons"],
    ]);
  });

  it("are checked at the door as those of a project are, and refused where a project would be told", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token({ tenant: "door" });
    const folder = testFolder();
    const set = (name: string, text: string | Buffer) => {
      writeFileSync(join(folder, name), text);
      return operate("tenant", "views", join(folder, name), "--tenant", "door");
    };
    const wrong: readonly (readonly [string, string | Buffer, RegExp])[] = [
      ["preferences.md", "mine", /bad_argument: .*preferences\.md is neither a view nor a policy/],
      [
        "identity.md",
        `The key is ${SECRET_TOKEN}.`,
        /bad_argument: .*1 secret in it is not shown\. Nothing was changed\./,
      ],
      ["identity.md", Buffer.from([0x41, 0xff, 0x0a]), /not UTF-8/],
      ["glossary.md", "order: what a customer sent\n".repeat(4_000), /larger than 64 KiB/],
      [
        "budgets.yaml",
        "version: 1\nmax_tokens: 70000\n",
        /budgets\.yaml, line 2: .*, so the file is refused\. Nothing/,
      ],
      ["channels.yaml", "version: 1\nteam: {views: [preferences]}\n", /channels\.yaml, line 2/],
      [
        "channels.yaml",
        "version: 1\nsecret: {}\n",
        /secret is not a key of this file, so the file is refused/,
      ],
    ];
    for (const [name, text, says] of wrong) {
      const answer = await set(name, text);
      expect(answer, name).toEqual({ exit: 1, text: expect.stringMatching(says) });
      expect(answer.text).not.toContain(SECRET_TOKEN);
    }
    const absent = await operate(
      "tenant",
      "views",
      join(folder, "none", "identity.md"),
      "--tenant",
      "door",
    );
    expect(absent.text).toContain("error not_found");
    expect(
      (await operate("tenant", "views", join(folder, "budgets.yaml"), "--tenant", "nobody")).exit,
    ).toBe(1);
    expect(unavailableSections(await bundleFor(daemon, token, "tests"))).toEqual([
      "identity",
      "rules",
      "lessons",
    ]);
  });

  it("show in a channel what the policy of the tenant lets it show", async () => {
    const daemon = await daemonOver(postgres(), database);
    const token = await daemon.token({ tenant: "circles" });
    const folder = testFolder();
    writeFileSync(join(folder, "identity.md"), "You keep this shop.");
    writeFileSync(join(folder, "channels.yaml"), "version: 1\npublic: {views: []}\n");
    const files = ["identity.md", "channels.yaml"].map((name) => join(folder, name));
    await operate("tenant", "views", ...files, "--tenant", "circles");
    expect(section(await bundleFor(daemon, token, "shop"), "identity")).toEqual([
      "You keep this shop.",
    ]);
    expect(
      section(await bundleFor(daemon, token, "shop", { channel: "public" }), "identity"),
    ).toEqual([]);
  });
});

describe("lessons that a clone pushes", () => {
  const REFUNDS = logLine("refunds", "Refunds of the ledger round to cents twice");
  const QUESTION = "how do refunds of the ledger round to cents";

  /** A repository whose default branch has these lines, and a clone of it. */
  async function team(
    ...lines: readonly string[]
  ): Promise<{ readonly origin: Project; readonly clone: Project }> {
    const origin = await testRepository({ [MEMORY]: lines.map((line) => `${line}\n`).join("") });
    return { origin, clone: await origin.clone() };
  }

  const push = ({ url }: DaemonOfTest, clone: Project, token: string, ...more: readonly string[]) =>
    sentinel(clone, ["lessons", "push", "--url", url, ...more], { SENTINEL_TOKEN: token });

  const lessonsOf = async (daemon: DaemonOfTest, token: string, query = QUESTION) =>
    section(await bundleFor(daemon, token, query), "lessons").join("\n");

  it("come from the default branch alone, stand in bundles by the ranking of files, and are for the team of the tenant", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "pushing";
    const [pusher, ann, outside, other] = await Promise.all([
      daemon.token({ tenant, owner: "ci", scope: "lessons" }),
      daemon.token({ tenant }),
      daemon.token({ tenant, channel: "public" }),
      daemon.token({ tenant: "others" }),
    ]);
    const unrelated = logLine("deploys", "Deploys need the bastion");
    const { clone } = await team(REFUNDS, unrelated);
    await clone.git("switch", "--quiet", "--create", "mine");
    await clone.append(MEMORY, `${logLine("refunds", "Refunds of the ledger wait for Eve")}\n`);
    await clone.commit("on a branch");
    await clone.append(MEMORY, `${logLine("refunds", "Refunds of the ledger are nobody's")}\n`);

    const pushed = await push(daemon, clone, pusher);
    expect(pushed).toEqual({
      exit: 0,
      text: expect.stringMatching(
        /^Pushed the default branch at [0-9a-f]{8}: 2 new, 0 newer, 0 removed, 0 unchanged\.\n$/,
      ),
    });
    expect(await lessonsOf(daemon, ann)).toMatch(/Refunds of the ledger round to cents twice/);
    expect(await lessonsOf(daemon, ann)).not.toMatch(/Eve|nobody|bastion/);
    expect(unavailableSections(await bundleFor(daemon, ann, QUESTION))).toEqual([
      "identity",
      "rules",
    ]);
    expect(
      (await (await httpAgent(daemon, ann)).call("build_acb", { query: QUESTION })).text,
    ).toContain("round to cents twice");
    for (const stranger of [outside, other]) {
      expect(await lessonsOf(daemon, stranger)).toBe("");
      expect(unavailableSections(await bundleFor(daemon, stranger, QUESTION))).toContain("lessons");
    }
    // An answer that was lost is asked for again.
    expect((await push(daemon, clone, pusher)).text).toContain(
      "0 new, 0 newer, 0 removed, 2 unchanged.",
    );
  });

  it("take a token for that, which does nothing else", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "scopes";
    const { clone } = await team(REFUNDS);
    for (const scope of ["write", "read", "metrics"] as const) {
      const answer = await push(daemon, clone, await daemon.token({ tenant, scope }));
      expect(answer, scope).toEqual({
        exit: 1,
        text: expect.stringContaining("error not_allowed"),
      });
    }
    expect((await push(daemon, clone, "")).text).toContain("error unauthorised");
    const pusher = await daemon.token({ tenant, owner: "ci", scope: "lessons" });
    for (const path of [
      "/v1/build_acb",
      "/v1/events/read",
      "/v1/events/brief",
      "/v1/events/caller",
      "/mcp",
    ])
      expect((await post(daemon, path, pusher, {})).status, path).toBe(403);
    expect(
      (await send(daemon.port, "/metrics", { authorization: `Bearer ${pusher}` }, undefined, "GET"))
        .status,
    ).toBe(403);
    expect((await post(daemon, "/v1/events/append", pusher, { drafts: [] })).status).toBe(403);
    for (const path of ["/lessons/push", "/v1/events/lessons/push", "/v1/lessons/all"])
      expect((await post(daemon, path, pusher, {})).status, path).toBe(404);
    for (const body of [
      {},
      { after: 0, commit: "HEAD", lines: "" },
      { after: -1, commit: "0".repeat(40), lines: "" },
      { after: 0, commit: "0".repeat(40), lines: [] },
    ])
      expect((await post(daemon, "/v1/lessons/push", pusher, body)).status).toBe(400);
    expect(await lessonsOf(daemon, await daemon.token({ tenant }))).toBe("");
    const made = await operate(
      "token",
      "create",
      "--tenant",
      tenant,
      "--person",
      "ci",
      "--lessons",
    );
    expect(made.text).toMatch(/^sentinel_/);
    expect((await operate("token", "list", "--tenant", tenant)).text).toMatch(
      /scopes, ci: lessons, until /,
    );
    expect(
      (
        await operate(
          "token",
          "create",
          "--tenant",
          tenant,
          "--person",
          "ci",
          "--lessons",
          "--read-only",
        )
      ).exit,
    ).toBe(1);
  });

  it("of an older commit are refused after those of a newer one, also by plain HTTP", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "older";
    const [pusher, ann] = await Promise.all([
      daemon.token({ tenant, scope: "lessons" }),
      daemon.token({ tenant }),
    ]);
    const { origin, clone } = await team(REFUNDS);
    const old = (await clone.git("rev-parse", "HEAD")).trim();
    expect((await push(daemon, clone, pusher)).exit).toBe(0);
    const fresh = await origin.worktree("fresh");
    await fresh.append(MEMORY, `${logLine("refunds", "Refunds of the ledger wait for noon")}\n`);
    await fresh.commit("newer");
    const newer = (await fresh.git("rev-parse", "HEAD")).trim();
    await origin.git("merge", "--quiet", "fresh");
    expect((await push(daemon, origin, pusher)).text).toContain("Pushed the default branch at");

    // It has not fetched.
    const stale = await push(daemon, clone, pusher);
    expect(stale).toEqual({
      exit: 1,
      text: expect.stringMatching(
        /error stale_reference: .*is not an ancestor of[\s\S]*fix: git fetch/,
      ),
    });
    await origin.git("switch", "--quiet", "--detach");
    await origin.git("branch", "--force", "main", old);
    for (const more of [[], ["--rewritten"]])
      expect(await push(daemon, origin, pusher, ...more)).toEqual({
        exit: 1,
        text: expect.stringContaining("error stale_reference"),
      });
    const last = (await post(daemon, "/v1/lessons/last", pusher, {})).body;
    expect(last).toEqual({ number: 2, commit: newer });
    for (const after of [0, 1, 2, 3]) {
      const answer = await post(daemon, "/v1/lessons/push", pusher, {
        after,
        commit: old,
        lines: REFUNDS,
      });
      expect(answer, String(after)).toMatchObject({
        status: 422,
        body: { error: { code: "stale_reference" } },
      });
    }
    expect((await post(daemon, "/v1/lessons/last", pusher, {})).body).toEqual(last);
    expect(await lessonsOf(daemon, ann)).toContain("wait for noon");

    // A history that was rewritten: the commit of the last push is in none of it.
    await origin.git("branch", "--force", "main", newer);
    await origin.git("switch", "--quiet", "main");
    await origin.git("commit", "--quiet", "--amend", "--message", "rewritten");
    expect((await push(daemon, origin, pusher)).exit).toBe(1);
    expect((await push(daemon, origin, pusher, "--rewritten")).text).toContain(
      "0 new, 0 newer, 0 removed, 2 unchanged.",
    );
  });

  it("of two who push at once are united, or one of them is told to fetch", async () => {
    const daemons = await Promise.all([
      daemonOver(postgres(), database),
      daemonOver(postgres(), database),
    ]);
    const [one, two] = daemons as [DaemonOfTest, DaemonOfTest];
    const tenant = "at-once";
    const [pusher, ann] = await Promise.all([
      one.token({ tenant, scope: "lessons" }),
      one.token({ tenant }),
    ]);
    const all = Array.from({ length: 8 }, (_, at) => ({
      after: 0,
      commit: String(at).repeat(40),
      lines: logLine("refunds", `Refunds of the ledger round to cents, says ${at}`),
    }));
    const answers = await Promise.all(
      all.map((body, at) => post(at % 2 ? one : two, "/v1/lessons/push", pusher, body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
    for (const [at, body] of all.entries())
      if (answers[at]?.status === 422) {
        const { number } = (await post(one, "/v1/lessons/last", pusher, {})).body as {
          number: number;
        };
        expect(
          (await post(two, "/v1/lessons/push", pusher, { ...body, after: number })).status,
        ).toBe(200);
      }
    const { rows } = await testPool(postgres(), "admin", database).query(
      "select line from sentinel.lessons where tenant = 'at-once'",
    );
    expect(rows.map(({ line }) => line).sort()).toEqual(all.map(({ lines }) => lines).sort());
    expect(await lessonsOf(two, ann)).toContain("round to cents");
  });

  it("are taken out by a tombstone and for good by a purge, which no stale clone undoes", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "purging";
    const [pusher, ann] = await Promise.all([
      daemon.token({ tenant, scope: "lessons" }),
      daemon.token({ tenant }),
    ]);
    const noon = logLine("refunds", "Refunds of the ledger wait for noon");
    const { origin } = await team(REFUNDS, noon);
    expect((await push(daemon, origin, pusher)).text).toContain("2 new");
    expect(
      (await origin.run("forget", logId("refunds", "Refunds of the ledger wait for noon"))).exit,
    ).toBe(0);
    expect(
      (
        await origin.run(
          "purge",
          logId("refunds", "Refunds of the ledger round to cents twice"),
          "--yes",
        )
      ).exit,
    ).toBe(0);
    await origin.commit("without them");
    expect((await push(daemon, origin, pusher)).text).toContain(
      "0 new, 0 newer, 2 removed, 0 unchanged.",
    );
    const kept = async () => {
      const { rows } = await testPool(postgres(), "admin", database).query(
        "select line from sentinel.lessons where tenant = 'purging'",
      );
      return rows.map(({ line }) => String(line)).join("\n");
    };
    const without = await kept();
    expect(without).not.toMatch(/ledger/);

    // By plain HTTP, as if it were of a later commit: as it was, and as it was met again since by somebody who knew of no purge.
    const { meta, ...texts } = JSON.parse(REFUNDS);
    const later = {
      ...texts,
      meta: {
        ...meta,
        count: 2,
        updated: "2099-01-01T00:00:00.000Z",
        after: { at: "2099-01-01T00:00:00.000Z", seen: [meta.created] },
      },
    };
    for (const [at, lines] of [REFUNDS, noon, JSON.stringify(later)].entries()) {
      const { status, body } = await post(daemon, "/v1/lessons/push", pusher, {
        after: 2 + at,
        commit: String(at).repeat(40),
        lines,
      });
      expect([status, body]).toEqual([200, expect.objectContaining({ added: 0 })]);
      expect(await kept()).toBe(without);
      expect(await lessonsOf(daemon, ann)).toBe("");
    }
  });

  it("are redacted once more, and refused with their line where nothing can be taken out", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "secrets";
    const [pusher, ann] = await Promise.all([
      daemon.token({ tenant, scope: "lessons" }),
      daemon.token({ tenant }),
    ]);
    const privacy = join(testFolder(), "privacy.yaml");
    writeFileSync(privacy, "version: 1\nnever_store:\n  words: [Tapir]\n");
    expect((await operate("tenant", "set-privacy", privacy, "--tenant", tenant)).exit).toBe(0);
    const { origin } = await team(
      logLine("refunds", `Refunds of the ledger need ${SECRET_TOKEN}`),
      logLine("refunds", "Refunds of the ledger go to Tapir"),
      logLine("refunds", "Refunds of the ledger round", 9, { author: SECRET_TOKEN }),
      "Refunds of the ledger, and not a line of a memory",
    );
    const pushed = await push(daemon, origin, pusher);
    expect(pushed.exit).toBe(1);
    expect(pushed.text).toContain(
      ": 2 new, 0 newer, 0 removed, 0 unchanged.\nThe daemon took something out of 2 lessons.\n",
    );
    expect(pushed.text).toMatch(/line 3 of \S+: not imported: it holds what looks like a secret/);
    expect(pushed.text).toMatch(
      /line 4 of \S+: not imported: not JSON\nerror not_imported: 2 lines of \S+ were not imported\./,
    );
    const lessons = await lessonsOf(daemon, ann, "refunds of the ledger need go round");
    expect(lessons).toMatch(/Refunds of the ledger need \[REDACTED/);
    expect(lessons).toMatch(/Refunds of the ledger go to \[REDACTED\]/);
    const { rows } = await testPool(postgres(), "admin", database).query(
      "select line from sentinel.lessons where tenant = 'secrets'",
    );
    for (const hidden of [pushed.text, lessons, JSON.stringify(rows), JSON.stringify(daemon.log)])
      expect(hidden).not.toMatch(new RegExp(`${SECRET_TOKEN}|Tapir|author`));

    // As long as nobody can say what is never stored, nothing is.
    await testPool(postgres(), "owner", database).query(
      "update sentinel.tenants set privacy = 'version: 9' where name = 'secrets'",
    );
    await origin.commit("again");
    expect((await push(daemon, origin, pusher)).text).toContain("error privacy_unreadable");
  });

  it("have a limit of size, and go with their tenant", async () => {
    const daemon = await daemonOver(postgres(), database);
    const tenant = "large";
    const [pusher, ann] = await Promise.all([
      daemon.token({ tenant, scope: "lessons" }),
      daemon.token({ tenant }),
    ]);
    const lines = (from: number) =>
      Array.from({ length: 4_000 }, (_, at) =>
        logLine("refunds", `Invoice ${from + at} ${"of the shop ".repeat(78)}`),
      ).join("\n");
    const first = await post(daemon, "/v1/lessons/push", pusher, {
      after: 0,
      commit: "0".repeat(40),
      lines: `${REFUNDS}\n${lines(0)}`,
    });
    expect([first.status, first.body]).toEqual([200, expect.objectContaining({ added: 4_001 })]);
    const second = { after: 1, commit: "1".repeat(40), lines: lines(4_000) };
    expect(await post(daemon, "/v1/lessons/push", pusher, second)).toMatchObject({
      status: 413,
      body: { error: { code: "too_large" } },
    });
    const over = { ...second, lines: "x".repeat(9 * 1024 * 1024) };
    expect(await post(daemon, "/v1/lessons/push", pusher, over)).toMatchObject({ status: 413 });
    expect(await lessonsOf(daemon, ann)).not.toBe("");
    await operate("tenant", "delete", tenant, "--name", tenant);
    await operate("tenant", "create", tenant);
    expect(await lessonsOf(daemon, await daemon.token({ tenant }))).toBe("");
    expect(
      unavailableSections(await bundleFor(daemon, await daemon.token({ tenant }), QUESTION)),
    ).toContain("lessons");
  });
});
