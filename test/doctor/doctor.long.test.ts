import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TOOLSETS } from "../../src/app/server/call-tool.ts";
import { lessonId } from "../../src/lessons/format/lesson.ts";
import { LAYOUTS } from "../support/git-layouts.ts";
import { testCopy, testFolder } from "../support/in-test.ts";
import { BIN, Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { UNHURRIED } from "../support/unhurried.ts";

let initialised: Project;
let repository: Project;
beforeAll(async () => {
  initialised = await Project.repository();
  await initialised.install();
  await initialised.sentinel(["init", "--agents", "cursor,claude,codex"]);
  await initialised.commit("init");
});
afterAll(() => initialised.remove());
beforeEach(async () => {
  repository = await testCopy(initialised);
});

const unhurried = () => ({ cwd: repository.folder, env: { ...repository.env, ...UNHURRIED } });

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly fix?: string;
}

async function doctor(...args: string[]): Promise<{ exit: number | string; findings: Finding[] }> {
  const { exit, stdout } = await runProcess(
    process.execPath,
    [BIN, "doctor", "--json", ...args],
    unhurried(),
  );
  return { exit, findings: JSON.parse(stdout) };
}

function record(topic: string, lesson = "l", missing_context = "m"): string {
  const id = lessonId({ type: "log", topic, missing_context, lesson });
  return `${JSON.stringify({ id, type: "log", topic, missing_context, lesson, meta: { created: "2026-01-01T00:00:00.000Z" } })}\n`;
}

const RULES = "AGENTS.md";
const MEMORY = ".context/memory_log.jsonl";

const [LESSONS, CONTEXT] = [TOOLSETS.lessons, TOOLSETS.sessions].map((set) =>
  set.map(({ definition }) => definition.name).join(", "),
);

/** Whether something is left to do, other than to start a session in each agent. */
const isOpen = ({ level, what }: Finding) =>
  level !== "ok" && !what.includes("no hook ran in the last 7 days");

