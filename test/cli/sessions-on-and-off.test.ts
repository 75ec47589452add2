/** Turning the session log on and off, as a person does, with real git. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const HOOKS = ".claude/settings.local.json";

interface Listed {
  readonly id: string;
  readonly project: string;
  readonly state: string;
}

const list = async (project: Project) =>
  (await project.json("sessions", "list", "--projects")) as Listed[];
const findingsOf = async (project: Project) => {
  const { findings } = (await project.json("sessions", "status")) as { findings: { id: string }[] };
  return findings.map(({ id }) => id);
};
const filesOf = (project: Project) =>
  readdirSync(project.home, { recursive: true, encoding: "utf8" }).sort();
const textIn = (project: Project, path: string) =>
  existsSync(project.path(path)) ? readFileSync(project.path(path), "utf8") : undefined;

it("with a manifest that cannot be read is one error with its fix, whatever is asked", async () => {
  const shop = await testRepository();
  await shop.run("sessions", "on");
  const manifest = await manifestOf(shop);
  const whole = await shop.read(manifest);
  await shop.write(manifest, "{");
  const asked =
    "context x,pin y,decisions,tasks,sessions search x,sessions list,sessions capture,sessions off,sessions on,sessions skip x,sessions purge --text x --yes,sessions show evt_00000000";
  for (const words of asked.split(",")) {
    const { stdout, stderr, exit } = await shop.run(...words.split(" "));
    expect([words, exit, stdout]).toEqual([words, 1, ""]);
    expect(stderr).toMatch(
      /^error not_recorded: The manifest of the session log cannot be read.*\nfix: Restore manifest\.json.*\n$/,
    );
  }
  await withServer(shop.server(), async (server) => {
    expect(await server.call("build_acb", {})).toMatchObject({
      text: expect.stringContaining("Restore manifest.json"),
    });
  });
  await shop.write(manifest, whole);
  expect((await shop.run("decisions")).exit).toBe(0);
});

describe("sessions on", () => {
  it("says where the lesson is, keeps others out, and writes hooks of the person's own that git does not see; twice changes nothing", async () => {
    const shop = await testRepository();
    const { stdout, exit } = await shop.run("sessions", "on");
    expect(exit).toBe(0);
    const [{ id } = { id: "" }] = await list(shop);
    expect(stdout).toContain(join(shop.home, ".local/share/sentinel-memory/records", id));
    const { hooks } = JSON.parse(await shop.read(HOOKS));
    expect(Object.keys(hooks)).toEqual([
      "SessionStart",
      "Stop",
      "SubagentStop",
      "PreCompact",
      "PostCompact",
      "SessionEnd",
    ]);
    expect(await shop.changes()).toBe("");
    expect([existsSync(shop.context), existsSync(shop.path(".codex"))]).toEqual([false, false]);
    const data = join(shop.home, ".local/share/sentinel-memory");
    const names = readdirSync(data, { recursive: true, encoding: "utf8" });
    expect(names.some((name) => name.endsWith("manifest.json"))).toBe(true);
    for (const name of names) {
      const entry = statSync(join(data, name));
      expect(entry.mode & 0o777, name).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
    const [before, listed] = [textIn(shop, HOOKS), await list(shop)];
    expect((await shop.run("sessions", "on")).stdout).toContain("on already");
    expect([textIn(shop, HOOKS), await list(shop)]).toEqual([before, listed]);
  });

  it("writes hooks for Codex where that is on the machine, and says that they need trust", async () => {
    const shop = await testRepository();
    mkdirSync(shop.path("~/.codex"));
    const { stdout } = await shop.run("sessions", "on");
    expect(stdout).toMatch(/Codex: .*\/hooks and trust/);
    const { hooks } = JSON.parse(await shop.read(".codex/hooks.json"));
    expect(Object.keys(hooks)).toContain("Stop");
    expect(await shop.changes()).toBe("");
    expect(await findingsOf(shop)).toContain("session_hooks");
    await shop.run("sessions", "off");
    expect(existsSync(shop.path(".codex"))).toBe(false);
  });

  it("and what asks for these hooks gives advice that brings them there", async () => {
    const shop = await testRepository({ [HOOKS]: "{}\n" });
    const advice = `git rm --cached ${HOOKS}`;
    for (const command of [["sessions", "on"], ["sessions", "status"], ["doctor"]]) {
      expect((await shop.run(...command)).stdout).toContain(advice);
    }
    await shop.git(...advice.split(" ").slice(1));
    await shop.git("commit", "-qm", "Keep personal settings out of git");
    await shop.run("sessions", "on");
    expect(await findingsOf(shop)).toContain("session_hooks");
    expect(JSON.parse(await shop.read(HOOKS)).hooks).toHaveProperty("Stop");
    expect(await shop.changes()).toBe("");
    await shop.run("sessions", "off");
    expect(textIn(shop, HOOKS)).toBe(undefined);
  });

  it("that cannot write the id leaves no session log behind, and is completed by running it again", async () => {
    const shop = await testRepository();
    await shop.write(".git/config.lock", "");
    const failed = await shop.run("sessions", "on");
    expect([failed.exit, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/: error: could not lock.*\nfix: .*sessions on again/),
    ]);
    expect(await list(shop)).toEqual([]);
    rmSync(shop.path(".git/config.lock"));
    expect((await shop.run("sessions", "on")).exit).toBe(0);
    expect(await list(shop)).toMatchObject([{ state: "on" }]);

    const notes = await testProject({ files: { ".context": "" } });
    expect((await notes.run("sessions", "on")).stderr).toMatch(
      /not_a_file: Writing \S*\.context\/\.local\/record: /,
    );
    expect(await list(notes)).toEqual([]);
  });

  it("that cannot write a hook says which and what to do, and is completed by running it again", async () => {
    const shop = await testRepository({ ".gitignore": ".claude\n" });
    await shop.write(".claude", "");
    const { stdout, stderr, exit } = await shop.run("sessions", "on");
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /^\.claude\/settings\.local\.json +left alone +record hooks\n.*\n +fix: There is a file in place of a folder/m,
    );
    expect(stderr).toMatch(
      /left_alone: 1 file left alone\.\nfix: Recording is on[\s\S]*sessions on/,
    );
    expect(await list(shop)).toMatchObject([{ state: "on" }]);
    rmSync(shop.path(".claude"));
    mkdirSync(shop.path(HOOKS), { recursive: true });
    expect((await shop.run("sessions", "on")).stdout).toContain(
      "There is a folder in place of the file",
    );
    rmSync(shop.path(HOOKS), { recursive: true });
    expect((await shop.run("sessions", "on")).exit).toBe(0);
    await shop.run("sessions", "off");
    expect(existsSync(shop.path(HOOKS))).toBe(false);
  });

  it("turns nothing on where the days cannot be kept", async () => {
    const shop = await testRepository();
    await shop.write("~/.config/sentinel-memory/record.yaml", "version: [");
    expect((await shop.run("sessions", "on", "--keep-days", "30")).exit).toBe(1);
    expect(await list(shop)).toEqual([]);
  });

  it("starts the program of the project where it is installed, also from a folder with a blank and a quote", async () => {
    const shop = await testProject({ git: true });
    const odd = `${shop.home}/Bob's shop`;
    renameSync(shop.folder, odd);
    await shop.sentinel(["--project", odd, "sessions", "on"], "~");
    const text = readFileSync(join(odd, HOOKS), "utf8");
    expect(JSON.parse(text).hooks.Stop[0].hooks[0].command).toMatch(
      /^node \S*dist\/server\/sentinel-memory\.cjs session-hook$/,
    );
    mkdirSync(join(odd, "node_modules/sentinel-memory"), { recursive: true });
    await shop.sentinel(["--project", odd, "sessions", "on"], "~");
    expect(readFileSync(join(odd, HOOKS), "utf8")).toBe(text);
    await shop.write(`${odd}/node_modules/sentinel-memory/dist/server/sentinel-memory.cjs`, "");
    await shop.sentinel(["--project", odd, "sessions", "on"], "~");
    const { hooks } = JSON.parse(readFileSync(join(odd, HOOKS), "utf8"));
    const installed = `${odd}/node_modules/sentinel-memory/dist/server/sentinel-memory.cjs`.replace(
      "'",
      "'\\''",
    );
    expect(hooks.Stop[0].hooks[0].command).toBe(`node '${installed}' session-hook`);
    expect(hooks.Stop).toHaveLength(1);
  });

  it("writes no hooks that git would show, where nothing can keep them from it", async () => {
    const shop = await testRepository();
    rmSync(shop.path(".git/info"), { recursive: true });
    await shop.write(".git/info", "");
    const { exit, stdout, stderr } = await shop.run("sessions", "on");
    expect([exit, textIn(shop, HOOKS)]).toEqual([1, undefined]);
    expect(stdout).toContain("git would show it, because .git/info/exclude could not be written.");
    expect(stderr).toContain(" sessions capture reads transcripts. Fix each file");
  });
});

describe("sessions off", () => {
  const OTHERS =
    '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make lint"}]}]}, // mine\n}\n';

  it.each([undefined, OTHERS])(
    "leaves the content of the hook file from before: %j",
    async (before) => {
      const shop = await testRepository();
      if (before !== undefined) {
        await shop.write(HOOKS, before);
      }
      const [exclude, files] = [textIn(shop, ".git/info/exclude"), filesOf(shop)];
      await shop.run("sessions", "on");
      expect(textIn(shop, HOOKS)).toContain("session-hook");
      expect((await shop.run("sessions", "off")).stdout).toContain("Recording is off, from now on");
      expect(textIn(shop, HOOKS)?.replaceAll(/\s/g, "")).toBe(before?.replaceAll(/\s/g, ""));
      expect(textIn(shop, ".git/info/exclude")).toBe(exclude);
      const below = (all: string[]) =>
        all.filter((path) => path.startsWith("app") && !path.includes(".git/"));
      expect(below(filesOf(shop))).toEqual(below(files));
    },
  );

  it("removes an exclude file that was not there before", async () => {
    const shop = await testRepository();
    rmSync(shop.path(".git/info"), { recursive: true });
    await shop.run("sessions", "on");
    expect(await shop.changes()).toBe("");
    await shop.run("sessions", "off");
    expect(textIn(shop, ".git/info/exclude")).toBeUndefined();
  });

  it("takes out only its own where the file was edited since", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    const settings = { ...JSON.parse(await shop.read(HOOKS)), model: "opus" };
    await shop.write(HOOKS, JSON.stringify(settings));
    await shop.run("sessions", "off");
    expect(JSON.parse(await shop.read(HOOKS))).toEqual({ model: "opus" });
  });

  it("takes the hooks out of every worktree into which they were written", async () => {
    const shop = await testRepository();
    const tree = await shop.worktree("tree");
    await shop.run("sessions", "on");
    await tree.run("sessions", "on");
    expect(await list(shop)).toHaveLength(1);
    await tree.run("sessions", "off");
    expect([textIn(shop, HOOKS), textIn(tree, HOOKS)]).toEqual([undefined, undefined]);
  });

  it("says that there is none where nothing was ever recorded, and writes nothing", async () => {
    const shop = await testRepository();
    const before = filesOf(shop);
    expect(await shop.run("sessions", "off")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("not_recorded"),
    });
    expect(filesOf(shop)).toEqual(before);
  });
});

describe("sessions list --projects and delete", () => {
  it("show and remove a lesson whose project is gone, from anywhere", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    const [{ id } = { id: "" }] = await list(shop);
    renameSync(shop.folder, `${shop.home}/trash`);
    const anywhere = (...args: string[]) => shop.sentinel(args, "~");
    expect(
      JSON.parse((await anywhere("sessions", "list", "--projects", "--json")).stdout),
    ).toMatchObject([{ id, state: "gone" }]);
    expect((await anywhere("sessions", "list", "--projects")).stdout).toContain(shop.folder);
    expect(await anywhere("sessions", "delete", id, "--name", "app")).toMatchObject({ exit: 0 });
    expect((await anywhere("sessions", "list", "--projects")).stderr).toContain("no session log");
  });

  it("ask for the project's name, and remove nothing without it", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    const { stderr } = await shop.run("sessions", "delete");
    expect(stderr).toContain("cannot be restored");
    expect(stderr).toContain("Earlier skips, purges and times off no longer count");
    expect((await shop.run("sessions", "capture", "--all")).stderr).toContain(
      "No session of this project is known",
    );
    await keepTranscript(shop, new Session({ cwd: shop.folder }).asks("Long ago"));
    const past = await shop.run("sessions", "capture", "--all");
    expect(past.stderr).toContain("If you deleted an earlier session log of this project");
    const refused = await shop.run("sessions", "delete", "--name", "shop");
    expect(refused.stderr).toContain("nothing was removed");
    expect(await list(shop)).toHaveLength(1);
    const [, fix = ""] = /^fix: (.*)$/m.exec(refused.stderr) ?? [];
    const pasted = await runProcess("sh", ["-c", fix], shop.place());
    expect(pasted.stdout).toContain("Removed");
    expect(await list(shop)).toEqual([]);
    expect(textIn(shop, HOOKS)).toBeUndefined();
    expect((await shop.tryGit(["config", "--local", "sentinelMemory.record"])).exit).toBe(1);
  });
});

describe("where there is no git", () => {
  it("sessions off says what stays in the folder, and sessions delete leaves it as it was, with what others keep there", async () => {
    const notes = await testProject();
    await notes.write("todo.txt", "Buy milk\n");
    const before = readdirSync(notes.folder, { recursive: true });
    await notes.run("sessions", "on");
    expect((await notes.run("sessions", "off")).stdout).toContain(
      ".context/.local/record stays too",
    );
    await notes.run("sessions", "delete", "--name", basename(notes.folder));
    expect(readdirSync(notes.folder, { recursive: true })).toEqual(before);
    await notes.run("sessions", "on");
    await notes.write(".context/.local/hook-state.json", "{}");
    await notes.run("sessions", "delete", "--name", basename(notes.folder));
    const others = [".gitignore", "hook-state.json"];
    expect(readdirSync(notes.path(".context/.local")).sort()).toEqual(others);
  });
});

describe("the past", () => {
  /** Of a session that was started in the project. @returns the path of its transcript. */
  const asked = (shop: Project, id: string, day = "2026-10-01", cwd = shop.folder) => {
    const session = new Session({ id, cwd, at: Date.parse(`${day}T08:00:00.000Z`) });
    return keepTranscript(shop, session.asks("Fix the VAT"), shop.folder);
  };

  it("is not recorded by sessions on, which names the command that does, also for a folder that is gone, without that of other projects", async () => {
    const shop = await testRepository();
    await asked(shop, "old");
    await asked(shop, "late", "2026-10-02", shop.path("src"));
    await asked(shop, "else", "2026-09-01", shop.path("~/other"));
    const { stdout } = await shop.run("sessions", "on");
    expect(stdout).toMatch(/^The past is not recorded: .* sessions capture --since 30d /m);
    expect(await shop.json("sessions", "status")).toMatchObject({ status: "on", events: 0 });
    await shop.run("sessions", "capture", "--all", "--yes");
    expect((await shop.run("sessions", "on")).stdout, "it is on already").not.toContain("The past");
    expect(await shop.json("sessions", "list")).toMatchObject([
      { session: "late" },
      { session: "old", request: "Fix the VAT" },
    ]);
  });

  it("gives sessions skip the session that was written to last, unless the client or the person names one", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    expect((await shop.run("sessions", "skip")).stderr).toContain("No session");
    const old = await asked(shop, "old");
    await asked(shop, "new");
    await utimes(old, 1, 1);
    const unasked = await shop.run("sessions", "skip");
    expect(unasked.stdout).toContain("Session new, begun 2026-10-01T08:00:00.000Z, of which");
    expect(unasked.stderr).toContain("bad_argument");
    expect(await shop.json("sessions", "status")).toMatchObject({ skippedSessions: 0 });
    expect((await shop.run("sessions", "skip", "--yes")).stdout).toContain(
      "Left out permanently: session new",
    );
    expect((await shop.run("sessions", "skip", "old", "--yes")).stdout).toContain("session old");
    const inside = { cwd: shop.folder, env: { ...shop.env, CLAUDE_CODE_SESSION_ID: "mine" } };
    const { stdout } = await runProcess(process.execPath, [BIN, "sessions", "skip"], inside);
    expect(stdout).toContain("session mine");
    expect(await shop.json("sessions", "status")).toMatchObject({ skippedSessions: 3 });
  });

  it("leaves out the session that an id begins, and nothing where it is wrong or begins several", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    for (const session of [
      "30000000-0000-4000-8000-000000000001",
      "30000000-0000-4000-8000-000000000002",
    ]) {
      await asked(shop, session);
    }
    for (const command of ["skip", "purge"]) {
      for (const [name, code] of [
        ["30000000-0000-4000-8000-00000000000", "ambiguous"],
        ["30000000-0000-4000-8000-000000000003", "not_found"],
      ] as const) {
        expect(await shop.run("sessions", command, name, "--yes")).toMatchObject({
          exit: 1,
          stderr: expect.stringContaining(code),
        });
      }
    }
    await asked(shop, "4a000000-0000-4000-8000-000000000003");
    expect((await shop.run("sessions", "skip", "4a00", "--yes")).stderr).toContain(
      "too little of an id",
    );
    expect((await shop.run("sessions", "skip", "4a0000", "--yes")).stdout).toContain(
      "session 4a000000-0000-4000-8000-000000000003;",
    );
    expect(await shop.json("sessions", "status")).toMatchObject({ skippedSessions: 1 });
  });
});

