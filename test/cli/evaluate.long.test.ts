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
    await writeFile(model, "export async function model() {\n  throw new Error('The model is away');\n}\n");
    const run = () => {
      const env = { PATH: process.env.PATH ?? "", HOME: cwd };
      return runProcess(process.execPath, [EVALUATE, model, "--cap", "11"], { cwd, env, deadline: 900_000 });
    };
    for (let tries = 1; tries <= 2; tries++)
      expect(await run()).toMatchObject({ exit: 1, stderr: expect.stringContaining("The model is away") });
    const lines = (await readFile(join(cwd, "results.jsonl"), "utf8")).trim().split("\n");
    const [first, again] = lines.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ task: "vat", arm: "none", calls: 1 });
    expect(again).toEqual(first);
    expect(await run()).toMatchObject({ exit: 0, stdout: expect.stringContaining("Ended before 11 calls") });
  });

  it("ends at its cap, goes on from there, and tells the arms apart", async () => {
    const cwd = testFolder();
    const run = (...options: string[]) => {
      const env = { PATH: process.env.PATH ?? "", HOME: cwd };
      return runProcess(process.execPath, [EVALUATE, MODEL, ...options], { cwd, env, deadline: 900_000 });
    };
    const first = await run("--cap", "30");
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining("Ended before 30 calls") });
    const before = await readFile(join(cwd, "results.jsonl"), "utf8");
    const { exit, stdout, stderr } = await run();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect((await readFile(join(cwd, "results.jsonl"), "utf8")).startsWith(before)).toBe(true);
    const arms = [...stdout.matchAll(/^\| (\w+) \| (\d+) \| (\d+) \| (\d+) /gm)].map(([, ...cells]) => cells.join(" "));
    expect(arms).toEqual(["none 10 10 0", "start 10 10 10", "action 10 10 10", "shuffled 10 10 0"]);
  });
});
