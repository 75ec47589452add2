/** The evaluation that a person runs with a model of their own, here with a scripted one. */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../support/in-test.ts";
import { runProcess } from "../support/run-process.ts";

const EVALUATE = resolve("examples/evaluate/evaluate.mjs");
const MODEL = resolve("test/support/models/repairs.mjs");

describe("examples/evaluate", () => {
  it("counts the calls of runs that broke off, and runs them again below the cap", async () => {
    const cwd = testFolder();
    const model = join(cwd, "away.mjs");
    await writeFile(
      model,
      "export async function model() {\n  throw new Error('The model is away');\n}\n",
    );
    const run = () => {
      const env = { PATH: process.env.PATH ?? "", HOME: cwd };
      return runProcess(process.execPath, [EVALUATE, model, "--cap", "11"], {
        cwd,
        env,
        deadline: 900_000,
      });
    };
    for (let tries = 1; tries <= 2; tries++) {
      expect(await run()).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining("The model is away"),
      });
    }
    const lines = (await readFile(join(cwd, "results.jsonl"), "utf8")).trim().split("\n");
    const [first, again] = lines.map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      task: "vat",
      arm: "none",
      calls: 1,
      failed: "Error: The model is away",
    });
    expect(again).toEqual(first);
    expect(await run()).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("Stopped before 11 calls"),
    });
  });

  it("stops at its cap, continues from there, and tells the arms apart", async () => {
    const cwd = testFolder();
    const run = async (...options: string[]) => {
      const env = { PATH: process.env.PATH ?? "", HOME: cwd };
      const evaluation = [EVALUATE, MODEL, "--tasks", "vat,sort-names,total", ...options];
      const ran = await runProcess(process.execPath, evaluation, { cwd, env, deadline: 900_000 });
      expect(ran).toMatchObject({ exit: 0, stderr: "" });
      return ran.stdout;
    };
    expect(await run("--cap", "60")).toContain("Stopped before 60 calls");
    const before = await readFile(join(cwd, "results.jsonl"), "utf8");
    const rows = rowsOf(await run("--others", "50"));
    expect((await readFile(join(cwd, "results.jsonl"), "utf8")).startsWith(before)).toBe(true);
    expect(rows.map(({ arm, runs, works }) => `${arm} ${runs} ${works}`)).toEqual(
      ["none", "start", "prompt", "search", "action", "shuffled", "own"].map((arm) => `${arm} 3 3`),
    );
    const avoided = Object.fromEntries(rows.map((row) => [row.arm, row.avoided]));
    expect(avoided).toMatchObject({
      none: 0,
      shuffled: 0,
      prompt: 3,
      search: 3,
      action: 3,
      own: 3,
    });

    const unnamed = rowsOf(await run("--no-paths", "--arms", "action,search"));
    expect(unnamed).toMatchObject([
      { arm: "action", runs: 3, avoided: 0 },
      { arm: "search", runs: 3, avoided: 3 },
    ]);
  });

  it("refuses an arm or a task it doesn't have", async () => {
    const cwd = testFolder();
    const env = { PATH: process.env.PATH ?? "", HOME: cwd };
    const ran = await runProcess(process.execPath, [EVALUATE, MODEL, "--arms", "none,magic"], {
      cwd,
      env,
    });
    expect(ran).toMatchObject({ exit: 2, stderr: expect.stringContaining("Unknown arm: magic") });
    const other = await runProcess(process.execPath, [EVALUATE, MODEL, "--tasks", "fly"], {
      cwd,
      env,
    });
    expect(other).toMatchObject({ exit: 2, stderr: expect.stringContaining("Unknown task: fly") });
  });
});

/** The rows of the table at the end. */
function rowsOf(stdout: string): { arm: string; runs: number; works: number; avoided: number }[] {
  return [...stdout.matchAll(/^\| (\w+) \| (\d+) \| (\d+) \| (\d+) /gm)].map(
    ([, arm = "", ...figures]) => {
      const [runs = 0, works = 0, avoided = 0] = figures.map(Number);
      return { arm, runs, works, avoided };
    },
  );
}
