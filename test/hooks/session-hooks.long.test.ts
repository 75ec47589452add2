/** The hooks that sessions on writes, as Claude Code runs them: payloads in, and what is in the session log afterwards. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { cp, mkdir, rename, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { BUNDLE, environment, stopped } from "../faults/support/server.ts";
import { testRepository } from "../support/in-test.ts";
import { BIN, Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { eventsOnce, RecordedSession, runHooks } from "../support/session-hooks.ts";
import { until } from "../support/wait.ts";

/** How long a capture keeps others from the session log at most, as long as it runs. */
const TURN_MS = 1_000;

const texts = (events: readonly Event[]) =>
  events.map(({ content }) => JSON.stringify(content)).join("\n");
const holding = (words: string) => (events: readonly Event[]) => texts(events).includes(words);

async function recordedProject(): Promise<Project> {
  const shop = await testRepository();
  await shop.run("sessions", "on");
  return shop;
}

describe("a session with the hooks of sessions on", () => {
  it("is in the session log turn by turn, each line once, without anybody calling anything", async () => {
    const shop = await recordedProject();
    const agent = new RecordedSession(shop);
    await agent.turn((session) =>
      session
        .asks("Fix the VAT of Norway")
        .uses("Bash", { command: "npm test" }, "Exit code 1\nVAT is 24", { error: true }),
    );
    await agent.turn((session) => session.says("The rate was wrong."));
    expect(await agent.hook("Stop", { stop_hook_active: false })).toMatchObject([
      { exit: 0, stdout: "", stderr: "" },
    ]);
    const first = await eventsOnce(shop, holding("The rate was wrong."));
    expect(texts(first)).toMatch(/Fix the VAT of Norway[\s\S]*npm test[\s\S]*VAT is 24/);

    await agent.turn((session) =>
      session.asks(`Use ${SECRET_TOKEN} and commit`).says("Committed as abc1234."),
    );
    await Promise.all(["Stop", "SubagentStop", "SessionEnd"].map((event) => agent.hook(event)));
    const all = await eventsOnce(shop, holding("Committed as abc1234."));
    expect(texts(all)).not.toContain(SECRET_TOKEN);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ kind }) => kind === "message")).toHaveLength(4);
    expect(new Set(all.map(({ session }) => session)).size).toBe(1);
    expect(await shop.changes()).toBe("");

    const { stdout } = await shop.run("sessions", "list");
    expect(stdout).toContain("Fix the VAT of Norway");
    expect(stdout).not.toContain(SECRET_TOKEN);
    expect(await shop.json("sessions", "list")).toMatchObject([
      {
        session: agent.session.id,
        branches: ["main"],
        request: "Fix the VAT of Norway",
        failed: 1,
        settled: 0,
      },
    ]);
  });
});

it("in a project that was moved, says once that recording is off, with the command that continues it", async () => {
  const shop = await recordedProject();
  const moved = new Project(shop.home, "moved");
  await rename(shop.folder, moved.folder);
  const agent = new RecordedSession(moved);
  const start = () => agent.hook("SessionStart", { source: "startup" });
  const [first] = await start();
  const { systemMessage } = JSON.parse(first?.stdout ?? "");
  const [, command = ""] =
    /^Recording is off: this project moved from (?:.*)\. Run (.*)\.$/.exec(systemMessage) ?? [];
  expect(systemMessage).toContain(` from ${shop.folder}. Run `);
  await agent.turn((session) => session.asks("Said in between").says("Not recorded."));
  await agent.hook("Stop");
  expect(await start()).toMatchObject([{ exit: 0, stdout: "" }]);
  expect(await runProcess("sh", ["-c", command], moved.place())).toMatchObject({ exit: 0 });
  await agent.turn((session) => session.asks("Said later").says("Recorded again."));
  await agent.hook("Stop");
  const events = texts(await eventsOnce(moved, holding("Recorded again.")));
  expect(events).not.toContain("in between");
  const [again] = await start();
  expect(JSON.parse(again?.stdout ?? "").systemMessage).toContain("records this session");
});

