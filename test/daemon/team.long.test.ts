/** Two people of one team in two clones, two daemons, one database: what one records for the team the other gets; what is private nobody else does. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { operatorOfFile } from "../support/daemon-process.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { filesWith } from "../support/files-with.ts";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import { postgresOfFile } from "../support/postgres.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { type Server, startServer } from "../support/server.ts";
import { RecordedSession } from "../support/session-hooks.ts";
import { Session } from "../support/transcript.ts";
import { readUntil } from "../support/wait.ts";

const postgres = postgresOfFile();
const operatorOfAll = operatorOfFile(postgres, "acme");
const urls: string[] = [];
const logs: (readonly string[])[] = [];
beforeAll(async () => {
  for (const { url, log } of [await operatorOfAll().serve(), await operatorOfAll().serve()]) {
    urls.push(url);
    logs.push(log);
  }
});

/** A new tenant at both daemons. */
async function team() {
  const [one = "", two = ""] = urls;
  const operator = operatorOfAll();
  const tenant = randomUUID();
  await operator.addTenant(tenant);
  const tokenOf = (person: string, ...options: readonly string[]) =>
    operator.tokenOf(tenant, person, ...options);
  return { operator, tenant, one, two, tokenOf };
}

/** Only tells what never comes from what takes long, in ms. */
const DEADLINE_MS = 60_000;

/**
 * What the hook of another session says at its start, once it is as wanted; as it is after a while otherwise. A machine that does much else reads
 * the session log later than the hook waits for it, or ends the hook before it said anything.
 */
async function startOnce(
  project: Project,
  wanted: (said: string) => boolean = () => true,
): Promise<string> {
  return readUntil(
    () => startOf(project),
    (said) => said !== "" && wanted(said),
    DEADLINE_MS,
  );
}

async function startOf(project: Project): Promise<string> {
  const started = new RecordedSession(project, "5e551011-0000-4000-8000-00000000000c");
  const [{ stdout = "" } = {}] = await started.hook("SessionStart", { source: "startup" });
  return stdout;
}

