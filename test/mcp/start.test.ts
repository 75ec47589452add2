/** A start: it changes nothing on disk, and one that fails says why. */
import { readdirSync, statSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { greeting, toInput } from "../support/exchange.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { BIN, type Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const ASKED = [
  { id: 1, method: "tools/list" },
  { id: 2, method: "prompts/list" },
  { id: 3, method: "ping" },
];

/** What a client hears until it has the list of tools. */
async function answersOf({ env, folder }: Project) {
  const stdin = toInput([...greeting("bench"), ...ASKED]);
  const { stdout } = await runProcess(process.execPath, [BIN], { env, cwd: folder, stdin });
  const answers = stdout.trim().split("\n");
  return answers.map((line) => JSON.parse(line));
}

it("writes nothing, recorded or not", async () => {
  const project = await testProject({ git: true, lines: [log()] });
  const names = async () => {
    const before = stateOf(project.home);
    const answers = await answersOf(project);
    expect(stateOf(project.home)).toEqual(before);
    return answers
      .find(({ id }) => id === 1)
      .result.tools.map(({ name }: { name: string }) => name);
  };
  const lessons = await names();
  await project.run("sessions", "on");
  expect(await names()).toEqual(expect.arrayContaining([...lessons, "record_event"]));
});

/** Every file and folder, with its size and when it was changed. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

describe("a copy that cannot start", () => {
  const PROGRAM = "server/sentinel-memory.cjs";
  /** Says that it is another Node. */
  const OLD_NODE = `Object.defineProperty(process.versions, "node", { value: "18.20.0" });
Object.defineProperty(process, "version", { value: "v18.20.0" });`;

  async function copy(): Promise<string> {
    const folder = testFolder();
    await cp(dirname(BIN), folder, { recursive: true });
    return folder;
  }

  const started = async (args: readonly string[], stdin = toInput(greeting("test"))) => {
    const { env, folder } = await testProject({ git: true });
    return runProcess(process.execPath, args, { env, cwd: folder, stdin });
  };

  it("says so to a client and to a person, and nothing to an agent's hook", async () => {
    const folder = await copy();
    const program = join(folder, PROGRAM);
    await writeFile(join(folder, "server/program.cjs"), "<<<<<<< HEAD\n");
    await writeFile(join(folder, "server/hook.cjs"), "<<<<<<< HEAD\n");
    const server = await started([program]);
    const message = expect.stringContaining("could not start");
    expect(JSON.parse(server.stdout)).toEqual({
      jsonrpc: "2.0",
      id: 0,
      error: { code: -32603, message },
    });
    expect(server.exit).toBe(1);
    expect(await started([program, "list"])).toMatchObject({ exit: 1, stderr: message });
    const hook = { hook_event_name: "Stop", session_id: "s" };
    for (const argument of ["hook", "session-hook"]) {
      expect(await started([program, argument], JSON.stringify(hook))).toMatchObject({
        exit: 0,
        stdout: "",
        stderr: "",
      });
    }
  });

  it("says which Node it needs", async () => {
    const folder = await copy();
    const old = join(folder, "old.cjs");
    await writeFile(old, OLD_NODE);
    const { stdout, stderr, exit } = await started(["--require", old, join(folder, PROGRAM)]);
    const needs = "needs Node 20.17 or later, and this is v18.20.0";
    expect([JSON.parse(stdout).error.message, stderr, exit]).toEqual([
      expect.stringContaining(needs),
      expect.stringContaining(needs),
      1,
    ]);
  });
});
