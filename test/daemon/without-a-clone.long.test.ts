/** What agents without a clone get of a project: views, policies and lessons that an operator sets, and who tries to get around that. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { type DaemonOfTest, daemonOfFile, daemonOver, send } from "../support/daemon.ts";
import { testFolder } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);

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
  const url = `postgres://owner@127.0.0.1:${postgres().port}/${daemonOfAll().database}`;
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
    const daemon = daemonOfAll();
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
      text: "Bundles of views use budgets.yaml, rules.project.md.\n",
    });
    const large = await bundleFor(daemon, ann, "tests", { max_tokens: 5_000 });
    expect(large).toMatchObject({
      budget_tokens: 900,
      notes: [expect.stringContaining("max_tokens or reserve_tokens (900)")],
    });
    expect(large.notes[0]).toContain(
      "budgets.yaml (the operator gives it with daemon tenant views)",
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
      "use identity.md.",
    );
    const less = await bundleFor(daemon, ann, "tests", { max_tokens: 5_000 });
    expect([section(less, "rules"), less.budget_tokens, unavailableSections(less)]).toEqual([
      [],
      5_000,
      ["rules", "lessons"],
    ]);
  });

  it("are checked at the door as those of a project are, and refused where a project would be told", async () => {
    const daemon = daemonOfAll();
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
    const daemon = daemonOfAll();
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

describe("lessons of a tenant", () => {
  const REFUNDS = logLine("refunds", "Refunds of the ledger round to cents twice");
  const QUESTION = "how do refunds of the ledger round to cents";

  /** Sets a memory file with these lines for a tenant, as `daemon tenant views` does. */
  const set = (tenant: string, ...lines: readonly string[]) => {
    const file = join(testFolder(), "memory_log.jsonl");
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    return operate("tenant", "views", file, "--tenant", tenant);
  };

  const lessonsOf = async (daemon: DaemonOfTest, token: string, query = QUESTION) =>
    section(await bundleFor(daemon, token, query), "lessons").join("\n");

  it("appear in bundles by the ranking of files, for the team of the tenant", async () => {
    const daemon = daemonOfAll();
    const tenant = "lessons";
    const [ann, outside, other] = await Promise.all([
      daemon.token({ tenant }),
      daemon.token({ tenant, channel: "public" }),
      daemon.token({ tenant: "others" }),
    ]);
    expect(await set(tenant, REFUNDS, logLine("deploys", "Deploys need the bastion"))).toEqual({
      exit: 0,
      text: "Bundles of lessons use memory_log.jsonl.\n",
    });
    expect(await lessonsOf(daemon, ann)).toMatch(/Refunds of the ledger round to cents twice/);
    expect(await lessonsOf(daemon, ann)).not.toMatch(/bastion/);
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
  });

  it("are replaced as a whole, at every daemon with the next call", async () => {
    const { database } = daemonOfAll();
    const daemons = [daemonOfAll(), await daemonOver(postgres(), database)] as const;
    const tenant = "replaced";
    const ann = await daemons[0].token({ tenant });
    await set(tenant, REFUNDS);
    for (const daemon of daemons) {
      expect(await lessonsOf(daemon, ann)).toContain("round to cents twice");
    }
    await set(tenant, logLine("refunds", "Refunds of the ledger wait for noon"));
    for (const daemon of daemons) {
      expect(await lessonsOf(daemon, ann)).toContain("wait for noon");
      expect(await lessonsOf(daemon, ann)).not.toContain("twice");
    }
    await set(tenant);
    for (const daemon of daemons) {
      expect(await lessonsOf(daemon, ann)).toBe("");
    }
    const { rows } = await testPool(postgres(), "admin", database).query(
      "select texts from sentinel.tenants where name = 'replaced'",
    );
    expect(JSON.stringify(rows)).not.toMatch(/ledger/);
  });

  it("are refused if a line can't be read, or contains a secret or words that the tenant never stores", async () => {
    const daemon = daemonOfAll();
    const tenant = "secrets";
    const ann = await daemon.token({ tenant });
    const privacy = join(testFolder(), "privacy.yaml");
    writeFileSync(privacy, "version: 1\nnever_store:\n  words: [Tapir]\n");
    expect((await operate("tenant", "set-privacy", privacy, "--tenant", tenant)).exit).toBe(0);
    await set(tenant, REFUNDS);
    const wrong: readonly (readonly [string, RegExp])[] = [
      [
        logLine("refunds", `Refunds of the ledger need ${SECRET_TOKEN}`),
        /bad_argument: 1 lesson.*secret/,
      ],
      [
        logLine("refunds", "Refunds of the ledger go to Tapir"),
        /bad_argument: 1 lesson.*never stores/,
      ],
      [logLine("refunds", "Refunds of the ledger round", 9, { author: SECRET_TOKEN }), /line 1/],
      ["Refunds of the ledger, and not a line of a memory", /line 1: not JSON/],
    ];
    for (const [line, says] of wrong) {
      const answer = await set(tenant, line);
      expect(answer, line).toEqual({ exit: 1, text: expect.stringMatching(says) });
      expect(answer.text).not.toMatch(new RegExp(`${SECRET_TOKEN}|Tapir`));
    }
    expect(await lessonsOf(daemon, ann)).toContain("round to cents twice");

    // If nobody can say what is never stored, nothing is.
    await testPool(postgres(), "owner", daemon.database).query(
      "update sentinel.tenants set privacy = 'version: 9' where name = 'secrets'",
    );
    expect((await set(tenant, REFUNDS)).text).toContain("error privacy_unreadable");
  });

  it("have a limit of size together with the views, and go with their tenant", async () => {
    const daemon = daemonOfAll();
    const tenant = "large";
    const ann = await daemon.token({ tenant });
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        logLine("refunds", `Invoice ${at} ${"of the shop ".repeat(78)}`),
      );
    expect((await set(tenant, REFUNDS, ...lines(4_000))).exit).toBe(0);
    const over = await set(tenant, ...lines(9_000));
    expect(over).toEqual({ exit: 1, text: expect.stringContaining("error too_large") });
    expect(await lessonsOf(daemon, ann)).toContain("round to cents twice");
    await operate("tenant", "delete", tenant, "--name", tenant);
    await operate("tenant", "create", tenant);
    const again = await daemon.token({ tenant });
    expect(await lessonsOf(daemon, again)).toBe("");
    expect(unavailableSections(await bundleFor(daemon, again, QUESTION))).toContain("lessons");
  });
});
