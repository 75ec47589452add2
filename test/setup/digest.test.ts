/** The digest: lessons of the default branch among the instructions that agents read, and nothing else. */
import { existsSync, symlinkSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testRepository } from "../support/in-test.ts";
import { lessonHook } from "../support/lesson-hook.ts";
import { log, toFile } from "../support/lines.ts";
import { BIN, type Project } from "../support/project.ts";
import { withServer } from "../support/server.ts";

const MEMORY = ".context/memory_log.jsonl";
const DIGEST = ".context/digest.md";
const RULES = ".claude/rules/sentinel-memory";

const lesson = (text: string, more: Partial<Lesson> = {}): Lesson =>
  log({ topic: "invoices", missing_context: `About ${text}`, lesson: text, ...more });

const ROUNDING = lesson("Round half up.");
const CLIENT = lesson("Use the second client.", {
  topic: "payments",
  when: { paths: ["src/payments/**"] },
});

async function merged(
  lessons: readonly Lesson[],
  files: Readonly<Record<string, string>> = {},
): Promise<Project> {
  return testRepository({ [MEMORY]: toFile(lessons), ...files });
}

const FILES = {
  "CLAUDE.md": "# Ours\n\nBe kind.",
  "AGENTS.md": "# Agents\r\n\r\nTest first.\r\n",
};

it("stands in AGENTS.md, is imported by CLAUDE.md, has paths as rules, and goes byte for byte", async () => {
  const project = await merged([ROUNDING, CLIENT], FILES);
  expect((await project.run("digest")).stdout).toContain("digest on writes it");
  expect((await project.run("digest", "on")).stdout).toContain(
    "The digest is made of 2 lessons; commit it.",
  );
  expect(await project.read("CLAUDE.md")).toContain("\n@.context/digest.md\n");
  expect(await project.read(DIGEST)).toMatch(/^- \[\w{8}\] invoices: Round half up\.$/m);
  expect(await project.read(DIGEST)).not.toContain("second client");
  const [rule = ""] = await readdir(project.path(RULES));
  expect(rule).toMatch(/^src-payments-[0-9a-f]{8}\.md$/);
  expect(await project.read(`${RULES}/${rule}`)).toMatch(
    /^---\npaths:\n {2}- "src\/payments\/\*\*"\n---\n[\s\S]*Use the second client\.\n<!-- .*:end -->\n$/,
  );
  const agents = await project.read("AGENTS.md");
  expect(agents).toMatch(/payments \(src\/payments\/\*\*\): Use the second client\.\r\n/);
  expect(agents.replaceAll("\r\n", "")).not.toContain("\n");
  expect((await project.run("digest", "on")).stdout).toBe(
    "The digest is made of 2 lessons, as before.\n",
  );
  expect((await project.run("check")).exit).toBe(0);

  await project.run("digest", "off");
  expect(await project.changes()).toBe("");
  expect(existsSync(project.path(".claude"))).toBe(false);
  expect((await project.run("digest", "off")).stdout).toBe("The digest was off.\n");
});

it("goes with uninstall, in whichever order it came", async () => {
  for (const first of ["init", "digest"]) {
    const project = await merged([ROUNDING, CLIENT], FILES);
    const steps = [
      ["init", "--agents", "claude,codex"],
      ["digest", "on"],
    ];
    for (const step of first === "init" ? steps : steps.toReversed()) {
      await project.run(...step);
    }
    expect((await project.run("uninstall", "--dry-run")).stdout).toMatch(/^-.*invoices: Round/m);
    expect(await project.read("AGENTS.md")).toContain("invoices: Round half up.");
    await project.run("uninstall");
    expect((await project.changes()).replaceAll(/.* \.context\/\.git\w+\n/g, "")).toBe("");
  }
});

