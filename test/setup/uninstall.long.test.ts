import { existsSync } from "node:fs";
import { readlink, rm, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";

const EVERY_AGENT = ["--agents", "cursor,claude,codex,vscode,gemini,opencode"];
const RECORD =
  '{"id":"0000000000000000","type":"log","topic":"t","missing_context":"m","lesson":"l","meta":{"created":"2026-01-01T00:00:00.000Z"}}\n';

const ODD = {
  ".mcp.json": '\uFEFF{\r\n "mcpServers" : { "docs": {"command":"docs"} } }',
  ".claude/settings.json":
    '{ "hooks": { "Stop": [ { "hooks": [ {"type":"command","command":"say done"}]}]}}',
  ".cursor/mcp.json": '{ "mcpServers": { "docs": {} } }',
  ".cursor/hooks.json": '{"hooks":{"stop":[{"command":"say done"}]},"version":1}\n\n',
  ".codex/config.toml": "a = 1",
  ".gemini/settings.json": '{\n  // at night\n  "theme": "dark",\n}',
  "AGENTS.md": "no end of line",
  "GEMINI.md": "\n# Ours",
  "CLAUDE.md": "# Ours\r\n\r\n\r\n",
};

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, "");

/** The files that differ from a commit by more than white space. */
async function changesSince(project: Project, commit = "HEAD"): Promise<string[]> {
  await project.git("add", "--all");
  const names = await project.git("diff", "--cached", "--name-only", "--no-renames", commit);
  const changed: string[] = [];
  for (const path of names.split("\n").filter((name) => name !== "")) {
    const { exit, stdout } = await project.tryGit(["show", `${commit}:${path}`]);
    const isThere = exit === 0 && existsSync(project.path(path));
    if (!isThere || withoutSpace(await project.read(path)) !== withoutSpace(stdout)) {
      changed.push(path);
    }
  }
  return changed;
}

let repository: Project;
async function repositoryWith(files: Record<string, string> = {}): Promise<Project> {
  repository = await testRepository(files);
  return repository;
}