describe("a session log that a daemon keeps", () => {
  it("gives a teammate on another machine what was recorded for the team, and nobody what is private", async () => {
    const { tenant, one, two, tokenOf } = await team();
    const [ann, bob] = await Promise.all([testRepository(), testRepository()]);
    const annToken = await tokenOf("ann");
    expect(await recordOn(ann, one, annToken, "--channel", "team")).toContain(
      `everyone in ${tenant} can read it`,
    );
    expect(await recordOn(bob, two, await tokenOf("bob"))).toContain(
      "only you and the daemon's operator can read it",
    );

    expect(JSON.parse(await startOnce(ann)).systemMessage).toContain(
      `records this session, at ${one}, channel team.`,
    );

    const secret = ["pass", "word: winter24!x"].join("");
    const session = new Session({ cwd: ann.folder, at: Date.now() - 600_000 });
    session
      .asks(`Why do refunds fail? The ${secret} is right.`)
      .says("The ledger of refunds rounds to cents twice.");
    await keepTranscript(ann, session);
    const own = new Session({ id: "5e551011-0000-4000-8000-00000000000b", cwd: bob.folder });
    own
      .asks("Where is the turnstile of invoices?")
      .says("The turnstile of invoices is in the cellar.");
    await keepTranscript(bob, own);
    await captureAll(ann);
    expect(JSON.parse((await sentinel(ann, ["sessions", "status", "--json"])).text)).toMatchObject({
      events: 3,
    });
    await captureAll(bob);

    const bundle = await sentinel(bob, ["context", "why do refunds fail"]);
    expect(bundle.text).toContain("rounds to cents twice");
    expect(bundle.text).not.toContain("winter24");
    const seen = await sentinel(ann, ["context", "turnstile of invoices cellar"]);
    expect(seen.text).not.toContain("in the cellar");
    expect((await sentinel(bob, ["context", "turnstile of invoices cellar"])).text).toContain(
      "in the cellar",
    );
    await sentinel(ann, ["pin", "Refunds", "are", "frozen", "until", "Friday"]);
    expect((await sentinel(bob, ["pin"])).text).toContain("Refunds are frozen until Friday");

    const asked = "Why do refunds fail?";
    expect(await startOnce(bob, (text) => text.includes(asked))).toContain(asked);
    await sentinel(ann, ["sessions", "skip", session.id, "--yes"]);
    const after = await startOnce(bob, (text) => !text.includes(asked));
    expect(after, "what was left out since is told no more").not.toContain(asked);
    const kept = dirname(await manifestOf(bob));
    expect(filesWith(kept, "refunds fail")).toEqual([]);

    // Nothing of it is in files here, but where a hook says how to go on.
    const folder = dirname(await manifestOf(ann));
    expect(existsSync(join(folder, "events"))).toBe(false);
    expect(statSync(join(folder, "token")).mode & 0o777).toBe(0o600);
    expect(filesWith(ann.folder, annToken)).toEqual([]);
    for (const log of logs) {
      expect(log.join("\n")).not.toMatch(/refund|turnstile|winter24|sentinel_/i);
    }
    expect((await sentinel(ann, ["sessions", "status"])).text).toContain(
      `daemon      ${one}, as team`,
    );
    expect((await sentinel(ann, ["sessions", "off"])).text).toContain(
      `Recorded events stay at ${one}.`,
    );
  });

  it("says whose each thing is, to everybody but the person whose it is", async () => {
    const { one: url, tokenOf } = await team();
    const [ann, bob] = await Promise.all([testRepository(), testRepository()]);
    await recordOn(ann, url, await tokenOf("ann"), "--channel", "team");
    await recordOn(bob, url, await tokenOf("bob"), "--channel", "team");
    const questions = [
      { question: "Which store?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
    ];
    const hers = new Session({ cwd: ann.folder, at: Date.now() - 600_000 })
      .asks("Why do refunds fail?")
      .uses(
        "AskUserQuestion",
        { questions },
        'User has answered your questions: "Which store?"="Postgres".',
      )
      .uses(
        "TaskCreate",
        { subject: "Freeze refunds" },
        "Task #1 created successfully: Freeze refunds",
      )
      .says("The ledger of refunds rounds to cents twice.");
    await keepTranscript(ann, hers);
    await captureAll(ann);
    await sentinel(ann, ["pin", "Refunds are frozen"]);

    const lines = [
      "asked by ann, until ",
      "task of ann open: Freeze",
      "decided by ann: Which store?",
      "pinned by ann: Ref",
    ];
    const start = await startOnce(bob, (text) => lines.every((line) => text.includes(line)));
    for (const line of lines) {
      expect(start).toContain(line);
    }
    const { text: bundle } = await sentinel(bob, [
      "context",
      "why do refunds fail and the ledger round",
    ]);
    expect(bundle).toMatch(/^ *user ann, .*: Why do refunds fail\?$/m);
    expect(bundle).toMatch(/^ *agent of ann, .*: The ledger of refunds/m);
    const { text: ofStore } = await sentinel(bob, ["context", "which store was chosen, Postgres?"]);
    expect(ofStore).toMatch(/^ *decided by ann \d.*: Which store\? Postgres/m);
    const looks = [
      [["sessions", "list"], "claude-code of ann  main"],
      [["sessions", "search", "ledger of refunds"], "claude-code  agent of ann"],
      [["sessions", "search", "why do refunds fail"], "claude-code  user ann"],
      [["decisions"], "by: ann"],
      [["tasks"], "Freeze refunds (by ann, main)"],
      [["pin"], "Refunds are frozen (by ann)"],
    ] as const;
    for (const [args, words] of looks) {
      expect((await sentinel(bob, args)).text, args.join(" ")).toContain(words);
    }
    const [, pin = ""] = /(evt_\w+)/.exec((await sentinel(bob, ["pin"])).text) ?? [];
    expect((await sentinel(bob, ["sessions", "show", pin])).text).toMatch(/^evt_\w{26} of ann$/m);
    expect((await sentinel(ann, ["sessions", "show", pin])).text).toMatch(/^evt_\w{26}$/m);
    const own = [startOnce(ann), ...looks.map(async ([args]) => (await sentinel(ann, args)).text)];
    for (const text of await Promise.all(own)) {
      expect(text).not.toMatch(/\b(?:by|of):? ann\b/);
    }

    // What bob says is of no session of hers.
    await sentinel(bob, ["pin", "Tell the customers"]);
    const pins = JSON.parse((await sentinel(bob, ["pin", "--json"])).text);
    expect(pins).toMatchObject([
      { person: "ann", session: "command-line" },
      { session: "command-line" },
    ]);
    const skipped = await sentinel(bob, ["sessions", "skip", hers.id, "--yes"]);
    expect([skipped.exit, skipped.text]).toEqual([1, expect.stringContaining("error not_allowed")]);

    const his = new Session({
      id: "5e551011-0000-4000-8000-00000000000b",
      cwd: bob.folder,
      at: Date.now() - 900_000,
    });
    await keepTranscript(
      bob,
      his.asks("Where is the turnstile of invoices?").says("In the cellar."),
    );
    await captureAll(bob);
    const both =
      /asked, until \S+: Where is the turnstile.*since then asked by ann, until \S+: Why do/;
    expect(await startOnce(bob, (text) => both.test(text))).toMatch(both);
    expect((await sentinel(bob, ["context", "continue"])).text).toContain(
      `session ${his.id.slice(0, 8)}`,
    );
  });

  it("says of a purge that only who recorded something can remove it, and of a token that is revoked who makes one", async () => {
    const { operator, one: url, tokenOf } = await team();
    const [ann, bob] = await Promise.all([testRepository(), testRepository()]);
    const token = await tokenOf("ann");
    await recordOn(ann, url, token, "--channel", "team");
    await recordOn(bob, url, await tokenOf("bob"));
    const pinned = (await sentinel(ann, ["pin", "Refunds", "are", "frozen"])).text;
    const [id = ""] = /evt_\w{8}/.exec(pinned) ?? [];
    const { session } = JSON.parse((await sentinel(bob, ["pin", "--json"])).text)[0];
    for (const named of [[id], [session], ["--text", "are frozen"]]) {
      const { exit, text } = await sentinel(bob, ["sessions", "purge", ...named, "--yes"]);
      expect([exit, text], named.join(" ")).toEqual([
        1,
        expect.stringMatching(
          /error not_allowed: .*only who recorded it can purge it\. Nothing was changed\./,
        ),
      ]);
    }
    expect(
      (await sentinel(bob, ["sessions", "purge", "--text", "are thawed", "--yes"])).text,
    ).toContain("error not_found");
    await sentinel(bob, ["pin", "So", "refunds", "are", "frozen"]);
    const his = (await sentinel(bob, ["sessions", "purge", "--text", "are frozen", "--yes"])).text;
    expect(his).toMatch(
      /Purged: 1 event .*\nOther people recorded it for you to see, too\. Ask them to purge it/,
    );
    const hers = (await sentinel(ann, ["sessions", "purge", id, "--yes"])).text;
    expect(hers).toContain("Purged: 1 event");
    expect(hers).not.toContain("Other people");

    await operator.run("token", "revoke", token.split("_")[1] ?? "");
    const { text } = await sentinel(ann, ["pin", "Refunds", "are", "back"]);
    expect(text).toContain(`error unauthorised: ${url}: This token is not in use.`);
    expect(text).toContain("from the daemon's operator, then SENTINEL_TOKEN=… node ");
    expect(text).toContain(` sessions on --url ${url}`);
    expect(text).not.toContain("token create");
    const { systemMessage: notice } = JSON.parse(
      await startOnce(ann, (said) => said.includes("the last capture failed")),
    );
    expect(notice).toContain(
      "But the last capture failed, and nothing new is recorded until one succeeds.",
    );
    expect(notice).toContain("This token is not in use.");
    expect(JSON.parse(await startOnce(bob)).systemMessage).not.toContain("failed");
  });

  it("does not go on in a transcript before the daemon has what was read", async () => {
    const { operator, tokenOf } = await team();
    const first = await operator.serve();
    const ann = await testRepository();
    const token = await tokenOf("ann");
    await recordOn(ann, first.url, token);
    const session = new Session({ cwd: ann.folder, at: Date.now() - 600_000 });
    session.asks("Why do refunds fail?").says("They round twice.");
    await keepTranscript(ann, session);
    first.child.kill("SIGTERM");
    expect(await first.exited).toBe(0);
    expect(await captureAll(ann)).toContain("error daemon_unreachable");
    expect((await sentinel(ann, ["sessions", "status"])).text).toContain(
      `The daemon at ${first.url} does not answer.`,
    );
    // What is to be left out is so at once, and never reaches it.
    const secret = new Session({
      id: "5ec2e700-0000-4000-8000-000000000001",
      cwd: ann.folder,
      at: Date.now() - 60_000,
    });
    await keepTranscript(ann, secret.asks("Write to my doctor"));
    const skipped = await sentinel(ann, ["sessions", "skip", secret.id, "--yes"]);
    expect(skipped.text).toMatch(
      /error daemon_unreachable: .*Nothing more of session 5ec2e700.* will be recorded/,
    );
    const second = await operator.serve();
    await recordOn(ann, second.url, token);
    await captureAll(ann);
    expect((await sentinel(ann, ["context", "refunds round twice"])).text).toContain(
      "They round twice",
    );
    await captureAll(ann);
    const { text } = await sentinel(ann, ["sessions", "status", "--json"]);
    expect(JSON.parse(text)).toMatchObject({
      events: 3,
      daemon: { url: second.url, channel: "private" },
    });
  });

  it("is not begun with a token that does not fit, over a network in the clear, or where a session log is in files", async () => {
    const { operator, tenant, one: url, tokenOf } = await team();
    const ann = await testRepository();
    const create = (...more: readonly string[]) => tokenOf("ann", ...more);
    const on = async (token: string, ...more: readonly string[]) =>
      (await sentinel(ann, ["sessions", "on", ...more], token ? { SENTINEL_TOKEN: token } : {}))
        .text;
    const good = await create();
    expect(await on("", "--url", url)).toContain("error unauthorised");
    expect(await on("sentinel_0", "--url", url)).toContain("error unauthorised");
    expect(await on(await create("--read-only"), "--url", url)).toContain("error not_allowed");
    expect(await on(await create("--channel", "team"), "--url", url)).toContain(
      "error not_allowed",
    );
    const ofPublic = await create("--channel", "public");
    expect(await on(ofPublic, "--url", url, "--channel", "team")).toMatch(
      /error not_allowed.*up to the channel public/,
    );
    expect(await on(good, "--url", "http://memory.example.com")).toContain("error");
    expect(await on(good, "--channel", "team")).toContain("error bad_argument");
    expect((await sentinel(ann, ["sessions", "status"])).text).toContain(
      "nothing was ever recorded here",
    );
    await on("");
    await sentinel(ann, ["pin", "here", "first"]);
    expect(await on(good, "--url", url)).toContain("no daemon takes over");
    const [, id = ""] = good.split("_");
    await operator.run("token", "revoke", id);
    expect(await operator.run("token", "list")).toMatch(
      new RegExp(`${id}  ${tenant}, ann: own, write, up to private, until \\S+, revoked`),
    );
    const bob = await testRepository();
    await recordOn(bob, url, await tokenOf("bob"));
    await operator.addTenant("other");
    const ofOther = await operator.tokenOf("other", "bob");
    const moved = await sentinel(bob, ["sessions", "on", "--url", url], {
      SENTINEL_TOKEN: ofOther,
    });
    expect(moved.text).toMatch(
      new RegExp(`for ${tenant} as bob, and this token is of bob of other[^]*fix: `),
    );
    // Also when the token that it was recorded with is not valid any more.
    const [, bobs = ""] = (
      await readFile(join(dirname(await manifestOf(bob)), "token"), "utf8")
    ).split("_");
    await operator.run("token", "revoke", bobs);
    const taken = await sentinel(bob, ["sessions", "on", "--url", url], {
      SENTINEL_TOKEN: ofOther,
    });
    expect(taken.text).toContain(`for ${tenant} as bob, and this token is of bob of other`);
    const again = await tokenOf("bob");
    await recordOn(bob, url, again);
    // The token that is kept goes to nobody else.
    const heard: unknown[] = [];
    const other = createServer(({ headers }, response) => {
      heard.push(headers);
      response.writeHead(401).end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await sentinel(bob, ["sessions", "on", "--url", elsewhere])).text).toMatch(
      /error unauthorised: There is no token for this daemon/,
    );
    expect(heard).toEqual([]);
    await chmod(join(dirname(await manifestOf(bob)), "token"), 0o644);
    expect((await sentinel(bob, ["pin", "x"])).text).toContain("error not_private");
  });
});

const LESSON = log({
  topic: "refunds",
  missing_context: "why refunds round twice",
  lesson: "Read the ledger of refunds",
});

async function serverOf(project: Project): Promise<Server> {
  const server = await startServer(project.server("claude-code"));
  onTestFinished(() => server.end());
  return server;
}

it("an agent finds over its own server what a teammate's agent recorded, beside the rules, lessons and views of its own clone", async () => {
  const { operator, tokenOf } = await team();
  const { url, child, exited } = await operator.serve();
  const [ann, bob] = await Promise.all([
    testRepository(),
    testRepository({
      ".context/views/rules.project.md": "Refunds are never paid on Fridays.\n",
      ".context/views/identity.md": "A shop for books.\n",
      ".context/memory_log.jsonl": toFile([LESSON]),
    }),
  ]);
  await recordOn(ann, url, await tokenOf("ann"), "--channel", "team");
  await recordOn(bob, url, await tokenOf("bob"), "--channel", "team");
  const his = new Session({ cwd: bob.folder, at: Date.now() - 600_000 });
  await keepTranscript(
    bob,
    his.asks("Where does the ledger of refunds lie?").says("In the cellar."),
  );
  await captureAll(bob);
  const [hers, other] = await Promise.all([serverOf(ann), serverOf(bob)]);

  const idIn = (answer: string) => /evt_\w{26}/.exec(answer)?.[0] ?? expect.fail(answer);
  const said = await hers.ask("record_event", {
    kind: "message",
    content: { text: "The refunds round to kroner." },
  });
  const decision = "Refunds round once, in the ledger";
  const decided = await hers.ask("record_event", {
    kind: "decision",
    content: { decision },
    refs: [idIn(said)],
  });
  await hers.ask("record_event", {
    kind: "message",
    content: { text: "Refunds bore me." },
    channel: "private",
  });

  const bundle = await other.ask("build_acb", {
    query: "why do refunds round twice in the ledger",
  });
  expect(bundle).toMatch(/agent of ann, .*: The refunds round to kroner\./);
  expect(bundle).toMatch(/decided by ann .*: Refunds round once, in the ledger/);
  expect(bundle).toContain("In the cellar.");
  for (const text of [
    "Refunds are never paid on Fridays.",
    "A shop for books.",
    "Read the ledger of refunds",
  ]) {
    expect(bundle).toContain(text);
  }
  expect(bundle).not.toMatch(/bore me|doesn't have it/);
  const found = await other.ask("query_decisions", { query: "where do refunds round" });
  expect(found).toContain(`evt_${idIn(decided).slice(-8)}`);
  expect(found).toMatch(/by ann, .*Refunds round once/);
  expect(await other.ask("get_artifact", { ref: idIn(said) })).toContain(
    "The refunds round to kroner.",
  );
  expect((await hers.ask("query_decisions", {})).includes("by ann"), "to ann it is her own").toBe(
    false,
  );

  // While the daemon is away the clone's own answers go on, and what is about the session log says why it does not.
  child.kill("SIGTERM");
  await exited;
  expect(await other.call("search_memory", { query: "refunds" })).toMatchObject({ isError: false });
  expect(await other.call("query_decisions", {})).toMatchObject({ code: "daemon_unreachable" });
});

const RULES = {
  "AGENTS.md": "# Rules\n\n- Never run `npm publish`: the release machine does it\n",
};

async function offered(machine: Project): Promise<string[]> {
  await sentinel(machine, ["import", "--from", "rules"]);
  const { text } = await sentinel(machine, ["review", "--json"]);
  return JSON.parse(text.slice(Math.max(0, text.indexOf("[")))).map(({ id }: { id: string }) => id);
}

it("a candidate that was refused on one machine is offered on no other of the same person", async () => {
  const { one: url, tokenOf } = await team();
  const [desk, laptop, other] = await Promise.all([
    testRepository(RULES),
    testRepository(RULES),
    testRepository(RULES),
  ]);
  for (const [machine, person] of [
    [desk, "ann"],
    [laptop, "ann"],
    [other, "bob"],
  ] as const) {
    await recordOn(machine, url, await tokenOf(person));
  }

  const [id = ""] = await offered(desk);
  expect(await offered(laptop)).toEqual([id]);
  expect((await sentinel(desk, ["review", "--never", id])).text).toContain("Never offered again");
  expect(await offered(desk)).toEqual([]);
  expect(await offered(laptop)).toEqual([]);
  expect(await offered(other)).toEqual([id]);
  // The daemon got an id, and no word of what was refused; no session came of it.
  expect(logs.flat().join("\n")).not.toContain("npm publish");
  expect((await sentinel(laptop, ["sessions", "list", "--json"])).text).toContain("[]");
});