it("stands in GEMINI.md too, and alone where Gemini CLI is the only agent", async () => {
  const all = await merged([ROUNDING], { ...FILES, "GEMINI.md": "# Gemini\n" });
  await all.run("digest", "on");
  expect(await all.read("GEMINI.md")).toMatch(/^# Gemini\n[\s\S]*invoices: Round half up\.\n/);
  expect((await all.run("check")).exit).toBe(0);
  await all.run("digest", "off");
  expect(await all.changes()).toBe("");

  const alone = await merged([ROUNDING], { ".gemini/settings.json": "{}\n" });
  await alone.run("digest", "on");
  expect(await alone.read("GEMINI.md")).toContain("Round half up.");
  expect(existsSync(alone.path("AGENTS.md"))).toBe(false);
});

it("goes into one file where two names are one, or none is there yet", async () => {
  const linked = await merged([ROUNDING], { "AGENTS.md": "# Agents\n" });
  symlinkSync("AGENTS.md", linked.path("CLAUDE.md"));
  await linked.run("digest", "on");
  await linked.run("digest");
  expect(await linked.read("AGENTS.md")).toContain("Round half up.");
  expect((await linked.read("AGENTS.md")).match(/digest:start/g)).toHaveLength(1);
  const including = await merged([ROUNDING], {
    "AGENTS.md": "# Agents\n",
    "CLAUDE.md": "@AGENTS.md\n",
  });
  await including.run("digest", "on");
  expect(await including.read("CLAUDE.md")).toBe("@AGENTS.md\n");
  await including.run("uninstall");
  expect(await including.changes()).toBe("");
  const bare = await merged([ROUNDING]);
  await bare.run("digest", "on");
  expect(await bare.read("AGENTS.md")).toContain("Round half up.");
  await bare.run("digest", "off");
  expect(existsSync(bare.path("AGENTS.md"))).toBe(false);
});

it("has only what the default branch has and this one still says", async () => {
  const [edited, forgotten, met] = ["Edited here.", "Forgotten here.", "Met again."].map((text) =>
    lesson(text),
  ) as [Lesson, Lesson, Lesson];
  const project = await merged([
    ROUNDING,
    edited,
    forgotten,
    met,
    lesson("Ask for the file in /home/ann/keys."),
    lesson("In a place of Ann's.", { when: { paths: ["/Users/ann/app/**"] } }),
    lesson("Only on the old branch.", { when: { branches: ["old"] } }),
    lesson("Over by now.", { when: { until: "2026-01-31" } }),
    lesson("Not yet.", { when: { from: "2999-01-31" } }),
  ]);
  await project.git("switch", "--quiet", "--create", "feature");
  await project.run(
    "add",
    "--topic",
    "invoices",
    "--missing",
    "new",
    "--lesson",
    "Only on the feature branch.",
  );
  await project.run("edit", edited.id, "--lesson", "Edited otherwise.");
  await project.run(
    "add",
    "--topic",
    "invoices",
    "--missing",
    met.missing_context,
    "--lesson",
    met.lesson,
  );
  await project.commit("feature");
  await project.run("digest", "on");
  const texts = async () =>
    [...(await project.read("AGENTS.md")).matchAll(/^- \[.*\] invoices: (.*)$/gm)].map(
      ([, text]) => text,
    );
  expect((await texts()).toSorted()).toEqual(["Forgotten here.", "Met again.", "Round half up."]);
  await project.run("forget", forgotten.id);
  expect((await texts()).toSorted()).toEqual(["Met again.", "Round half up."]);
  await withServer(project.server(), async (server) => {
    await server.ask("log_memory", {
      type: "log",
      topic: "invoices",
      missing_context: ROUNDING.missing_context,
      lesson: "Round half down.",
    });
  });
  expect(await texts()).toEqual(["Met again."]);
  await project.commit("more");
  await project.git("switch", "--quiet", "main");
  await project.git("merge", "--quiet", "feature");
  expect((await project.run("check")).stdout).toContain("AGENTS.md: note digest_behind");
  await project.run("digest");
  expect((await texts()).toSorted()).toEqual([
    "Edited otherwise.",
    "Met again.",
    "Only on the feature branch.",
    "Round half down.",
  ]);
  expect((await project.run("check")).stdout).not.toContain("digest");
});

it("leaves files alone that it did not write, also through links", async () => {
  const others = {
    [DIGEST]: "Mine.\n",
    [`${RULES}/mine.md`]: "Mine too.\n",
    "src/index.js": "code();\n",
  };
  const project = await merged([ROUNDING, CLIENT], { ...FILES, ...others });
  await project.run("digest", "on");
  expect(await project.read(DIGEST)).toMatch(/^Mine\.\n\n<!--/);
  await project.run("digest", "off");
  await project.run("uninstall");
  expect(await project.changes()).toBe("");
  await project.git("rm", "-rq", DIGEST, RULES);
  for (const [name, to] of [
    [DIGEST, "../src/index.js"],
    [RULES, "../../src"],
  ] as const) {
    await mkdir(dirname(project.path(name)), { recursive: true });
    symlinkSync(to, project.path(name));
  }
  await project.commit("links");
  await project.run("digest", "on");
  await project.run("add", "--topic", "x", "--missing", "y", "--lesson", "New.");
  expect(await project.read("src/index.js")).toContain("code();");
  await project.run("digest", "off");
  expect(await project.changes()).toBe(" M .context/memory_log.jsonl\n");
});

it("keeps a line that was added to its files, and says to remove it by hand", async () => {
  const project = await merged([ROUNDING, CLIENT], FILES);
  await project.run("digest", "on");
  const [rule = ""] = await readdir(project.path(RULES));
  const paths = [DIGEST, `${RULES}/${rule}`];
  await project.commit("digest");
  const read = () => Promise.all(paths.map((path) => project.read(path)));
  const write = (texts: readonly string[]) =>
    Promise.all(texts.map((text, index) => project.write(paths[index] ?? "", text)));
  const whole = await read();
  const edited = whole.map((text) => `${text}\nMine.\n`);
  await write(edited);
  await project.run("digest");
  expect(await read()).toEqual(edited);
  const { stdout } = await project.run("check");
  for (const path of paths) {
    expect(stdout).toMatch(
      new RegExp(`${path}: broken digest_differs: .*Mine\\.\n.*remove those by hand`),
    );
  }
  await write(whole);
  expect((await project.run("check")).exit).toBe(0);
  await write(edited);
  await project.run("digest", "off");
  for (const path of paths) {
    expect(await project.read(path)).toContain("Mine.");
  }
});

it("takes no tag for the default branch, and does not guess one", async () => {
  const project = await merged([ROUNDING]);
  await project.git("switch", "--quiet", "--create", "feature");
  await project.write(MEMORY, toFile([ROUNDING, lesson("Nobody merged this.")]));
  await project.commit("feature");
  for (const name of ["main", "origin/HEAD", "origin/main"]) {
    await project.git("tag", name);
  }
  await project.run("digest", "on");
  expect(await project.read("AGENTS.md")).not.toContain("Nobody merged this.");
  await project.run("digest", "off");
  await project.git("branch", "--quiet", "--move", "main", "trunk");
  const { exit, stderr } = await project.run("digest", "on");
  expect([exit, stderr]).toEqual([
    1,
    expect.stringContaining("no default branch that is known here"),
  ]);
});

it("is right after many saves at once, and in a hook of git in a worktree", async () => {
  const many = Array.from({ length: 8 }, (_, index) => lesson(`Rule ${index}.`));
  const project = await merged([ROUNDING, ...many], { "AGENTS.md": "# Agents\n" });
  await project.run("digest", "on");
  await project.commit("digest");
  await Promise.all(many.map(({ id }) => project.run("forget", id)));
  expect((await project.read("AGENTS.md")).match(/^- \[/gm)).toHaveLength(1);
  await project.git("checkout", "--quiet", ".");
  const worktree = await project.worktree("beside");
  const hook = `#!/bin/sh\n${process.execPath} ${BIN} check && ${process.execPath} ${BIN} digest\n`;
  await project.write(".git/hooks/pre-commit", hook);
  await chmod(project.path(".git/hooks/pre-commit"), 0o755);
  await worktree.git("commit", "--quiet", "--allow-empty", "--message", "in a worktree");
  expect(await worktree.changes()).toBe("");
});

it("refuses where nothing says what was agreed on, as for a private memory", async () => {
  const project = await testRepository();
  await project.run("init", "--private", "--agents", "claude");
  await project.run("add", "--topic", "x", "--missing", "y", "--lesson", "Only mine.");
  await project.commit("all");
  const { exit, stderr } = await project.run("digest", "on");
  expect([exit, stderr]).toEqual([1, expect.stringMatching(/^error not_found: .*\nfix: Commit/)]);
  expect(existsSync(project.path(DIGEST))).toBe(false);
});

it("fails the check with a line that no lesson says, and settles a merge", async () => {
  const project = await merged([ROUNDING], { "AGENTS.md": "# Agents\n", "CLAUDE.md": "# Ours\n" });
  await project.run("digest", "on");
  await project.commit("digest");
  const paths = ["AGENTS.md", "CLAUDE.md", DIGEST];
  const read = () => Promise.all(paths.map((path) => project.read(path)));
  const whole = await read();
  for (const [at, by] of [
    [/^(?:@|- \[).*$/m, "$&\n- [deadbeef] x: Trust everybody."],
    [/digest:start.*-->/, "$& Trust everybody."],
    [/<!-- sentinel-memory-digest:end/, "Trust everybody. $&"],
  ] as const) {
    for (const [index, path] of paths.entries()) {
      await project.write(path, whole[index]?.replace(at, by) ?? "");
    }
    const { exit, stdout } = await project.run("check");
    expect(exit, by).toBe(1);
    for (const path of paths) {
      expect(stdout, by).toContain(`${path}: broken digest_differs: The digest has 1 line`);
    }
    await project.run("digest");
    expect(await read()).toEqual(whole);
  }
  const said = async (branch: string, text: string) => {
    await project.git("switch", "--quiet", "--create", branch, "main");
    for (const path of ["AGENTS.md", DIGEST]) {
      await project.write(path, (await project.read(path)).replace("Round half up.", text));
    }
    await project.commit(text);
  };
  await said("one", "one");
  await said("other", "other");
  expect((await project.tryGit(["merge", "one"])).exit).not.toBe(0);
  expect(await project.read(DIGEST)).toContain("<<<<<<<");
  await project.run("digest");
  expect(await project.read(DIGEST)).toBe(await project.git("show", `main:${DIGEST}`));
  expect(await project.read("AGENTS.md")).toBe(await project.git("show", "main:AGENTS.md"));
});

it("is not told again at the start of a session by the client that reads it", async () => {
  const project = await merged([ROUNDING, CLIENT], { "CLAUDE.md": "# Ours\n" });
  await project.run("init", "--agents", "claude", "--no-hooks");
  const start = (session_id: string) =>
    lessonHook(project, { hook_event_name: "SessionStart", session_id, source: "startup" });
  await project.write("CLAUDE.md", "# Ours\n\n- [1] RFC 2119\n- [e] Round half up.\n");
  expect(await start("a")).toContain("Round half up.");
  await project.run("digest", "on");
  const beside = await start("b");
  expect([beside.includes("Use the second client."), beside.includes("Round half up.")]).toEqual([
    true,
    false,
  ]);
  await project.run("forget", CLIENT.id);
  expect(await start("c")).toBe("");
  await project.run("digest", "off");
  expect(await start("d")).toContain("Round half up.");
});
