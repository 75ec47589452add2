import { existsSync, lstatSync, readdirSync } from "node:fs";
import { chmod, readlink, rm, symlink } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { BY_HAND } from "../support/files-by-hand.ts";
import { testProject, testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { UNHURRIED } from "../support/unhurried.ts";
import { askServer, TOOLS } from "./ask-server.ts";
import { ClaudeAgent } from "./configured-agent.ts";

const EVERY_AGENT = ["--agents", "cursor,claude,codex,vscode,gemini,opencode"];

let repository: Project;
async function repositoryWith(files: Record<string, string> = {}): Promise<Project> {
  repository = await testRepository(files);
  return repository;
}

describe("init in an empty repository", () => {
  it("sets up Claude Code, with a copy of the server", async () => {
    await repositoryWith();
    const { exit, stdout } = await repository.sentinel(["init"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("Claude Code: start claude in the project and approve the server");
    expect(stdout).toContain(
      "No files of an agent here: this sets up Claude Code; --agents chooses others.",
    );
    expect(stdout.match(/.*\.context\/server\/ .*(?:created|server copy).*/g)).toEqual([
      expect.stringMatching(/created +server copy$/),
    ]);
    const written = (await repository.changes()).split("\n").map((line) => line.slice(3));
    expect(written).toContain(".context/server/sm");
    expect(written.filter((path) => !path.startsWith(".context/server/"))).toEqual([
      ".claude/settings.json",
      ".context/.gitattributes",
      ".context/.gitignore",
      ".context/memory_log.jsonl",
      ".mcp.json",
      "CLAUDE.md",
      "",
    ]);
  });

  it("prints a line that commits exactly its files, pasted in a folder below, and a check; the server of a clone starts", async () => {
    const project = "packages/my api";
    const place = `${project}/src`;
    await repositoryWith({ "packages/my api/src/a.py": "", "notes.txt": "" });
    await repository.write("notes.txt", "not for a commit yet\n");
    await repository.write(".gitignore", "node_modules/\n.claude/\n");
    await repository.commit("ignore");
    await repository.write("notes.txt", "not for a commit yet, either\n");
    const init = ["--project", repository.path(project), "init", "--agents", "claude,opencode"];
    const { stdout } = await repository.sentinel(init, place);
    const [, todo = ""] = stdout.split("\nStill to do:\n");
    const [commit, check] = todo.split("\n").filter((line) => line.startsWith("    "));
    const who = ["NAME", "EMAIL"].flatMap((what) =>
      ["AUTHOR", "COMMITTER"].map((role) => [`GIT_${role}_${what}`, "dev@example.com"]),
    );
    const { cwd, env } = repository.place(place);
    const pasted = { cwd, env: { ...env, ...UNHURRIED, ...Object.fromEntries(who) } };
    expect(await runProcess("sh", ["-c", commit ?? ""], pasted)).toMatchObject({ exit: 0 });
    expect(await repository.changes()).toBe(" M notes.txt\n");
    expect((await runProcess("sh", ["-c", check ?? ""], pasted)).stdout).toContain("lists");

    const clone = await repository.clone();
    const { mcpServers } = JSON.parse(await clone.read(`${project}/.mcp.json`));
    const started = await askServer(mcpServers["sentinel-memory"], clone.place(place));
    expect([started.tools, started.memory]).toEqual([
      TOOLS,
      clone.path(`${project}/.context/memory_log.jsonl`),
    ]);
    expect((await repository.sentinel(init, place)).stdout).not.toContain("git add");
  });

  it("writes no path of this machine, and no command that a registry could answer; changes nothing later, and names its files until they are committed", async () => {
    await repositoryWith();
    const again = async () => {
      const { exit, stdout } = await repository.sentinel(["init", ...EVERY_AGENT]);
      const [, files] = / git add (.*) &&/.exec(stdout) ?? [];
      return { exit, stdout, files: files?.split(" ").sort() };
    };
    const first = await again();
    expect(first.files).toContain(".mcp.json");
    expect((await again()).files).toEqual(first.files);
    await repository.commit("init");
    const written = await repository.git("grep", "-h", "");
    expect(written).not.toContain(repository.folder);
    expect(written).not.toMatch(/\bnpx\b|dist\/|\/home\/|\/Users\/|\/tmp\//);
    await repository.append(".context/memory_log.jsonl", "\n");
    const { exit, stdout, files } = await again();
    expect({ exit, files, changes: await repository.changes() }).toEqual({
      exit: 0,
      files: undefined,
      changes: " M .context/memory_log.jsonl\n",
    });
    expect(stdout).toContain("Nothing to change.");
    expect(stdout).not.toContain("Commit these files");
  });

  it("detects the agents by their files, and says which it found and which it left out", async () => {
    await repositoryWith({ "GEMINI.md": "# Ours\n", ".codex/config.toml": "" });
    expect(
      (await repository.sentinel(["init", "--agents", "opencode", "--dry-run"])).stdout,
    ).toContain(
      "Agents: opencode.\nLeft out: Cursor, Claude Code, Codex (found .codex), VS Code, Gemini CLI (found GEMINI.md); --agents chooses.",
    );
    const { stdout } = await repository.sentinel(["init"]);
    expect(stdout).toMatch(/Gemini CLI: /);
    expect(stdout).toContain(
      "Agents: Codex (found .codex), Gemini CLI (found GEMINI.md).\nLeft out: Cursor, Claude Code, VS Code, opencode; --agents chooses.",
    );
    expect(stdout).not.toMatch(/No files of an agent|Cursor: /);
  });

  it.each([
    [[], "server/\n"],
    [["--private"], ""],
  ])(
    "advises against a commit whose entries need a copy that git ignores: %j %j",
    async (more, ignored) => {
      await repositoryWith({ ".gitignore": ignored });
      const { exit, stdout } = await repository.sentinel(["init", "--agents", "claude", ...more]);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/Don't commit .*\.mcp\.json/);
      expect(stdout).not.toContain("git add");
      expect(
        await new ClaudeAgent(repository, ".").call("search_memory", { query: "tax" }),
      ).toContain("memory");
    },
  );

  it("asks for a repository where there is none, and starts the copy there; names for review what it shares", async () => {
    const project = await testProject();
    const { stdout } = await project.run("init");
    expect(stdout).toContain("  Put these files into a git repository and commit them.");
    expect(stdout).toContain(
      "Review changes of the server's copy as code. A line for CODEOWNERS: .context/server/ @your-team",
    );
    const { mcpServers } = JSON.parse(await project.read(".mcp.json"));
    expect((await askServer(mcpServers["sentinel-memory"], project.place())).tools).toEqual(TOOLS);
    const own = await project.run("init", "--agents", "claude", "--command", "memory");
    expect(own.stdout).not.toContain("CODEOWNERS");
  });

  it("stays with a dependency that the project has, and warns while it is not installed; its hooks are silent then; Cursor's server starts where a host leaves the workspace as it is", async () => {
    await repositoryWith({
      "package.json": JSON.stringify({ devDependencies: { "sentinel-memory": "0.1.0" } }),
    });
    const without = await repository.sentinel(["init", "--agents", "claude"]);
    expect(without.stderr).toMatch(
      /^\nwarning: .* cannot start the server yet: .*\nfix: npm install; or .* init --vendor /,
    );
    await repository.install();
    const able = await repository.sentinel(["init", "--agents", "claude,gemini,cursor"]);
    expect(able.stderr).toBe("");
    expect(able.stdout).toContain("A teammate then needs only git pull and npm install:");
    expect(existsSync(repository.path(".context/server"))).toBe(false);
    const { command, args, cwd } = JSON.parse(await repository.read(".cursor/mcp.json")).mcpServers[
      "sentinel-memory"
    ];
    const hosted = { cwd: resolve(repository.folder, cwd), env: repository.env };
    const { memory } = await askServer({ command, args }, hosted);
    expect(memory).toBe(repository.path(".context/memory_log.jsonl"));
    await rm(repository.path("node_modules"), { recursive: true });
    for (const [file, event] of [
      [".claude/settings.json", "SessionStart"],
      [".gemini/settings.json", "AfterTool"],
    ] as const) {
      const [entry] = JSON.parse(await repository.read(file)).hooks[event];
      const place = { cwd: repository.folder, env: repository.env, stdin: "{}" };
      const ended = await runProcess("sh", ["-c", entry.hooks[0].command], place);
      expect(ended).toEqual({ exit: 0, stdout: "", stderr: "" });
    }
  });

  it("gives Claude Code and Gemini CLI the rules through AGENTS.md beside Cursor and Codex, which read it", async () => {
    const theirs = { "CLAUDE.md": "Write tests.\n", "GEMINI.md": "# Ours\n" };
    await repositoryWith(theirs);
    await repository.sentinel(["init", "--agents", "cursor"]);
    expect(await repository.read("CLAUDE.md")).toBe(theirs["CLAUDE.md"]);
    const all = ["init", "--agents", "cursor,claude,codex,gemini"];
    expect(await repository.sentinel(all)).toMatchObject({ exit: 0 });
    expect(await repository.read("AGENTS.md")).toContain("search_memory");
    for (const [path, text] of Object.entries(theirs)) {
      expect(await repository.read(path)).toMatch(
        new RegExp(
          `^${text}\n<!-- sentinel-memory:start .*-->\n@AGENTS\\.md\n<!-- sentinel-memory:end -->\n$`,
        ),
      );
    }
    expect((await repository.sentinel(all)).stdout).toContain("Nothing to change.");
    expect((await repository.sentinel(["doctor"])).stdout).not.toMatch(/rules missing/);
    await repository.sentinel(["uninstall"]);
    expect(await repository.changes()).toBe("");
  });

  it("leaves the files of clients alone that include AGENTS.md, also beside Cursor", async () => {
    const including = { "CLAUDE.md": "@AGENTS.md\n", "GEMINI.md": "@AGENTS.md\n" };
    await repositoryWith({ "AGENTS.md": "Write tests.\n", ...including });
    await repository.sentinel(["init", "--agents", "cursor,claude,gemini"]);
    expect(await repository.read("AGENTS.md")).toMatch(
      /^Write tests\.\n\n<!-- sentinel-memory:start[\s\S]*search_memory/,
    );
    for (const [path, text] of Object.entries(including)) {
      expect(await repository.read(path)).toBe(text);
    }
  });
});

describe("init among files kept by hand", () => {
  it("shows what it would change in a dry run; then adds its part and keeps comments, order, indentation and line ends", async () => {
    await repositoryWith(BY_HAND);
    const shown = await repository.sentinel(["init", "--dry-run"]);
    expect(shown.stdout).toContain("--- a/.mcp.json\n+++ b/.mcp.json");
    expect(shown.stdout).toContain('+\t\t"sentinel-memory": {');
    expect(await repository.changes()).toBe("");
    await repository.sentinel(["init"]);
    expect(await repository.git("diff", "--stat", "--", ".gemini", ".codex")).not.toBe("");
    const removed = (await repository.git("diff", "--unified=0", "--no-color"))
      .match(/^-(?!--).*/gm)
      ?.sort();
    expect(removed).toEqual(['-{"theme":"dark"}', '-    "mcpServers": {}'].sort());
    expect(await repository.read("CLAUDE.md")).toContain(BY_HAND["CLAUDE.md"]);
    expect(parse(await repository.read(".codex/config.toml"))).toMatchObject({
      mcp_servers: { docs: { command: "docs" }, "sentinel-memory": { command: "node" } },
    });
    expect(existsSync(repository.path("opencode.json"))).toBe(false);
  });

  it("shows an entry that differs, and replaces it only with --force", async () => {
    const theirs = '{\n  "mcpServers": { "sentinel-memory": { "command": "theirs" } }\n}\n';
    await repositoryWith({ ".mcp.json": theirs });
    const first = await repository.sentinel(["init", "--agents", "claude"]);
    expect(first).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('"command": "theirs"'),
    });
    expect(await repository.read(".mcp.json")).toBe(theirs);
    await repository.sentinel(["init", "--agents", "claude", "--force"]);
    expect(await repository.read(".mcp.json")).toContain(".context/server/sentinel-memory.cjs");
  });

  it("takes an entry for its own that somebody added to, and leaves what was added", async () => {
    await repositoryWith();
    await repository.sentinel(["init", "--agents", "claude,codex"]);
    const json = (await repository.read(".mcp.json")).replace(
      '"command"',
      '"env": { "SENTINEL_OUTPUT_BUDGET": "9000" },\n      "command"',
    );
    await repository.write(".mcp.json", json);
    const toml = `${await repository.read(".codex/config.toml")}startup_timeout_sec = 20\n`;
    await repository.write(".codex/config.toml", toml);
    expect(await repository.sentinel(["init", "--agents", "claude,codex"])).toMatchObject({
      exit: 0,
    });
    expect([
      await repository.read(".mcp.json"),
      await repository.read(".codex/config.toml"),
    ]).toEqual([json, toml]);
  });

  it("leaves a file alone that it cannot read, or whose markers are unclear, and says so", async () => {
    const files = {
      "CLAUDE.md": "<!-- sentinel-memory:end -->\n",
      ".mcp.json": "{ nonsense",
      ".gemini/settings.json": '{"mcpServers": {}, "theme": "深色", "mcpServers": {"검색": {}}}',
      ".codex/config.toml": "a = 1\na = 2\n",
      ".vscode/mcp.json": '["servers"]',
    };
    await repositoryWith(files);
    const agents = ["--agents", "claude,gemini,codex,vscode"];
    const { exit, stdout } = await repository.sentinel(["init", ...agents]);
    expect(exit).toBe(1);
    expect(stdout).toContain("exactly one pair");
    expect(stdout).toContain("cannot be read as JSON");
    expect(stdout).toContain("has the key mcpServers more than once");
    expect(stdout).toContain("cannot be read as TOML");
    expect(stdout).toContain("is not a JSON object");
    for (const [path, text] of Object.entries(files)) {
      expect(await repository.read(path)).toBe(text);
    }
  });

  it("writes through a link inside the repository, and never through one that leads out of it or nowhere; the rest is done", async () => {
    await repositoryWith({ "AGENTS.md": "# All agents\n" });
    await symlink("AGENTS.md", repository.path("CLAUDE.md"));
    await repository.write("../outside.json", "{}\n");
    await symlink("../outside.json", repository.path(".mcp.json"));
    await symlink("nowhere.json", repository.path("opencode.json"));
    await chmod(repository.path("AGENTS.md"), 0o600);
    const { exit, stdout } = await repository.sentinel(["init", "--agents", "claude,opencode"]);
    expect(exit).toBe(1);
    expect(stdout).toContain("link to nowhere");
    expect(existsSync(repository.path(".claude/settings.json"))).toBe(true);
    expect(await readlink(repository.path("CLAUDE.md"))).toBe("AGENTS.md");
    expect(await repository.read("AGENTS.md")).toContain("search_memory");
    expect(lstatSync(repository.path("AGENTS.md")).mode & 0o777).toBe(0o600);
    expect(stdout).toContain("leads out of the repository");
    expect(await repository.read("../outside.json")).toBe("{}\n");
  });

  it("leaves what it cannot write alone, and does the rest", async () => {
    await repositoryWith({ "CLAUDE.md/notes.md": "", ".cursor": "no folder" });
    const { exit, stdout, stderr } = await repository.sentinel([
      "init",
      "--agents",
      "cursor,claude",
    ]);
    expect(exit).toBe(1);
    for (const path of ["CLAUDE.md", ".cursor/mcp.json", ".cursor/hooks.json"]) {
      expect(stdout).toMatch(new RegExp(`^${path} +left alone.*\\n {4}\\S.*\\n {4}fix: `, "m"));
    }
    expect(stdout).toMatch(/^\.mcp\.json +created/m);
    expect(stderr).not.toMatch(/^ +at /m);
    const written = (await repository.changes()).split("\n").map((line) => line.slice(3));
    expect(written.filter((path) => !path.startsWith(".context/server/"))).toEqual([
      ".claude/settings.json",
      ".context/.gitattributes",
      ".context/.gitignore",
      ".context/memory_log.jsonl",
      ".mcp.json",
      "AGENTS.md",
      "",
    ]);
    expect(await repository.sentinel(["uninstall"])).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining("left alone"),
    });
    expect(await repository.changes()).toBe("");
  });

  it("says what it could not write where .context is a file", async () => {
    await repositoryWith({ ".context": "no folder" });
    const { exit, stdout } = await repository.sentinel(["init", "--agents", "claude"]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^\.context\/server\/ +left alone +server copy\n.*\n.*a file in place of a folder/m,
    );
    expect(await repository.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect(await repository.changes()).toBe("");
  });

  it("keeps the trash and the hooks' state from git where the project has an ignore file of its own", async () => {
    await repositoryWith({ ".context/.gitignore": "scratch/\n" });
    await repository.install();
    await repository.sentinel(["init", "--agents", "claude"]);
    const agent = new ClaudeAgent(repository, ".");
    const logged = await agent.call("log_memory", {
      topic: "t",
      missing_context: "m",
      lesson: "l",
    });
    await repository.sentinel(["forget", /[0-9a-f]{6,}/.exec(logged)?.[0] ?? ""]);
    expect(readdirSync(repository.path(".context/.local")).sort()).toEqual([
      ".gitignore",
      "hook-state.json",
      "trash.jsonl",
    ]);
    expect(await repository.changes()).not.toContain(".context/.local");
  });

  it("refuses to work in the home folder, and in .git of a repository", async () => {
    await repositoryWith();
    for (const folder of [repository.path(".."), repository.path(".git")]) {
      const { exit, stderr } = await repository.sentinel(["init", "--project", folder]);
      expect([exit, stderr], folder).toEqual([1, expect.stringContaining("error bad_place")]);
    }
    expect(existsSync(repository.path("../.mcp.json"))).toBe(false);
  });
});

describe("--command", () => {
  it("starts the server and its hook by another line, and keeps to it later, in init and in doctor, until --force", async () => {
    await repositoryWith();
    await repository.install();
    const files = [".mcp.json", ".cursor/mcp.json", ".claude/settings.json", "opencode.json"];
    const written = () => Promise.all(files.map((path) => repository.read(path)));
    const agents = ["--agents", "cursor,claude,opencode"];
    const command = ["--command", "tools/bin/sentinel-memory"];
    const first = await repository.sentinel(["init", ...agents, ...command]);
    expect(first.stdout).toContain(
      "git pull and the program that the entries start, tools/bin/sentinel-memory:",
    );
    expect(first.stdout).not.toContain("npm");
    const chosen = await written();
    expect(JSON.parse(chosen[0] ?? "").mcpServers["sentinel-memory"]).toEqual({
      command: "tools/bin/sentinel-memory",
      args: [],
    });
    expect(chosen[2]).toContain('"tools/bin/sentinel-memory-hook"');
    expect((await repository.sentinel(["init", ...agents])).stdout).toContain("Nothing to change.");
    const { stdout } = await repository.sentinel(["doctor", "--fix"]);
    expect(stdout).not.toMatch(/not the one init writes|not current/);
    expect(await written()).toEqual(chosen);
    await repository.sentinel(["init", ...agents, "--force"]);
    expect((await written()).join()).not.toContain("tools/bin");
  });

  it("is refused where a registry could answer it; the hooks are left out when their line does not follow from it", async () => {
    await repositoryWith();
    const refused = await repository.sentinel(["init", "--command", "npx sentinel-memory"]);
    expect(refused).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("error bad_argument"),
    });
    expect(await repository.changes()).toBe("");
    const command = ["--command", "node tools/cli.mjs"];
    const { stdout } = await repository.sentinel(["init", "--agents", "claude", ...command]);
    expect(stdout).toContain("Hooks were left out");
    expect(existsSync(repository.path(".claude"))).toBe(false);
  });
});
