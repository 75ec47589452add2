/** Every command that the program prints exists, and is printed as this user can run it. */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { withServer } from "../support/server.ts";

/** Words that follow the program's name in a sentence about it. */
const PROSE = ["server", "markers", "in", "is", "on", "it", "needs"];

describe("the commands in the texts of the source", () => {
  const texts = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join("src", name), "utf8"));
  const calls = texts.flatMap(callsIn);
  /** The options of each command, or of a group of commands, by its words. */
  const options = new Map<string, readonly string[]>();

  beforeAll(async () => {
    const names = new Set(calls.map(([name]) => name).filter((name) => !PROSE.includes(name)));
    await Promise.all([...names, "help"].map(learn));
  });

  /** Asks a process for the help of a command, and of those below it. */
  async function learn(words: string): Promise<void> {
    const args = [resolve("dist/cli.mjs"), ...words.split(" "), "--help"];
    const { exit, stdout } = await runProcess(process.execPath, args, { cwd: tmpdir(), env: {} });
    if (exit !== 0 || !stdout.startsWith(`Usage: sentinel-memory ${words} `)) {
      return;
    }
    options.set(words, stdout.match(/--[a-z-]+/g) ?? []);
    const [, list = ""] = stdout.split("\nCommands:\n");
    const inner = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = ""]) => name);
    await Promise.all(
      inner.filter((name) => name !== "help").map((name) => learn(`${words} ${name}`)),
    );
  }

  /** What is wrong with a call; undefined for a command that exists with its options. */
  function problemOf([...words]: Call): string | undefined {
    const flags = words.filter((word) => word.startsWith("--"));
    const paths = words.map((_, at) => words.slice(0, at + 1).join(" "));
    const path = paths.findLast((known) => options.has(known));
    if (path === undefined) {
      return `no command: ${words.join(" ")}`;
    }
    const isGroup = [...options.keys()].some((other) => other.startsWith(`${path} `));
    if (isGroup && words.length > path.split(" ").length) {
      return `no command: ${words.join(" ")}`;
    }
    const unknown = flags.filter((flag) => !options.get(path)?.includes(flag));
    return unknown.length === 0 ? undefined : `${path} has no ${unknown.join(" ")}`;
  }

  const wrongIn = (all: readonly Call[]) =>
    all.filter(([name]) => !PROSE.includes(name)).flatMap((call) => problemOf(call) ?? []);

  it("exist, with their options", () => {
    expect(calls.length).toBeGreaterThan(120);
    expect(options.size).toBeGreaterThan(30);
    expect(wrongIn(calls)).toEqual([]);
  });

  it("would be found wrong", () => {
    const source = [
      'const fix = "sentinel-memory record on starts one";',
      "const next = `sentinel-memory sessions play ${id}`;",
      'const how = "sentinel-memory review --yes ID keeps it";',
      'const right = "sentinel-memory review --keep ID keeps it. The sentinel-memory server runs.";',
      "// sentinel-memory lists",
    ].join("\n");
    expect(wrongIn(callsIn(source))).toEqual([
      "no command: record on starts one",
      "no command: sessions play",
      "review has no --yes",
    ]);
  });
});

describe("a project that keeps the server", () => {
  const PRINTED = /\S*sm sessions [a-z]+/;

  /** A project whose agents start the copy, and which depends on nothing else. */
  async function vendored() {
    const project = await testRepository();
    await project.sentinel(["init", "--vendor", "--agents", "claude"]);
    const shell = (line: string, below?: string) =>
      runProcess("sh", ["-c", line], project.place(below));
    return { project, shell };
  }

  it("prints its short name in errors, from any folder, and that runs", async () => {
    const { project, shell } = await vendored();
    await project.write("src/a.txt", "");
    for (const [below, program] of [
      [".", ".context/server/sm"],
      ["src", "../.context/server/sm"],
    ] as const) {
      const { exit, stderr } = await shell(`${program} tasks`, below);
      expect([exit, stderr]).toEqual([1, expect.stringContaining(`fix: ${program} sessions on`)]);
      const [command = ""] = PRINTED.exec(stderr) ?? [];
      expect((await shell(`${command} --help`, below)).stdout).toContain("Usage: ");
      const help = await shell(`${program} forget --help`, below);
      expect(help.stdout).toContain(`Example:\n  ${program} forget `);
    }
  });

  it("acts on its own project if it's typed outside, but init sets up the current one", async () => {
    const { project } = await vendored();
    const other = new Project(project.home, "other");
    await other.furnishRepository();
    const shell = (line: string) => runProcess("sh", ["-c", line], other.place());
    const on = await shell("../app/.context/server/sm sessions on");
    expect(on.stdout).toContain(`from now on: ${project.folder}\n`);
    const [off = ""] = /\S+\/sm sessions off/.exec(on.stdout) ?? [];
    expect((await shell(off)).stdout).toContain(`from now on: ${project.folder}\n`);
    expect((await shell("../app/.context/server/sm doctor")).stdout).toContain(project.folder);
    expect(await other.changes()).toBe("");
    await shell("../app/.context/server/sm init --agents claude");
    expect(await other.changes()).toContain(".mcp.json");
  });

  it("prints it over MCP too", async () => {
    const { project, shell } = await vendored();
    const { command, args } = JSON.parse(await project.read(".mcp.json")).mcpServers[
      "sentinel-memory"
    ];
    const start = { command, args, cwd: project.folder, env: project.env };
    const { text, isError } = await withServer(start, (server) =>
      server.call("query_decisions", { query: "database" }),
    );
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining(" .context/server/sm sessions on"),
    ]);
    const [printed = ""] = PRINTED.exec(text) ?? [];
    expect((await shell(`${printed} --help`)).stdout).toContain("Usage: ");
  });

  it("leaves stored text as it is", async () => {
    const { shell } = await vendored();
    const lesson = "Never call sentinel-memory purge in CI";
    const added = await shell(
      `.context/server/sm add --topic ci --missing "CI must not purge" --lesson "${lesson}"`,
    );
    expect(added.stdout).toContain(lesson);
    expect((await shell(".context/server/sm search purge")).stdout).toContain(lesson);
    expect((await shell(".context/server/sm list --json")).stdout).toContain(lesson);
  });
});

/** The words and options that follow the program's name. */
type Call = readonly [name: string, ...more: string[]];

/** The calls in the text of a source file, without its comments. */
function callsIn(source: string): Call[] {
  const code = source.replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
  const found = code.matchAll(/(?<![\w./-])sentinel-memory ([a-z][^`"'\n.,;:()]*)/g);
  return [...found].map(([, rest = ""]) => {
    const [name = "", ...more] = rest.trim().split(" ");
    return [name, ...more.filter((word) => /^(?:--)?[a-z][a-z-]*$/.test(word))];
  });
}
