/** The server as a few files in the repository: for a project without a package manager, in any language. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCopy, testRepository } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { askServer, TOOLS } from "./ask-server.ts";
import { ClaudeAgent, CursorAgent } from "./configured-agent.ts";

const PYTHON = { "pyproject.toml": '[project]\nname = "shop"\n', "src/deep/shop.py": "" };
const COPY = ".context/server/sentinel-memory.cjs";
const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8"));
const INIT = ["init", "--agents", "cursor,claude,codex,opencode"];
const INIT_CLAUDE = ["init", "--agents", "claude"];
const VAT = {
  topic: "billing",
  missing_context: "VAT differs by country",
  lesson: "Read the rate table of the country first",
};

/** A clone of a Python project that keeps the server: nothing is installed there. */
async function cloneWithCopy(...init: readonly string[]): Promise<Project> {
  const repository = await Project.repository(PYTHON);
  expect(await repository.sentinel(init)).toMatchObject({ exit: 0 });
  await repository.commit("init");
  return repository.clone();
}

let prepared: Project;
let ofClaude: Project;
beforeAll(async () => {
  prepared = await cloneWithCopy(...INIT);
  ofClaude = await cloneWithCopy(...INIT_CLAUDE);
});
afterAll(() => {
  for (const project of [prepared, ofClaude]) {
    project.remove();
  }
});

/** Such a clone for one test. */
function vendored(): Promise<Project> {
  return testCopy(prepared);
}

/** One with a single agent, whose server doctor starts. */
function vendoredForClaude(): Promise<Project> {
  return testCopy(ofClaude);
}

/** Runs the copy itself, as its users do. */
function copy(project: Project, ...args: string[]): ReturnType<typeof runProcess> {
  return runProcess(process.execPath, [COPY, ...args], project.place());
}

/** Runs it by its short name. */
function short(project: Project, ...args: string[]): ReturnType<typeof runProcess> {
  return runProcess(".context/server/sm", args, project.place());
}

/** Writes the sums of the programs as they are now. */
async function sumUp(project: Project): Promise<void> {
  const { stdout } = await runProcess(
    "sh",
    ["-c", "sha256sum *.cjs *.mjs *.js *.css sm sm.cmd"],
    project.place(".context/server"),
  );
  await project.write(".context/server/SHA256SUMS", stdout);
}

async function claudeEntry(project: Project) {
  return JSON.parse(await project.read(".mcp.json")).mcpServers["sentinel-memory"];
}