describe("uninstall", () => {
  it("leaves the content of every file from before, and no folder, also in a clone and after a second init that changed more", async () => {
    await repositoryWith(ODD);
    const before = (await repository.git("rev-parse", "HEAD^{tree}")).trim();
    await repository.sentinel(["init", "--agents", "claude,cursor", "--no-hooks"]);
    expect(await repository.changes()).not.toMatch(/\.claude\/settings|\.cursor\/hooks/);
    await repository.sentinel(["init", ...EVERY_AGENT]);
    expect(await repository.changes()).not.toBe("");
    await repository.commit("init");
    await repository.write(".context/.local/hooks/session.json", "{}");
    for (const project of [repository, await repository.clone()]) {
      const { exit, stdout } = await project.sentinel(["uninstall"]);
      expect([exit, stdout]).toEqual([0, expect.stringMatching(/^CLAUDE\.md +changed +rules$/m)]);
      expect(await changesSince(project, before)).toEqual([]);
      for (const path of [".context", ".vscode", "opencode.json"]) {
        expect(existsSync(project.path(path))).toBe(false);
      }
    }
  });

  it("removes what two people created who set up different agents, after a merge", async () => {
    await repositoryWith({ "README.md": "" });
    for (const agent of ["claude", "codex", "gemini"]) {
      await repository.git("switch", "--quiet", "--create", agent, "main");
      await repository.sentinel(["init", "--agents", agent]);
      await repository.commit(agent);
    }
    await repository.git("merge", "--quiet", "--no-edit", "claude");
    await repository.git("merge", "--quiet", "--no-edit", "codex");
    const clone = await repository.clone();
    expect(await clone.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect(await changesSince(clone, "origin/main")).toEqual([]);
  });

  it("removes the files of init where the rest of it was deleted by hand", async () => {
    await repositoryWith();
    await repository.sentinel(["init", "--agents", "claude"]);
    await rm(repository.path(".context"), { recursive: true });
    await repository.sentinel(["uninstall"]);
    expect(await repository.changes()).toBe("");
  });

  it("gives back what was there before a teammate's init, though this machine brought that up to date", async () => {
    const before = { "CLAUDE.md": "# Ours\n", ".mcp.json": '{"theirs":1}\n' };
    await repositoryWith(before);
    await repository.install();
    await repository.sentinel(["init", "--agents", "claude"]);
    for (const path of ["CLAUDE.md", ".claude/settings.json"]) {
      await repository.write(
        path,
        (await repository.read(path)).replace(/every task|try\{/, "$& "),
      );
    }
    await repository.commit("init, by another version");
    const clone = await repository.clone();
    await clone.install();
    await clone.sentinel(["init", "--agents", "claude"]);
    expect(await clone.changes()).toBe(" M .claude/settings.json\n M CLAUDE.md\n");
    await clone.sentinel(["uninstall"]);
    for (const [path, text] of Object.entries(before)) {
      expect(withoutSpace(await clone.read(path))).toBe(withoutSpace(text));
    }
    expect(existsSync(clone.path(".claude"))).toBe(false);
  });

  it("removes files, objects and lists in which nothing else is, also those from before", async () => {
    await repositoryWith({
      ".mcp.json": '{\n  "mcpServers": {}, "theirs": { "empty": {} }\n}\n',
      ".claude/settings.json": '{"hooks":{"Stop":[],"Other":[]}}',
      "CLAUDE.md": "\n",
      ".cursor/mcp.json": "",
      ".cursor/hooks.json": '{ "version": 1 }\n',
    });
    await repository.sentinel(["init", "--agents", "claude,cursor"]);
    const { exit, stdout } = await repository.sentinel(["uninstall"]);
    expect(exit).toBe(0);
    expect(JSON.parse(await repository.read(".mcp.json"))).toEqual({ theirs: { empty: {} } });
    expect(JSON.parse(await repository.read(".claude/settings.json"))).toEqual({
      hooks: { Other: [] },
    });
    expect(stdout).toMatch(/^\.mcp\.json +changed +server$/m);
    for (const path of ["CLAUDE.md", ".cursor"]) {
      expect(existsSync(repository.path(path))).toBe(false);
    }
  });

  it("leaves files alone that never named us, whatever is in them, and empty as they may be", async () => {
    await repositoryWith({
      ".cursor/mcp.json": "[]\n",
      ".gemini/settings.json": "{ broken",
      ".codex/config.toml": "a =",
      ".claude/settings.json": "{}",
      ".vscode/mcp.json": "{}\n",
      "CLAUDE.md": "",
      "GEMINI.md": "",
    });
    await repository.sentinel(["init", "--agents", "opencode"]);
    expect(await repository.sentinel(["uninstall"])).toMatchObject({ exit: 0, stderr: "" });
    expect(await repository.changes()).toBe("");
  });

  it("turns the session log off, takes its hooks out, and says what stays and how it goes", async () => {
    await repositoryWith();
    const exclude = await repository.read(".git/info/exclude");
    await repository.sentinel(["init", "--agents", "claude", "--private"]);
    await repository.sentinel(["sessions", "on"]);
    expect((await repository.sentinel(["uninstall", "--dry-run"])).stdout).toContain(
      "Recording would be turned off.",
    );
    expect(await repository.json("sessions", "status")).toMatchObject({
      status: "on",
      findings: expect.arrayContaining([expect.objectContaining({ id: "session_hooks" })]),
    });
    const { stdout, exit } = await repository.sentinel(["uninstall"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/\d\.\d MB of recorded events stay in .*records.*delete that folder/);
    expect(await repository.json("sessions", "status")).toMatchObject({
      status: "off",
      findings: [{ id: "recording_off" }],
    });
    expect(existsSync(repository.path(".claude"))).toBe(false);
    expect(await repository.read(".git/info/exclude")).toBe(exclude);
  });

  it("without git does not speak of it, and keeps the id of the session log, so that it can still be found and deleted", async () => {
    const loose = await testProject();
    await loose.run("init");
    await loose.run("sessions", "on");
    const { stdout } = await loose.run("uninstall");
    for (const said of ["Recording is off", "removed"]) {
      expect(stdout).toContain(said);
    }
    expect(stdout).not.toMatch(/still to do|changes that git shows|commit/i);
    expect(stdout).not.toContain("Nothing of ours");
    expect(await loose.json("sessions", "status")).toMatchObject({ status: "off" });
    expect((await loose.run("sessions", "delete", "--name", "app")).stdout).toContain("Removed");
  });

  it.each([RECORD, undefined])(
    "leaves a memory alone that is kept elsewhere, as init does: %j",
    async (text) => {
      await repositoryWith();
      if (text !== undefined) {
        await repository.write("../kept/memory.jsonl", text);
      }
      await repository.write(".context/.gitignore", "");
      await symlink("../../kept/memory.jsonl", repository.path(".context/memory_log.jsonl"));
      await repository.commit("a link");
      expect(await repository.sentinel(["init"])).toMatchObject({ exit: 0 });
      expect(await repository.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
      expect(await readlink(repository.path(".context/memory_log.jsonl"))).toBe(
        "../../kept/memory.jsonl",
      );
      if (text !== undefined) {
        expect(await repository.read("../kept/memory.jsonl")).toBe(text);
      }
    },
  );

  it("removes an empty memory, of a package too", async () => {
    const projects = [".", "packages/api"];
    await repositoryWith({ "packages/api/code.ts": "" });
    for (const project of projects) {
      await repository.sentinel(["init", "--project", project]);
      expect(existsSync(repository.path(`${project}/.context/memory_log.jsonl`))).toBe(true);
    }
    for (const project of projects) {
      await repository.sentinel(["uninstall", "--project", project]);
    }
    expect(await repository.changes()).toBe("");
  });

  it("leaves an entry of our name that init did not write, and says so", async () => {
    const theirs = {
      ".mcp.json": '{ "mcpServers": { "sentinel-memory": {"command":"evil"} } }\n',
      ".codex/config.toml": '[mcp_servers.sentinel-memory]\ncommand = "evil"\n',
    };
    await repositoryWith(theirs);
    await repository.sentinel(["init", "--agents", "cursor"]);
    const { exit, stdout } = await repository.sentinel(["uninstall"]);
    expect({ exit, changes: await repository.changes() }).toEqual({ exit: 1, changes: "" });
    for (const path of Object.keys(theirs)) {
      expect(stdout).toMatch(
        new RegExp(
          `^${path.replace(".", "\\.")} +left alone +server\\n.*not one that init wrote`,
          "m",
        ),
      );
    }
  });

  it("gives back a file that has several names", async () => {
    await repositoryWith({ "AGENTS.md": "# a" });
    for (const name of ["CLAUDE.md", ".cursorrules", "GEMINI.md"]) {
      await symlink("AGENTS.md", repository.path(name));
    }
    await repository.commit("links");
    await repository.sentinel(["init", ...EVERY_AGENT]);
    expect(await repository.read("GEMINI.md")).toContain("search_memory");
    expect(await repository.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect(await repository.changes()).toBe("");
  });

  it.each([
    [{}, false],
    [{ "AGENTS.md": "# a" }, true],
  ])(
    "takes our part out once where a file became a link to another of ours: %j",
    async (files, stays) => {
      await repositoryWith(files);
      await repository.sentinel(["init", "--agents", "codex,claude"]);
      await rm(repository.path("CLAUDE.md"));
      await symlink("AGENTS.md", repository.path("CLAUDE.md"));
      expect(await repository.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
      expect([await repository.changes(), existsSync(repository.path("AGENTS.md"))]).toEqual([
        "?? CLAUDE.md\n",
        stays,
      ]);
    },
  );

  it("leaves nothing but the memory in a clone with the line ends of Windows", async () => {
    await repositoryWith();
    await repository.sentinel(["init", ...EVERY_AGENT]);
    await repository.write(".context/memory_log.jsonl", RECORD);
    await repository.commit("init");
    const clone = await repository.clone("-c", "core.autocrlf=true");
    expect(await clone.read("CLAUDE.md")).toContain("\r\n");
    expect(await clone.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect(
      (await clone.git("ls-files", "--deduplicate"))
        .split("\n")
        .filter((path) => existsSync(clone.path(path))),
    ).toEqual([
      ".context/.gitattributes",
      ".context/.gitignore",
      ".context/memory_log.jsonl",
      ".gitignore",
      "",
    ]);
  });

  it("shows in a dry run what it would do, and says what is left to do, or that there is nothing", async () => {
    await repositoryWith();
    await repository.install();
    expect((await repository.sentinel(["uninstall"])).stdout).toContain("Nothing to remove.");
    await repository.sentinel(["init"]);
    await repository.commit("init");
    const { stdout } = await repository.sentinel(["uninstall", "--dry-run"]);
    expect(stdout).toContain("+++ /dev/null");
    expect(await repository.changes()).toBe("");
    expect(stdout).not.toContain("Still to do");
    const done = await repository.sentinel(["uninstall"]);
    expect(done.stdout).toMatch(
      /\nStill to do:\n {2}Commit .*\n {2}npm uninstall sentinel-memory\n$/,
    );
  });

  it("names the program that a command of the user's choice started", async () => {
    await repositoryWith();
    await repository.sentinel(["init", "--command", "pnpm exec sentinel-memory"]);
    const { stdout } = await repository.sentinel(["uninstall"]);
    expect(stdout).toMatch(
      /\n {2}Remove pnpm, which the entries started, if nothing else needs it\.\n$/,
    );
  });
});
