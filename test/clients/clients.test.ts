import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { addPlugin, approveServer, installAgents, runAgent, trustProject } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { claudeTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

let repository: Project;
beforeEach(async () => {
  repository = await testRepository({ "src/deep/code.ts": "" });
  await repository.install();
  await repository.sentinel(["init", "--agents", "cursor,claude,codex,vscode,gemini,opencode"]);
  // What each client asks of its user once.
  await approveServer(repository);
  await trustProject(repository);
  await repository.commit("init");
});

const GEMINI = { GEMINI_CLI_TRUST_WORKSPACE: "true" };

describe("the server of what init wrote", () => {
  it.each([
    ["gemini", "."],
    ["opencode", "."],
    ["opencode", "src/deep"],
  ] as const)("is connected in %s, started in %s", async (agent, below) => {
    const { stdout, stderr } = await runAgent(agent, ["mcp", "list"], repository, {
      below,
      env: GEMINI,
    });
    expect(stdout + stderr).toMatch(/sentinel-memory.*connected/i);
  });

  it.each([".", "src/deep"])("is enabled in codex, started in %s", async (below) => {
    const { stdout } = await runAgent("codex", ["mcp", "list"], repository, { below });
    expect(stdout).toMatch(/sentinel-memory +node .* enabled/);
  });
});

const LOG: Say = {
  tool: "mcp__sentinel-memory__log_memory",
  input: {
    topic: "billing",
    missing_context: "VAT differs by country",
    lesson: "Read the rate table first",
  },
};
const SEARCH: Say = { tool: "mcp__sentinel-memory__search_memory", input: { query: "VAT" } };

/** What Claude Code asks its user once per folder: whether CLAUDE.md may include a file outside of that folder, as `@AGENTS.md` is there. */
async function approveImports(project: Project, below: string): Promise<void> {
  const approved = { hasClaudeMdExternalIncludesApproved: true };
  const projects = { [project.folder]: approved, [project.path(below)]: approved };
  await project.write("../.claude.json", JSON.stringify({ projects }));
}

describe("a whole turn of Claude Code", () => {
  it.each([".", "src/deep"])(
    "knows the loop, searches, and logs to the project's memory; started in %s",
    async (below) => {
      if (below !== ".") {
        await approveImports(repository, below);
      }
      const asked = await claudeTurn(repository, [LOG, SEARCH, "Done."], below);
      expect(asked[0]).toContain("mcp__sentinel-memory__search_memory");
      expect(asked[0], "the rules").toContain(
        "First call `search_memory` with the task's key words",
      );
      expect(asked[2]).toContain("Read the rate table first");
      expect(asked[2], "what results carry for programs").not.toContain("sentinel-memory/memory");
      expect(await repository.read(".context/memory_log.jsonl")).toContain('"topic":"billing"');
    },
  );

  it("gets each hook's text", async () => {
    await claudeTurn(repository, [LOG, "Done."]);
    const write: Say = {
      tool: "Write",
      input: { file_path: repository.path("src/vat.ts"), content: "export {};\n" },
    };
    const asked = await claudeTurn(repository, [write, "Done.", "Nothing to log."]);
    expect(asked[0], "session start and prompt").toContain("Read the rate table first");
    expect(asked.at(-1), "stop").toMatch(
      /log_memory[\s\S]*src\/vat\.ts|src\/vat\.ts[\s\S]*log_memory/,
    );
    expect(asked.length, "asked once").toBe(3);
  });
});

describe("the digest", () => {
  it("reaches a Claude Code without server and hooks, and imports no file that a lesson names", async () => {
    const lesson = { lesson: "Read the rate table first, then @notes.md and `@other.md`" };
    await repository.write("notes.md", "Words of another file.\n");
    await repository.write("other.md", "Words of a third file.\n");
    await repository.write(".context/memory_log.jsonl", toFile([log(lesson)]));
    await repository.commit("merged");
    await repository.sentinel(["uninstall"]);
    await repository.write("CLAUDE.md", "# Ours\n");
    await repository.sentinel(["digest", "on"]);
    const [asked = ""] = await claudeTurn(repository, ["Done."]);
    expect(asked).toContain("Read the rate table first, then &#64;notes.md");
    expect(asked).not.toMatch(/Words of (?:another|a third) file/);
  });
});

describe("the plugin", () => {
  beforeEach(async () => {
    for (const what of [[resolve(".")], [resolve("plugin"), "--strict"]]) {
      expect(await runAgent("claude", ["plugin", "validate", ...what], repository)).toMatchObject({
        exit: 0,
      });
    }
    await addPlugin(repository);
  });

  it("is valid, and starts the server of a project without init", async () => {
    await repository.sentinel(["uninstall"]);
    const { stdout } = await runAgent("claude", ["mcp", "list"], repository);
    expect(stdout).toMatch(/plugin:sentinel-memory:sentinel-memory.*Connected/);
  });

  it("brings the hooks to a session started in a subfolder too", async () => {
    await claudeTurn(repository, [LOG, "Done."]);
    const asked = await claudeTurn(repository, ["Done."], "src/deep");
    expect(asked[0]).toContain("Read the rate table first");
  });

  it("leaves the server to a repository that has a copy of it, and no dependency, and its hooks reach it", async () => {
    await repository.sentinel(["init", "--vendor", "--agents", "claude"]);
    await rm(repository.path("node_modules"), { recursive: true });
    await claudeTurn(repository, [LOG, "Done."]);
    expect((await claudeTurn(repository, [SEARCH, "Done."]))[1]).toContain(
      "Read the rate table first",
    );
    const write: Say = {
      tool: "Write",
      input: { file_path: repository.path("src/vat.ts"), content: "export {};\n" },
    };
    expect(
      (await claudeTurn(repository, [write, "Done.", "Nothing to log."])).at(-1),
      "stop",
    ).toMatch(/src\/vat\.ts/);
  });

  it("starts no second server beside the one of init", async () => {
    const { stdout } = await runAgent("claude", ["mcp", "list"], repository);
    expect(stdout.match(/Connected/g)).toHaveLength(1);
  });
});