describe("init", () => {
  it("gives a clone of a Python project server and hooks, from any folder, with nothing installed", async () => {
    const clone = await vendored();
    const claude = new ClaudeAgent(clone, "src/deep");
    expect(await claude.call("log_memory", VAT)).toContain("Saved");
    expect(await claude.tells("SessionStart", { source: "startup" })).toContain(VAT.lesson);
    expect(await new CursorAgent(clone).call("search_memory", { query: "VAT" })).toContain(
      VAT.lesson,
    );
    const { command } = JSON.parse(await clone.read("opencode.json")).mcp["sentinel-memory"];
    const entry = { command: command[0], args: command.slice(1) };
    // Not every client expands the workspace.
    const { mcpServers } = JSON.parse(await clone.read(".cursor/mcp.json"));
    for (const server of [entry, mcpServers["sentinel-memory"]]) {
      expect((await askServer(server, clone.place("src"))).tools).toEqual(TOOLS);
    }
  });

  it("looks no further than the repository", async () => {
    const clone = await vendored();
    await cp(clone.path(".context"), clone.path("../.context"), { recursive: true });
    await rm(clone.path(".context/server"), { recursive: true });
    const { command, args } = await claudeEntry(clone);
    const { exit, stderr } = await runProcess(command, args, clone.place("src"));
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining(clone.path(COPY)),
    });
  });

  it("ignores a copy that came with a folder below, and starts the one of a nested repository", async () => {
    const clone = await vendored();
    for (const folder of ["vendor/theirs", "nested"]) {
      await clone.write(`${folder}/${COPY}`, "process.stdout.write('theirs'); process.exit(0);");
      await clone.write(`${folder}/src/a.py`, "");
    }
    const { command, args } = await claudeEntry(clone);
    for (const place of ["vendor/theirs", "vendor/theirs/src"]) {
      expect((await askServer({ command, args }, clone.place(place))).tools).toEqual(TOOLS);
    }
    await clone.git("init", "--quiet", "nested");
    expect((await runProcess(command, args, clone.place("nested/src"))).stdout).toBe("theirs");
  });

  it("starts the copy of a package in a monorepo, also in a worktree, but after a move only once init runs again", async () => {
    const repository = await testRepository({ "packages/my api/src/a.py": "" });
    const api = { ...repository.place("packages/my api") };
    const { stdout } = await runProcess(
      process.execPath,
      [resolve("dist/cli.mjs"), "--project", ".", ...INIT],
      api,
    );
    expect(stdout).toContain("CODEOWNERS: packages/my\\ api/.context/server/ @your-team");
    await repository.commit("init");
    await repository.git("worktree", "add", "--quiet", repository.path("../tree"));
    const entry = JSON.parse(await repository.read("packages/my api/.mcp.json")).mcpServers[
      "sentinel-memory"
    ];
    const inTree = repository.place("../tree/packages/my api/src");
    expect((await askServer(entry, inTree)).tools).toEqual(TOOLS);

    await repository.git("mv", "packages/my api", "packages/api");
    const moved = repository.place("packages/api/src");
    expect((await runProcess(entry.command, entry.args, moved)).stderr).toContain(
      "Cannot find module",
    );
    await runProcess(process.execPath, [`../${COPY}`, "init"], moved);
    const mended = JSON.parse(await repository.read("packages/api/.mcp.json")).mcpServers[
      "sentinel-memory"
    ];
    expect((await askServer(mended, moved)).tools).toEqual(TOOLS);
  });

  it("writes a short command, the version, the licences, and checksums that sha256sum can check", async () => {
    const clone = await vendored();
    for (const start of [() => copy(clone, "--version"), () => short(clone, "--version")]) {
      expect((await start()).stdout).toBe(`${VERSION}\n`);
    }
    const [, head = ""] = (await clone.read(COPY)).split("\n");
    expect(head.startsWith(`// sentinel-memory ${VERSION}, MIT;`), head).toBe(true);
    const licences = await clone.read(".context/server/LICENCES.txt");
    const own = `== sentinel-memory ${VERSION} (MIT) ==\n\nMIT License`;
    expect(licences.slice(0, own.length)).toBe(own);
    const sums = await runProcess(
      "sha256sum",
      ["--check", "SHA256SUMS"],
      clone.place(".context/server"),
    );
    expect(sums).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^(?:[\w.-]+: OK\n){7}$/),
    });
  });

  it.each(["*.png binary", "# ours\r\n*.png binary\r\n"])(
    "adds git attributes for the file to those in .gitattributes: %j",
    async (before) => {
      const repository = await testRepository({ ".context/.gitattributes": before });
      await repository.sentinel(INIT_CLAUDE);
      expect(
        await repository.git(
          "check-attr",
          "text",
          "diff",
          "merge",
          "linguist-vendored",
          "--",
          COPY,
        ),
      ).toBe(
        ["text: unset", "diff: unset", "merge: unset", "linguist-vendored: set"]
          .map((attribute) => `${COPY}: ${attribute}\n`)
          .join(""),
      );
      expect((await repository.read(".context/.gitattributes")).startsWith(before)).toBe(true);
      await repository.sentinel(["uninstall"]);
      const isThere = existsSync(repository.path(".context/.gitattributes"));
      expect(isThere ? await repository.read(".context/.gitattributes") : "").toBe(before);
    },
  );

  it("replaces entries of a dependency that isn't installed; --vendor switches a project that has it, for later inits too", async () => {
    const repository = await testRepository(PYTHON);
    const agents = ["--agents", "cursor,claude,codex"];
    await repository.install();
    await repository.sentinel(["init", ...agents]);
    expect(await repository.read(".mcp.json")).toContain("sentinel-memory/cli");
    const clone = await testRepository(PYTHON);
    for (const path of [".mcp.json", ".codex/config.toml", ".cursor/mcp.json"]) {
      await clone.write(path, await repository.read(path));
    }
    await clone.sentinel(["init", ...agents]);
    await repository.sentinel(["init", "--vendor", ...agents]);
    await repository.commit("init");
    for (const path of [".mcp.json", ".codex/config.toml", ".cursor/hooks.json"]) {
      expect([await repository.read(path), await clone.read(path)]).toEqual([
        expect.stringContaining(COPY),
        expect.stringContaining(COPY),
      ]);
    }
    expect((await repository.sentinel(["init", ...agents])).stdout).toContain("Nothing to change.");
    expect(await repository.changes()).toBe("");
  });

  it("serves the viewer, and exports the lessons as one file", async () => {
    const clone = await vendored();
    await new ClaudeAgent(clone, ".").call("log_memory", VAT);
    const file = clone.path("../lessons.html");
    expect(await copy(clone, "view", "--export", file)).toMatchObject({ exit: 0 });
    expect(readFileSync(file, "utf8")).toContain(VAT.lesson);
    const { cwd, env } = clone.place();
    const viewer = spawn(process.execPath, [COPY, "view", "--no-open"], { cwd, env });
    const [address] = /http:\S+/.exec(String((await once(viewer.stdout, "data"))[0])) ?? [];
    expect(await (await fetch(String(address))).text()).toContain("<html");
    viewer.kill("SIGINT");
    expect(await once(viewer, "exit")).toEqual([0, null]);
  });

  it("has no daemon, and says so before it asks for a database", async () => {
    const clone = await vendored();
    for (const command of [
      ["daemon", "serve"],
      ["daemon", "tenant", "list"],
    ]) {
      expect(await short(clone, ...command)).toMatchObject({
        exit: 1,
        stderr: expect.stringMatching(
          /^error not_found: This copy of Sentinel Memory has no daemon\.\nfix: /,
        ),
      });
    }
    for (const command of [["daemon"], ["daemon", "serve"]]) {
      const { stdout } = await short(clone, ...command, "--help");
      expect(stdout).toMatch(/^This copy has no daemon, /);
    }
  });

  it("replaces the hooks of an earlier version with readable commands, and uninstall removes both kinds", async () => {
    const clone = await vendored();
    const [claude, cursor] = [".claude/settings.json", ".cursor/hooks.json"];
    const lines = async (path: string) => (await clone.read(path)).match(/"command": ".*node.*"/g);
    const current = await Promise.all([claude, cursor].map(lines));
    expect(current[0]).toEqual([
      '"command": "node \\"$CLAUDE_PROJECT_DIR/.context/server/sentinel-memory.cjs\\" hook"',
    ]);
    expect(new Set(current[1])).toEqual(
      new Set(['"command": "node .context/server/sentinel-memory.cjs hook"']),
    );

    const earlier = `"command": "node -e \\"require('./${COPY}')\\" sentinel-memory-hook"`;
    for (const path of [claude, cursor]) {
      await clone.write(
        path,
        (await clone.read(path)).replaceAll(/"command": ".*node.*"/g, () => earlier),
      );
    }
    await clone.sentinel(INIT);
    expect(await clone.changes()).toBe("");

    for (const path of [claude, cursor]) {
      await clone.write(
        path,
        (await clone.read(path)).replace(/"command": ".*node.*"/, () => earlier),
      );
    }
    await clone.sentinel(["uninstall"]);
    expect([claude, cursor].filter((path) => existsSync(clone.path(path)))).toEqual([]);
  });

  it("copies itself into another project, and changes nothing the second time", async () => {
    const clone = await vendored();
    expect((await copy(clone, ...INIT)).stdout).toContain("Nothing to change.");
    const other = await testRepository({ "go.mod": "module shop\n" });
    await runProcess(process.execPath, [clone.path(COPY), "init", "--vendor"], other.place());
    expect(await other.read(COPY)).toBe(await clone.read(COPY));
    expect((await askServer(await claudeEntry(other), other.place())).tools).toEqual(TOOLS);
  });

  it("refuses --vendor with --command", async () => {
    const repository = await testRepository(PYTHON);
    const both = ["--vendor", "--command", "sentinel-memory"];
    const { exit, stderr } = await repository.sentinel(["init", ...both]);
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining("bad_argument"),
    });
    expect(await repository.changes()).toBe("");
  });

  it("is removed completely, also by the copy itself, and the memory stays", async () => {
    const clone = await vendored();
    await clone.write(".context/server/NOTES", "ours\n");
    expect(await copy(clone, "uninstall")).toMatchObject({ exit: 0 });
    expect(await clone.changes()).toContain("?? .context/server/NOTES\n");
    await rm(clone.path(".context"), { recursive: true });
    await clone.commit("uninstall");
    expect(await clone.git("diff", "--stat", "HEAD~2", "HEAD")).toBe("");

    const used = await vendored();
    await new ClaudeAgent(used, ".").call("log_memory", VAT);
    await used.sentinel(["uninstall"]);
    expect(existsSync(used.path(".context/server"))).toBe(false);
    expect(await used.read(".context/.gitattributes")).toBe(
      "memory_log.jsonl text eol=lf merge=union -filter !diff\n",
    );
    expect(await used.memory()).toContain(VAT.lesson);
  });
});

