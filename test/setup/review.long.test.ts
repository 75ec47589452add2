/** From what failed in several sessions to a lesson that comes at the next such call: reviewed by a person, met by the agent. */
import { describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { Session } from "../support/transcript.ts";
import { ClaudeAgent } from "./configured-agent.ts";

const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";
const NO_SCRIPT = 'Exit code 1\nerror: Script not found "deploy:eu"';
const HOUR_MS = 3_600_000;

interface Offered {
  readonly id: string;
  readonly line: string;
  readonly when: string;
  readonly event: string;
}

/** A project in which two failures came back, one of them with a secret in its command. */
async function shopWithFailures(): Promise<Project> {
  const shop = await testRepository({ "a.ts": "" });
  await shop.install();
  await shop.run("init", "--agents", "claude");
  await recordFromTheStart(shop);
  for (const at of [1, 2]) {
    const id = `5e55101${at}-0000-4000-8000-000000000001`;
    const session = new Session({ id, cwd: shop.folder, at: Date.now() - at * HOUR_MS }).asks(
      "Run the tests",
    );
    session.uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true });
    session.uses("Bash", { command: "bun run test" }, "all passed");
    session
      .uses("Bash", { command: `TOKEN=${SECRET_TOKEN} bun run deploy:eu` }, NO_SCRIPT, {
        error: true,
      })
      .says("Done.");
    await keepTranscript(shop, session);
  }
  await shop.run("sessions", "capture");
  return shop;
}

const offered = async (shop: Project) => (await shop.json("review", "--json")) as Offered[];

describe("review", () => {
  it("leads from two failures to a lesson that comes before the next such call", async () => {
    const shop = await shopWithFailures();
    const before = await shop.changes();
    const { stdout } = await shop.run("review");
    expect(stdout).toContain("2 times in 2 sessions");
    expect(stdout).toContain("rtk bun fails here: error: unrecognized subcommand 'bun'");
    expect(stdout).not.toContain(SECRET_TOKEN);
    expect(await shop.changes()).toBe(before);

    const [bun, deploy] = await offered(shop);
    expect(bun?.when).toBe("command: rtk bun; error: error: unrecognized subcommand 'bun'");
    const kept = await shop.run(
      "review",
      "--keep",
      bun?.id ?? "",
      "--lesson",
      "Run bun by itself, never through rtk.",
    );
    const [, reference = ""] = /^Kept: (\w{8})/.exec(kept.stdout) ?? [];
    expect((await offered(shop)).map(({ id }) => id)).toEqual([deploy?.id]);

    const told = await new ClaudeAgent(shop, ".").tells("PreToolUse", {
      session_id: "next",
      tool_name: "Bash",
      tool_input: { command: "cd src && rtk bun run build" },
    });
    expect(told).toContain("Run bun by itself, never through rtk.");
    expect((await shop.run("show", reference)).stdout).toContain(` sessions show ${bun?.event}`);
    expect((await shop.run("sessions", "show", bun?.event ?? "")).stdout).toContain(
      "rtk bun run test",
    );
    expect(await shop.memory()).not.toContain("Done.");
  });

  it("never offers again what a person refused, however often it is captured and reviewed", async () => {
    const shop = await shopWithFailures();
    const [bun, deploy] = await offered(shop);
    await Promise.all([bun, deploy].map((one) => shop.run("review", "--never", one?.id ?? "")));
    expect(await offered(shop)).toEqual([]);
    const again = new Session({
      id: "5e551019-0000-4000-8000-000000000001",
      cwd: shop.folder,
      at: Date.now() - HOUR_MS,
    });
    again.asks("Again").uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true });
    await keepTranscript(shop, again);
    await shop.run("sessions", "capture", "--all", "--yes");
    expect(await offered(shop)).toEqual([]);
    await shop.run("review", "--keep", bun?.id ?? "");
    expect(await shop.memory()).toContain("Do it like this, which worked: bun run test");
  });

  it("shows nothing of a session that was purged, and says what to do for an id that there is not", async () => {
    const shop = await shopWithFailures();
    await shop.run("sessions", "purge", "5e551012-0000-4000-8000-000000000001", "--yes");
    expect(await offered(shop)).toEqual([]);
    expect((await shop.run("review", "--keep", "c_00000000")).stderr).toMatch(
      /^error not_found: .*\nfix: .*--list/,
    );
    expect((await shop.run("review", "--lesson", "x")).stderr).toMatch(
      /^error bad_argument: .*\nfix: .*--keep ID/,
    );
    const both = await shop.run("review", "--keep", "c_00000000", "--never", "c_00000000");
    expect(both.stderr).toMatch(/^error bad_argument: .*cannot be used with/);
  });
});
