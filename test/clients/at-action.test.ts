/** Lessons at the action, in the real agents: a model that says what a story wrote down, and what the next request then holds. */
import { existsSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { addPlugin, approveServer, installAgents, trustProject } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { claudeTurn, codexTurn, geminiTurn, opencodeTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

let shop: Project;
beforeEach(async () => {
  shop = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
  await shop.install();
  await shop.sentinel(["init", "--agents", "claude,codex,gemini,opencode"]);
  await approveServer(shop);
  await trustProject(shop);
  await shop.commit("init");
});

const TAG = "Publish prereleases with --tag next";

/** A memory of this one lesson. */
const remember = (when: object) =>
  shop.write(
    ".context/memory_log.jsonl",
    toFile([logLine("release", "Prereleases need a tag", 9, { lesson: TAG, when })]),
  );

/** How often each request holds the lesson. */
const timesIn = (asked: readonly string[]) => asked.map((request) => request.split(TAG).length - 1);

/** Codex runs hooks that its user trusts; this stands for that. */
const TRUSTED = { args: ["--dangerously-bypass-hook-trust"], prompt: "Go" };
const HOLD = { SENTINEL_HOLD: "on" };
const FAILS = "echo E403 forbidden >&2; exit 3";
/** A pipe hides that it fails. */
const HIDDEN = "sh -c 'echo E403 forbidden >&2; exit 3' 2>&1 | tail";

describe("in Claude Code", () => {
  const bash = (command: string): Say => ({ tool: "Bash", input: { command, description: "x" } });
  const turn = (script: readonly Say[], more: object = {}) =>
    claudeTurn(shop, script, ".", { args: ["Bash"], prompt: "Go", ...more });

  it("a lesson stands in the request after the first call that it names, once in a session", async () => {
    await remember({ commands: ["npm publish"] });
    const asked = await turn([
      bash("cd src && npm publish --dry-run"),
      bash("npm publish --dry-run"),
      "Done.",
    ]);
    expect(timesIn(asked)).toEqual([1, 2, 2]);
    expect(asked[1]).toContain("A lesson of this project for this command.");
  });

  it("stands there after a call that fails as it says, after an edit and after a read", async () => {
    await remember({ errors: ["/e403 forb[a-z]+/"] });
    for (const command of [FAILS, HIDDEN]) {
      expect(timesIn(await turn([bash("true"), bash(command), "Done."])), command).toEqual([
        1, 1, 2,
      ]);
    }
    await remember({ paths: ["src/**"] });
    const path = shop.path("src/vat.ts");
    const read: Say = { tool: "Read", input: { file_path: path } };
    const edit: Say = {
      tool: "Edit",
      input: { file_path: path, old_string: "24", new_string: "25" },
    };
    expect(timesIn(await turn([read, edit, "Done.", "Nothing."])).slice(0, 3)).toEqual([1, 2, 2]);
  });

  it("a call that a lesson holds does not run, and runs when it is made again", async () => {
    await remember({ commands: ["touch"], hold: true });
    const asked = await turn([bash("touch once"), "Done."], { env: HOLD });
    expect(timesIn(asked)).toEqual([1, 2]);
    expect(existsSync(shop.path("once"))).toBe(false);
    await turn([bash("touch twice"), bash("touch twice"), "Done."], { env: HOLD });
    expect(existsSync(shop.path("twice"))).toBe(true);
  });

  it("a command that failed and then worked is what the end of the turn asks about", async () => {
    await remember({ words: ["nothing"] });
    const [fails, works] = ["./ship.sh", "touch ok && ./ship.sh"];
    await shop.write(
      "ship.sh",
      "#!/bin/sh\ntest -e ok || { echo 'fatal: no ok file' >&2; exit 3; }\n",
    );
    const asked = await turn([
      bash("chmod +x ship.sh"),
      bash(fails),
      bash(works),
      "Done.",
      "Nothing.",
    ]);
    expect(asked.at(-1)).toContain(
      '\\"./ship.sh\\" failed with \\"fatal: no ok file\\" and later worked',
    );
  });

  it("what failed in two sessions is offered, and one yes brings it before the next such call", async () => {
    await shop.write("ship", "echo \"error: unrecognized subcommand '$1'\" >&2; exit 2\n");
    await shop.run("sessions", "on");
    for (const place of ["eu", "us"]) {
      await turn([bash(`sh ship deploy --to ${place}`), "Done."]);
    }
    await shop.run("sessions", "capture");
    const offered = (await shop.json("review")) as { id: string; sessions: number; when: string }[];
    expect(offered).toMatchObject([
      { sessions: 2, when: expect.stringContaining("command: sh ship deploy") },
    ]);
    await shop.run("review", "--keep", offered[0]?.id ?? "", "--lesson", TAG);
    const asked = await turn([bash("cd . && sh ship deploy --to asia"), "Done."]);
    expect(asked[1]).toContain("A lesson of this project for this command.");
    // At the start, before the call, and in short with its failure.
    expect(timesIn(asked.slice(0, 2))).toEqual([1, 3]);
  });

  it("with the plugin beside the project's own entries, it comes once", async () => {
    await addPlugin(shop);
    await remember({ commands: ["npm publish"] });
    expect(timesIn(await turn([bash("npm publish --dry-run"), "Done."]))).toEqual([1, 2]);
  });
});

describe("in Codex", () => {
  const shell = (cmd: string): Say => ({ tool: "exec_command", input: { cmd } });
  const turn = (script: readonly Say[], more: object = {}) =>
    codexTurn(shop, script, ".", { ...TRUSTED, ...more });

  it("a lesson stands in the request after the call that it names, or that fails as it says", async () => {
    await remember({ commands: ["npm publish"], errors: ["E403 forbidden"] });
    const opening = timesIn(await turn(["Done."]))[0] ?? 0;
    expect(timesIn(await turn([shell("true"), shell("npm publish --dry-run"), "Done."]))).toEqual(
      [0, 0, 1].map((more) => more + opening),
    );
    expect(timesIn(await turn([shell("true"), shell(FAILS), "Done."]))).toEqual(
      [0, 0, 1].map((more) => more + opening),
    );
  });

  it("a call that a lesson holds does not run, and runs when it is made again", async () => {
    await remember({ commands: ["touch"], hold: true });
    await shop.write(".context/policies/memory.yaml", "version: 1\nhold: true\n");
    await turn([shell("touch once"), "Done."]);
    expect(existsSync(shop.path("once"))).toBe(false);
    await turn([shell("touch twice"), shell("touch twice"), "Done."]);
    expect(existsSync(shop.path("twice"))).toBe(true);
  });

  it("stands there after a patch of a file that it names, and the session is recorded through the team's hooks", async () => {
    await remember({ paths: ["src/**"] });
    await shop.run("sessions", "on");
    expect(await shop.read(".codex/hooks.json"), "no line of one person").not.toContain(
      "session-hook",
    );
    const patch =
      "*** Begin Patch\n*** Update File: src/vat.ts\n@@\n-export const vat = 24;\n+export const vat = 25;\n*** End Patch";
    const asked = await turn([{ tool: "apply_patch", input: patch }, "Norway has a file."]);
    expect((timesIn(asked)[1] ?? 0) - (timesIn(asked)[0] ?? 0)).toBe(1);
    const events = await eventsOnce(shop, (found) =>
      JSON.stringify(found).includes("Norway has a file."),
    );
    expect(JSON.stringify(events)).toContain("Norway has a file.");
  });
});

describe("in Gemini CLI", () => {
  it("a lesson stands with the result of the call that it names, or that fails as it says", async () => {
    await remember({ commands: ["npm publish"], errors: ["E403 forbidden"] });
    for (const command of ["npm publish --dry-run", FAILS, HIDDEN]) {
      const asked = await geminiTurn(
        shop,
        [{ tool: "run_shell_command", input: { command } }, "Done."],
        ".",
        {
          prompt: "Go",
        },
      );
      expect((timesIn(asked)[1] ?? 0) - (timesIn(asked)[0] ?? 0), command).toBe(1);
    }
  });
});

describe("in opencode", () => {
  it("a lesson stands with the result of the call that it names, or that fails as it says", async () => {
    await remember({ commands: ["npm publish"], errors: ["E403 forbidden"] });
    for (const command of ["npm publish --dry-run", FAILS, HIDDEN]) {
      const asked = await opencodeTurn(
        shop,
        [{ tool: "bash", input: { command, description: "x" } }, "Done."],
        ".",
        {
          prompt: "Go",
        },
      );
      expect(asked[0], "the rules").toContain("First call `search_memory` with the task");
      expect((timesIn(asked)[1] ?? 0) - (timesIn(asked)[0] ?? 0), command).toBe(1);
    }
  });
});