describe("a copy", () => {
  /** What the package's doctor and check report about the copy. */
  async function verdicts(
    project: Project,
  ): Promise<{ doctor?: { level: string; fix?: string }; check: string; exit: unknown }> {
    const found = JSON.parse((await project.sentinel(["doctor", "--json"])).stdout);
    const { exit, stdout } = await project.sentinel(["check"]);
    return {
      doctor: found.find(({ what }: { what: string }) => what.includes(".context/server/")),
      check: stdout,
      exit,
    };
  }

  it("passes doctor and check as it was released, also its own", async () => {
    const clone = await vendored();
    const { doctor, check, exit } = await verdicts(clone);
    expect({ level: doctor?.level, exit }).toEqual({ level: "ok", exit: 0 });
    expect(check).toContain(`${COPY}: version ${VERSION}, checksums match.\n`);
    expect((await copy(clone, "check")).stdout).toContain(`${COPY}: version ${VERSION}`);
    expect(await copy(clone, "doctor")).toMatchObject({ exit: 0 });
  });

  it.each<[string, (project: Project) => Promise<unknown>]>([
    ["lost a file that it loads", (project) => rm(project.path(".context/server/hook.cjs"))],
    ["is missing", (project) => rm(project.path(COPY))],
  ])("that %s is found, and repaired by init", async (_, breakIt) => {
    const clone = await vendoredForClaude();
    await breakIt(clone);
    const { doctor, check, exit } = await verdicts(clone);
    expect({ level: doctor?.level, exit }).toEqual({ level: "broken", exit: 1 });
    expect(doctor?.fix).toContain(" init");
    expect(check).toMatch(/^broken server_copy: .*\n {2}fix: .* init/m);
    await clone.sentinel(INIT_CLAUDE);
    expect(await clone.changes()).toBe("");
  });

  it.each<[string, (project: Project) => Promise<unknown>]>([
    [
      "was changed by hand",
      (project) => project.append(".context/server/program.cjs", "// more\n"),
    ],
    ["is not text any more", (project) => project.write(COPY, Buffer.from([0xff, 0xfe, 0x00]))],
  ])("that %s is found, kept by init, and replaced by init --force", async (_, breakIt) => {
    const clone = await vendoredForClaude();
    await breakIt(clone);
    const { doctor, check, exit } = await verdicts(clone);
    expect({ level: doctor?.level, exit }).toEqual({ level: "broken", exit: 1 });
    expect(doctor?.fix).toMatch(/ init --force$/);
    expect(check).toMatch(/^broken server_copy: .*\n {2}fix: .* init --force$/m);
    const changed = await clone.changes();
    const kept = await clone.sentinel(INIT_CLAUDE);
    expect(kept).toMatchObject({ exit: 1, stderr: expect.stringContaining("left_alone") });
    expect(kept.stdout).toMatch(/fix: .* init --force$/m);
    expect(await clone.changes()).toBe(changed);
    await clone.sentinel([...INIT_CLAUDE, "--force"]);
    expect(await clone.changes()).toBe("");
  });

  it("of another build of its version is found, and replaced by init", async () => {
    const clone = await vendoredForClaude();
    await clone.append(COPY, "// more\n");
    await sumUp(clone);
    const { doctor, exit } = await verdicts(clone);
    expect({ level: doctor?.level, exit }).toEqual({ level: "broken", exit: 1 });
    expect(doctor?.fix).toMatch(/^Replace it by this build: .* init$/);
    expect((await clone.sentinel(INIT_CLAUDE)).exit).toBe(0);
    expect(await clone.changes()).toBe("");
  });

  it("that was changed by hand is reported by its own init, and not started by doctor", async () => {
    const clone = await vendoredForClaude();
    const traced = `require("node:fs").writeFileSync(${JSON.stringify(clone.path("ran"))}, "");\n`;
    await clone.append(COPY, traced);
    const { stdout } = await clone.sentinel(["doctor"]);
    expect(stdout).toMatch(/^warning Claude Code: the server of .* was not started/m);
    expect(existsSync(clone.path("ran"))).toBe(false);
    const own = await copy(clone, "init");
    expect(own.exit).toBe(1);
    expect(own.stdout).toMatch(/^ +\S+ does not have the SHA-256.*\n +fix: git restore /m);
  });

  it("that two branches updated conflicts as a whole, still starts, and is repaired by init --force", async () => {
    const clone = await vendoredForClaude();
    for (const branch of ["one", "two"]) {
      await clone.git("checkout", "--quiet", "-b", branch, "origin/HEAD");
      await clone.write(
        COPY,
        (await clone.read(COPY)).replace(`${VERSION}, MIT`, `${VERSION}-${branch}, MIT`),
      );
      await clone.commit(branch);
    }
    expect((await clone.tryGit(["merge", "one"])).exit).toBe(1);
    expect((await askServer(await claudeEntry(clone), clone.place("src"))).tools).toEqual(TOOLS);
    expect(await clone.sentinel([...INIT_CLAUDE, "--force"])).toMatchObject({ exit: 0 });
    await clone.commit("merged");
    expect((await clone.sentinel(["check"])).exit).toBe(0);
  });

  it("of an unknown version is reported, without an error", async () => {
    const clone = await vendoredForClaude();
    await clone.write(COPY, (await clone.read(COPY)).replace(`${VERSION}, MIT`, "9.9.9, MIT"));
    await sumUp(clone);
    const { doctor, check, exit } = await verdicts(clone);
    expect({ level: doctor?.level, exit }).toEqual({ level: "note", exit: 0 });
    expect(check).toContain(`version 9.9.9, checksums match; this is ${VERSION}.`);
  });

  it("of an earlier version is replaced by the init of this one, which says so in one row; its own init changes nothing", async () => {
    const clone = await vendoredForClaude();
    for (const path of [COPY, ".context/server/program.cjs"]) {
      await clone.write(path, (await clone.read(path)).replace(`${VERSION}, MIT`, "0.0.9, MIT"));
    }
    await sumUp(clone);
    await clone.commit("as an earlier version wrote it");
    expect((await copy(clone, "init")).stdout).toContain("Nothing to change.");
    expect((await clone.sentinel(["init", "--dry-run"])).stdout).toContain(
      `\n.context/server/: version 0.0.9 -> version ${VERSION}\n`,
    );
    const { stdout } = await clone.sentinel(["init"]);
    expect(stdout.match(/^\.context\/server\/.*/gm)).toEqual([
      expect.stringMatching(/ changed +server copy$/),
    ]);
    expect(stdout).toContain('git add .context/server && git commit -m "Update Sentinel Memory"');
    expect((await clone.changes()).trim().split("\n")).toHaveLength(3);
  });

  it("that removes itself names a command for the events that stay only while it is there", async () => {
    const clone = await vendored();
    await copy(clone, "sessions", "on");
    const toRemove = async (...args: string[]) =>
      /To remove them: .*/.exec((await copy(clone, "uninstall", ...args)).stdout)?.[0];
    expect(await toRemove("--dry-run")).toBe(
      "To remove them: run .context/server/sm sessions delete first.",
    );
    expect(await toRemove()).toBe("To remove them: delete that folder.");
    expect(existsSync(clone.path(COPY))).toBe(false);
  });

  it("that no entry starts is reported", async () => {
    const clone = await vendored();
    await clone.install();
    await clone.sentinel(["init", "--force", "--agents", "cursor,claude,codex,opencode"]);
    const { stdout } = await clone.sentinel(["doctor"]);
    expect(stdout).toContain("No entry starts the copy of the server");
  });
});