describe("doctor", () => {
  it("finds nothing broken in what init set up, having started the server of each client", async () => {
    await repository.write(MEMORY, record("billing"));
    await repository.commit("log");
    const { exit, findings } = await doctor();
    expect(exit).toBe(0);
    expect(findings.filter(isOpen)).toEqual([]);
    for (const client of ["Cursor", "Claude Code", "Codex"]) {
      expect(findings.map(({ what }) => what)).toContainEqual(
        expect.stringMatching(
          new RegExp(`^${client}: the server of .* lists 3 tools in \\d+ ms: ${LESSONS}$`),
        ),
      );
    }
  });

  it("lists the tools that a server has because recording is on", async () => {
    expect(await repository.sentinel(["sessions", "on"])).toMatchObject({ exit: 0 });
    const { findings } = await doctor();
    expect(findings.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(new RegExp(`lists 7 tools in \\d+ ms: ${LESSONS}, ${CONTEXT}$`)),
    );
  });

  const faults: Record<string, { plant: () => Promise<unknown>; level: string; what: RegExp }> = {
    "a configuration that cannot be read": {
      plant: () => repository.write(".mcp.json", "{ nonsense"),
      level: "broken",
      what: /\.mcp\.json cannot be read/,
    },
    "a server that is something else": {
      plant: () =>
        repository.write(
          ".mcp.json",
          '{"mcpServers":{"sentinel-memory":{"command":"node","args":["-e","console.log(1)"]}}}',
        ),
      level: "warning",
      what: /was not started: its entry is not one that init writes .*: node -e console\.log\(1\)$/,
    },
    "an entry whose command names another project": {
      plant: async () =>
        repository.write(
          ".mcp.json",
          (await repository.read(".mcp.json")).replace(
            "cli')\"",
            'cli\')", "sentinel-memory", "--project", ".."',
          ),
        ),
      level: "warning",
      what: /^Claude Code: the server of \.mcp\.json was not started: its program was not chosen on this machine/,
    },
    "a compaction that is due by the project's own policy": {
      plant: async () => {
        await repository.write(MEMORY, [record("a"), record("a", "l", "n")].sort().join(""));
        await repository.write(
          ".context/policies/memory.yaml",
          "version: 1\ncompact_threshold: 1\n",
        );
      },
      level: "warning",
      what: /compaction is due: 2 lessons, over the threshold of 1/,
    },
    "a memory that does not merge": {
      plant: () => repository.write(".context/.gitattributes", "\n"),
      level: "warning",
      what: /does not merge line by line/,
    },
    "rules of another version": {
      plant: async () =>
        repository.write(RULES, (await repository.read(RULES)).replace("call", "use")),
      level: "warning",
      what: /^AGENTS\.md: rules missing or not current/,
    },
    "hooks that were left out": {
      plant: () => repository.write(".claude/settings.json", "{}\n"),
      level: "note",
      what: /no hooks/,
    },
    "hooks that never reach the server": {
      plant: async () => {
        const start = (session_id: string) => ({
          session_id,
          hook_event_name: "SessionStart",
          cwd: repository.folder,
        });
        for (const session of ["a", "b", "c"]) {
          const place = { ...unhurried(), stdin: JSON.stringify(start(session)) };
          await runProcess(process.execPath, [resolve("dist/server/hook.cjs")], place);
        }
      },
      level: "warning",
      what: /no hook of the last 3 sessions reached the server/,
    },
  };
  it.each(Object.entries(faults))("finds %s", async (_, { plant, level, what }) => {
    await plant();
    const { exit, findings } = await doctor();
    expect(findings).toContainEqual(
      expect.objectContaining({ level, what: expect.stringMatching(what) }),
    );
    expect(exit).toBe(findings.some((one) => one.level === "broken") ? 1 : 0);
    for (const one of findings) {
      if (["broken", "warning"].includes(one.level)) {
        expect(one.fix).not.toBe(undefined);
      }
    }
  });

  it("finds a merge of the memory that was not ended", async () => {
    await repository.write(".context/.gitattributes", "\n");
    await repository.commit("no union");
    const worktree = await repository.worktree("feature");
    await worktree.write(MEMORY, record("a"));
    await worktree.commit("log");
    await repository.write(MEMORY, record("b"));
    await repository.commit("log");
    await expect(repository.git("merge", "feature")).rejects.toThrow();
    const { exit, findings } = await doctor();
    expect(exit).toBe(1);
    expect(findings).toContainEqual(
      expect.objectContaining({ level: "broken", what: `${MEMORY} is in the middle of a merge.` }),
    );
  });

  it.each(["src", ".."])(
    "commits the memory by the command that it prints in %s",
    async (below) => {
      await repository.write("src/a.ts", "");
      await repository.commit("code");
      await repository.git("rm", "--quiet", MEMORY);
      await repository.commit("no memory");
      await repository.git("config", "user.name", "Dev");
      await repository.git("config", "user.email", "dev@example.com");
      const args = ["doctor", ...(below === ".." ? ["--project", "app"] : [])];
      for (const topic of ["billing", "mail"]) {
        await repository.write(MEMORY, record(topic));
        const { stdout } = await repository.sentinel(args, below);
        const [, fix = ""] = /memory_log\.jsonl .*\n *fix: (.*)$/m.exec(stdout) ?? [];
        const pasted = await runProcess("sh", ["-c", fix], repository.place(below));
        expect(pasted, fix).toMatchObject({ exit: 0, stderr: "" });
        expect(await repository.changes()).toBe("");
      }
    },
  );

  it("finds memory that waits in a branch and in a worktree", async () => {
    const worktree = await repository.worktree("feature");
    await worktree.write(MEMORY, record("a"));
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({
        level: "note",
        what: expect.stringContaining("feature (not committed)"),
      }),
    );
    await worktree.commit("log");
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({
        level: "note",
        what: "Memory that is not in this branch: feature",
      }),
    );
  });

  it("passes on what git says where git refuses to read the repository", async () => {
    const place = {
      cwd: repository.folder,
      env: { ...repository.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" },
    };
    const { stdout } = await runProcess(process.execPath, [BIN, "doctor", "--json"], place);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        level: "warning",
        what: expect.stringMatching(/^git does not read this repository: .*dubious ownership/),
        fix: expect.stringContaining("git config --global --add safe.directory"),
      }),
    );
    expect(stdout).not.toContain("git init");
  });

  it("says beside a bare repository that no branch gets the lessons, and names the worktrees", async () => {
    const home = realpathSync(testFolder());
    const { project: container = "", folder } =
      LAYOUTS["bare repository in the folder of its worktrees"](home);
    const place = { cwd: container, env: repository.env };
    const { stdout } = await runProcess(process.execPath, [BIN, "doctor", "--json"], place);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        level: "warning",
        what: expect.stringMatching(/is not a worktree. .*reach no branch/),
        fix: expect.stringContaining(folder),
      }),
    );
    expect(stdout).toContain("bare repository of the working directory");
    expect(stdout).not.toMatch(/git root|git shares the memory/);
  });

  it("repairs what is safe to repair, and nothing else", async () => {
    await repository.write(MEMORY, record("a"));
    await repository.commit("log");
    await rm(repository.path(RULES));
    await rm(repository.path(".context/.gitignore"));
    const { exit, findings } = await doctor("--fix");
    expect({ exit, left: findings.filter(isOpen) }).toMatchObject({ exit: 0, left: [] });
    expect(await repository.changes()).toBe("");
  });

  it("starts the server of an entry with the environment of that entry", async () => {
    const config = JSON.parse(await repository.read(".mcp.json"));
    config.mcpServers["sentinel-memory"].env = { SENTINEL_PROJECT: "${WHERE:-other}" };
    await repository.write(".mcp.json", JSON.stringify(config));
    await repository.write("other/.context/memory_log.jsonl", "");
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({
        level: "warning",
        what: expect.stringMatching(/^Claude Code: .* serves another memory: .*other\/\.context/),
      }),
    );
  });

  it("takes conflict markers out, and says what --fix did and what it left", async () => {
    await repository.write(
      MEMORY,
      `<<<<<<< ours\n${record("a")}=======\n${record("b")}>>>>>>> theirs\n`,
    );
    await repository.write(".mcp.json", "{}");
    const { stdout } = await repository.sentinel(["doctor", "--fix"]);
    expect((await repository.read(MEMORY)).trimEnd().split("\n").sort()).toEqual(
      [record("a"), record("b")].map((line) => line.trimEnd()).sort(),
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^--fix: 1 thing fixed; [1-9]\d* left to you/,
    );
    const again = await repository.sentinel(["doctor", "--fix"]);
    expect(again.stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^--fix: 0 things fixed; [1-9]\d* left to you/,
    );
    expect((await repository.sentinel(["doctor"])).stdout).not.toContain("--fix:");
  });

  it("prints commands that run as they stand, from a subfolder and for another folder too", async () => {
    await repository.write("packages/api/code.ts", "");
    await repository.write(".mcp.json", "{}");
    for (const [below, ...args] of [["packages"], ["packages", "--project", "api"]] as const) {
      const { stdout } = await repository.sentinel(["doctor", ...args], below);
      const [, command = ""] = /fix: (.* init( --agents claude)?)$/m.exec(stdout) ?? [];
      const place = { env: repository.env, cwd: repository.path(below) };
      expect(await runProcess("sh", ["-c", command], place), command).toMatchObject({
        exit: 0,
        stderr: "",
      });
    }
    expect(await repository.read(".mcp.json")).toContain("sentinel-memory/cli");
    expect(await repository.read("packages/api/.mcp.json")).toContain("sentinel-memory/cli");
  });

  it("does not speak of npm where the entries start a program of the team's choice", async () => {
    await repository.sentinel([
      "init",
      "--agents",
      "cursor,claude,codex",
      "--force",
      "--command",
      "bin/sentinel-memory",
    ]);
    await rm(repository.path("node_modules"), { recursive: true });
    const { findings } = await doctor();
    const broken = findings.filter(({ level }) => level === "broken");
    expect(broken).toHaveLength(3);
    for (const { fix } of broken) {
      expect(fix).toMatch(/^See that bin\/sentinel-memory is there/);
    }
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: "ok",
        what: expect.stringContaining("The entries start bin/sentinel-memory"),
      }),
    );
    expect(findings.map(({ fix }) => fix).join()).not.toContain("npm install");
  });

  it("takes any program that init --command chose for ours, and starts none of a teammate's choice", async () => {
    const starts = "tools/start.cjs";
    await repository.write(starts, `import(${JSON.stringify(pathToFileURL(BIN))})`);
    await rm(repository.path("node_modules"), { recursive: true });
    const init = ["init", "--agents", "claude", "--force", "--command", `node ${starts}`];
    await repository.sentinel(["uninstall"]);
    await repository.sentinel(init);
    const isProblem = ({ level }: { readonly level: string }) =>
      level === "warning" || level === "broken";
    const { findings } = await doctor();
    for (const what of ["Claude Code: the server of .mcp.json lists", "The entries start node,"]) {
      expect(findings).toContainEqual(
        expect.objectContaining({ level: "ok", what: expect.stringContaining(what) }),
      );
    }
    expect(findings.filter(isProblem)).toEqual([]);
    expect((await repository.sentinel(["init"])).stdout).toContain("Nothing to change.");

    await repository.commit("init");
    repository = await repository.clone();
    const inClone = (await doctor()).findings;
    const texts = inClone.map(({ what }) => what).join("\n");
    expect(texts).not.toMatch(/The entries start|\.mcp\.json lists/);
    expect(inClone.filter(isProblem)).toEqual([
      expect.objectContaining({
        what: expect.stringContaining(`without --command: node ${starts}`),
      }),
    ]);
  });

  it("starts nothing that somebody pushed and nobody chose here, and no entry that changes what Node loads", async () => {
    const init = ["init", "--agents", "claude", "--force"];
    await repository.write("evil.sh", "touch started\n");
    await repository.sentinel(["uninstall"]);
    await repository.sentinel([...init, "--command", "sh evil.sh sentinel-memory"]);
    await repository.git("add", "--force", ".context/.local/init-command");
    await repository.commit("a command of the team, with the note of init");
    repository = await repository.clone();
    const warnings = async () =>
      (await doctor()).findings.filter(({ what }) => /^Claude Code: .*not started/.test(what));
    expect(await warnings()).toEqual([
      expect.objectContaining({ what: expect.stringContaining("not chosen on this machine") }),
    ]);

    await repository.sentinel(init);
    const entry = await repository.read(".mcp.json");
    const load = '"env": { "NODE_OPTIONS": "--require ./evil.cjs" },';
    await repository.write("evil.cjs", 'require("node:fs").writeFileSync("started", "");');
    await repository.write(
      ".mcp.json",
      entry.replace('"command"', () => `${load} "command"`),
    );
    expect(await warnings()).toEqual([
      expect.objectContaining({ what: expect.stringContaining("sets NODE_OPTIONS") }),
    ]);
    expect(existsSync(repository.path("started"))).toBe(false);
  });

  it("names init --vendor where the package is not installed, beside npm install", async () => {
    await rm(repository.path("node_modules"), { recursive: true });
    const { findings } = await doctor();
    const uninstalled = findings.filter(({ what }) =>
      /not installed here|does not start/.test(what),
    );
    expect(uninstalled).toHaveLength(4);
    for (const { fix } of uninstalled) {
      expect(fix).toMatch(/^npm install[,;] .* init --vendor/);
    }
    await repository.write("package.json", "{}");
    const { findings: unlisted } = await doctor();
    expect(unlisted.map(({ what }) => what)).toContainEqual(
      expect.stringContaining("not installed here"),
    );
  });

  it("before init says what is missing, an agent too, and not that a memory was lost", async () => {
    await repository.sentinel(["uninstall"]);
    const { findings } = await doctor();
    for (const what of [
      ".context/.gitattributes: git settings missing",
      "No agent is set up here.",
    ]) {
      expect(findings).toContainEqual(expect.objectContaining({ level: "warning", what }));
    }
    expect(findings.map(({ what }) => what).join("\n")).not.toContain("memory missing");
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: "note",
        what: `There is no ${MEMORY} yet.`,
        fix: expect.stringMatching(/ init writes an empty one/),
      }),
    );
  });
});
