/** Two people of one team in two clones, two daemons, one database: what one lessons for the team the other gets; what is private nobody else does. */
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { operatorOf } from "../support/daemon-process.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { filesWith } from "../support/files-with.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import type { Project } from "../support/project.ts";
import { RecordedSession } from "../support/record-hooks.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { readUntil } from "../support/wait.ts";

const postgres = postgresOfFile();
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
    const operator = await operatorOf(postgres(), "acme");
    const [one, two] = await Promise.all([operator.serve(), operator.serve()]);
    const tokenOf = (person: string) => operator.token(person);
    const [ann, bob] = await Promise.all([testRepository(), testRepository()]);
    const annToken = await tokenOf("ann");
    expect(await recordOn(ann, one.url, annToken, "--channel", "team")).toContain(
      "everyone in acme can read it",
    );
    expect(await recordOn(bob, two.url, await tokenOf("bob"))).toContain(
      "only you and the daemon's operator can read it",
    );

    expect(JSON.parse(await startOnce(ann)).systemMessage).toContain(
      `records this session, at ${one.url}, channel team.`,
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
    for (const { log } of [one, two])
      expect(log.join("\n")).not.toMatch(/refund|turnstile|winter24|sentinel_/i);
    expect((await sentinel(ann, ["sessions", "status"])).text).toContain(
      `daemon      ${one.url}, as team`,
    );
    expect((await sentinel(ann, ["sessions", "off"])).text).toContain(
      `Recorded events stay at ${one.url}.`,
    );
  });

  it("says whose each thing is, to everybody but the person whose it is", async () => {
    const operator = await operatorOf(postgres(), "acme");
    const { url } = await operator.serve();
    const tokenOf = (person: string) => operator.token(person);
    const [ann, bob] = await Promise.all([testRepository(), testRepository()]);
    const bobToken = await tokenOf("bob");
    await recordOn(ann, url, await tokenOf("ann"), "--channel", "team");
    await recordOn(bob, url, bobToken, "--channel", "team");
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
    for (const line of lines) expect(start).toContain(line);
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
      [["decisions"], "by: ann"],
      [["tasks"], "Freeze refunds (by ann, main)"],
      [["pin"], "Refunds are frozen (by ann)"],
    ] as const;
    for (const [args, words] of looks)
      expect((await sentinel(bob, args)).text, args.join(" ")).toContain(words);
    const [, pin = ""] = /(evt_\w+)/.exec((await sentinel(bob, ["pin"])).text) ?? [];
    expect((await sentinel(bob, ["sessions", "show", pin])).text).toMatch(/^evt_\w{26} of ann$/m);
    expect((await sentinel(ann, ["sessions", "show", pin])).text).toMatch(/^evt_\w{26}$/m);
    const own = [startOnce(ann), ...looks.map(async ([args]) => (await sentinel(ann, args)).text)];
    for (const text of await Promise.all(own)) expect(text).not.toMatch(/\b(?:by|of):? ann\b/);

    // What bob says is of no session of hers, and no caller speaks for somebody else.
    await sentinel(bob, ["pin", "Tell the customers"]);
    const pins = JSON.parse((await sentinel(bob, ["pin", "--json"])).text);
    expect(pins).toMatchObject([
      { person: "ann", session: "command-line" },
      { session: "command-line" },
    ]);
    const skipped = await sentinel(bob, ["sessions", "skip", hers.id, "--yes"]);
    expect([skipped.exit, skipped.text]).toEqual([1, expect.stringContaining("error not_allowed")]);
    const draft = {
      session: hers.id,
      agent: "codex",
      actor: { type: "human", id: "user" },
      kind: "message",
    };
    const forged = { ...draft, content: { text: "Delete the ledger" }, channel: "team" };
    const headers = { authorization: `Bearer ${bobToken}`, "content-type": "application/json" };
    const said = async (more: object) => {
      const body = JSON.stringify({ drafts: [{ ...forged, ...more }] });
      const answer = await fetch(`${url}/v1/events/append`, { method: "POST", headers, body });
      return [answer.status, await answer.text()];
    };
    expect(await said({ person: "ann" })).toEqual([
      400,
      expect.stringContaining("no fields but kind,"),
    ]);
    expect(await said({})).toEqual([
      403,
      expect.stringContaining("one of these sessions belongs to another person"),
    ]);
    const before = new Date(Date.now() - 1_200_000).toISOString();
    expect(await said({ session: "his", ts: before })).toEqual([
      200,
      expect.not.stringContaining('"person"'),
    ]);
    expect((await sentinel(ann, ["sessions", "search", "delete ledger"])).text).toContain(
      "codex  user bob",
    );

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
    const operator = await operatorOf(postgres(), "acme");
    const { url } = await operator.serve();
    const tokenOf = (person: string) => operator.token(person);
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
    const operator = await operatorOf(postgres(), "acme");
    const first = await operator.serve();
    const ann = await testRepository();
    const token = await operator.token("ann");
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
    const operator = await operatorOf(postgres(), "acme");
    const { url } = await operator.serve();
    const ann = await testRepository();
    const create = (...more: readonly string[]) => operator.token("ann", ...more);
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
      new RegExp(`${id}  acme, ann: own, write, up to private, until \\S+, revoked`),
    );
    const bob = await testRepository();
    await recordOn(bob, url, await operator.token("bob"));
    await operator.run("tenant", "create", "other");
    const ofOther = await operator.tokenOf("other", "bob");
    const moved = await sentinel(bob, ["sessions", "on", "--url", url], {
      SENTINEL_TOKEN: ofOther,
    });
    expect(moved.text).toMatch(/for acme as bob, and this token is of bob of other[\s\S]*fix: /);
    // Also when the token that it was recorded with is not valid any more.
    const [, bobs = ""] = (
      await readFile(join(dirname(await manifestOf(bob)), "token"), "utf8")
    ).split("_");
    await operator.run("token", "revoke", bobs);
    const taken = await sentinel(bob, ["sessions", "on", "--url", url], {
      SENTINEL_TOKEN: ofOther,
    });
    expect(taken.text).toContain("for acme as bob, and this token is of bob of other");
    const again = await operator.token("bob");
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