describe("sessions status and export", () => {
  it("say what is the case where nothing was ever recorded", async () => {
    const shop = await testRepository();
    expect((await shop.run("sessions", "status")).stdout).toContain("sessions on turns it on");
    expect(await shop.json("sessions", "status")).toMatchObject({
      status: "never",
      findings: [{ id: "never_recorded", level: "ok" }],
    });
    expect((await shop.run("sessions", "export", "out.jsonl")).stderr).toContain("not_recorded");
  });

  it("say when it was on and off, and that this folder has no hooks", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    const tree = await shop.worktree("tree");
    expect((await tree.run("sessions", "status")).stdout).toContain("no current hooks");
    const list = async () => (await shop.run("sessions", "list")).stderr;
    expect(await list()).toMatch(/ sessions capture\n$/);
    await shop.run("sessions", "off");
    expect(await list()).toMatch(/^Nothing is recorded, .* sessions on\n$/);
    await shop.run("sessions", "on");
    const { intervals } = (await shop.json("sessions", "status")) as { intervals: object[] };
    expect(intervals).toMatchObject([{ off: expect.any(String) }, { on: expect.any(String) }]);
    expect(Object.keys(intervals[1] ?? {})).toEqual(["on"]);
  });

  it("write a file for the person alone, and not over one that is there", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    const file = join(shop.home, "out.jsonl");
    expect((await shop.run("sessions", "export", file)).stdout).toContain("0 events");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    expect(JSON.parse(before)).toMatchObject({ record: { project: shop.folder } });
    expect(await shop.run("sessions", "export", file)).toMatchObject({
      exit: 1,
      stderr: `error bad_argument: ${file} is there already.\nfix: Name another file, or move it away.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(before);
    const inside = await shop.run("sessions", "export", shop.path("out.jsonl"));
    expect([inside.exit, inside.stderr]).toEqual([
      1,
      expect.stringContaining("Name a file outside the repository"),
    ]);
    expect(existsSync(shop.path("out.jsonl"))).toBe(false);
    const { stdout: help } = await shop.run("sessions", "export", "--help");
    const [, example = ""] = /sessions export (\S+)$/m.exec(help) ?? [];
    expect(await shop.sentinel(["sessions", "export", example])).toMatchObject({ exit: 0 });
  });
});

describe("without sessions on", () => {
  it("no command but sessions on makes a session log, and a hook records nothing", async () => {
    const shop = await testRepository();
    await shop.run("init", "--agents", "claude");
    const before = filesOf(shop);
    for (const args of [
      ["sessions", "list", "--projects"],
      ["list", "--stats"],
      ["doctor"],
      ["search", "x"],
    ]) {
      await shop.run(...args);
    }
    expect(filesOf(shop)).toEqual(before);
  });
});