describe("a hook of the session log", () => {
  it("tells the person at the start of a session that it is recorded, and not the model", async () => {
    const shop = await recordedProject();
    const [{ stdout = "" } = {}] = await new RecordedSession(shop).hook("SessionStart", {
      source: "startup",
    });
    expect(Object.keys(JSON.parse(stdout))).toEqual(["systemMessage"]);
    expect(JSON.parse(stdout).systemMessage).toContain("sessions skip");
    const again = await new RecordedSession(shop).hook("SessionStart", { source: "compact" });
    expect(again, "the same session goes on").toMatchObject([{ exit: 0, stdout: "" }]);
  });

  it("says why a session is not recorded, and what to do, where it cannot be", async () => {
    const shop = await recordedProject();
    const notice = async () => {
      const [{ stdout = "" } = {}] = await new RecordedSession(shop).hook("SessionStart", {
        source: "startup",
      });
      return JSON.parse(stdout).systemMessage;
    };
    expect(await notice()).toContain("records this session");
    await shop.write(
      ".context/policies/privacy.yaml",
      "version: 1\nnever_store:\n  patterns: ['(']\n",
    );
    const broken = await notice();
    expect(broken).not.toContain("records this session");
    expect(broken).toMatch(/does not record this session.*privacy\.yaml.*Correct/);
    const { stdout } = await shop.run("sessions", "status");
    expect(stdout).toMatch(/^BROKEN .*privacy\.yaml.*\n +fix: /m);
  });

  it("names a command that works in a shell there, however the program was installed", async () => {
    const shop = await testRepository();
    const BUILD = dirname(BIN);
    const told = async (env: Record<string, string> = {}) => {
      const [{ stdout = "" } = {}] = await new RecordedSession(shop).hook(
        "SessionStart",
        { source: "startup" },
        env,
      );
      const [, command] =
        /only\. (.*) sessions skip leaves it out, \1 sessions off ends/.exec(
          JSON.parse(stdout).systemMessage,
        ) ?? [];
      return command ?? stdout;
    };
    const works = (command: string, env = shop.env) =>
      runProcess("sh", ["-c", `${command} sessions status`], { cwd: shop.folder, env });
    await shop.run("sessions", "on");
    const fromBuild = await told();
    expect(fromBuild).toMatch(/^node .*cli\.mjs$/);
    expect((await works(fromBuild)).stdout).toContain("Recording is on");

    const PATH = `${shop.path("~/bin")}${delimiter}${shop.env.PATH}`;
    await mkdir(shop.path("~/bin"));
    await symlink(BIN, shop.path("~/bin/sentinel-memory"));
    expect(await told({ PATH })).toBe("sentinel-memory");
    expect((await works("sentinel-memory", { ...shop.env, PATH })).stdout).toContain(
      "Recording is on",
    );

    const one = shop.path(".context/server/sentinel-memory.cjs");
    await cp(join(BUILD, "server"), dirname(one), { recursive: true });
    await runProcess(process.execPath, [one, "sessions", "on"], shop.place());
    const vendored = await told();
    expect(vendored).toBe(".context/server/sm");
    expect((await works(vendored)).stdout).toContain("Recording is on");
  });

  it("ends well with a payload that it cannot use", async () => {
    const shop = await recordedProject();
    for (const payload of [
      "",
      "{",
      "[]",
      "null",
      '{"hook_event_name":"Stop","cwd":"/gone/away"}',
    ]) {
      for (const ended of await runHooks(shop, "Stop", payload)) {
        expect(ended, payload).toEqual({ exit: 0, stdout: "", stderr: "" });
      }
    }
    for (const ended of await runHooks(shop, "Stop", '{"hook_event_name":"SessionStart"}')) {
      expect(ended).toEqual({ exit: 0, stdout: expect.stringMatching(/./), stderr: "" });
    }
  });

  it("does not wait for the capture, which goes on without it", async () => {
    const shop = await recordedProject();
    const agent = new RecordedSession(shop);
    await agent.turn((session) => session.asks("Wait for nobody").says("Gone on."));
    const { folder } = (await shop.json("sessions", "status")) as { folder: string };
    await withLogLock(folder, async () => {
      // It ends while the capture that it started cannot begin.
      expect(await agent.hook("Stop")).toMatchObject([{ exit: 0 }]);
    });
    expect(texts(await eventsOnce(shop, holding("Gone on.")))).toContain("Wait for nobody");
  });

  it("hands on a payload that is larger than a pipe holds", async () => {
    const shop = await recordedProject();
    const agent = new RecordedSession(shop);
    await agent.turn((session) => session.asks("Compact this").says("Compacted."));
    const compacted = await agent.hook("PostCompact", {
      trigger: "auto",
      compact_summary: "word ".repeat(100_000),
    });
    expect(compacted).toMatchObject([{ exit: 0, stdout: "" }]);
    expect(texts(await eventsOnce(shop, holding("Compacted.")))).toContain("Compact this");
  });
});

/** A capture that has stopped itself after its first batch; it goes on, and says something, when it is told to. */
async function captureStopped(shop: Project, turns: number) {
  const agent = new RecordedSession(shop);
  await agent.turn((session) => {
    for (let turn = 0; turn < turns; turn++) {
      session.asks(`Question ${turn}`).says(`Answer ${turn}`);
    }
  });
  const env = { ...shop.env, ...environment({ fault: "stop appended" }) };
  const child = spawn(process.execPath, [join(BUNDLE, "cli.mjs"), "sessions", "capture"], {
    cwd: shop.folder,
    env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = text(child.stdout);
  await stopped({ pid: child.pid ?? 0 });
  return async () => {
    child.kill("SIGCONT");
    return said;
  };
}

describe("sessions off", () => {
  it("ends a capture that is running with its next batch", async () => {
    const shop = await recordedProject();
    const goOn = await captureStopped(shop, 2_000);
    await shop.run("sessions", "off");
    const atOff = (await eventsOnce(shop, () => true)).length;
    expect(atOff).toBeGreaterThan(0);
    expect(await goOn()).toContain("Recording was turned off meanwhile");
    const left = (await eventsOnce(shop, () => true)).length;
    // The batch that had been asked for before may still have come.
    expect(left - atOff).toBeLessThanOrEqual(200);
    expect(left).toBeLessThan(4_000);
  });
});

describe("sessions delete", () => {
  it("ends a capture that is running, and nothing comes back", async () => {
    const shop = await recordedProject();
    const { folder } = (await shop.json("sessions", "status")) as { folder: string };
    const goOn = await captureStopped(shop, 2_000);
    const atOnce = withLogLock(folder, async () => undefined, TURN_MS);
    await expect(atOnce, "until its turn is over").rejects.toMatchObject({ code: "lock_timeout" });
    const deleted = shop.run("sessions", "delete", "--name", "app");
    await until(() =>
      readdirSync(join(folder, "state")).some((name) => name.startsWith("record.lock.")),
    );
    expect(await goOn()).toContain("Recording was turned off meanwhile");
    expect(await deleted).toMatchObject({ exit: 0 });
    const data = shop.path("~/.local/share/sentinel-memory/records");
    const left = await runProcess("find", [data, "-type", "f", "-path", "*/0*"], shop.place());
    expect(left.stdout).toBe("");
    expect(await shop.json("sessions", "list", "--projects")).toEqual([]);
  });
});
