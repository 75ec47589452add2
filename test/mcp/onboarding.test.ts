/**
 * An agent comes into an old repository and is asked what it is for: the loop of `examples/`, with real file tools, a real server and a
 * scripted model that knows only its context. Later loops answer from what the first one saw.
 */
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, Project } from "../support/project.ts";
import { eventsOf, recordFromTheStart } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";

/** A library from 2011 that everybody has. */
const OLD = resolve("node_modules/graceful-fs");
const MODEL = resolve("test/support/models/onboarding.mjs");
const LOOP = resolve("examples/agent-loop.mjs");
const MOST_TOKENS = 6_000;

let repository: Project;
beforeAll(async () => {
  repository = await Project.repository();
  cpSync(OLD, repository.folder, { recursive: true });
  await repository.write(".context/views/rules.project.md", "Never touch the order of the patches.\n");
  await recordFromTheStart(repository);
});
afterAll(() => repository.remove());

const log = () => join(repository.home, "model.jsonl");
const given = () =>
  readFileSync(log(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { task: string; context: string });

async function ask(task: string): Promise<string> {
  const env = { ...repository.env, MODEL_LOG: log(), SENTINEL_COMMAND: `${process.execPath} ${BIN}` };
  const ended = await runProcess(process.execPath, [LOOP, MODEL, task], { cwd: repository.folder, env });
  expect(ended.stderr.replaceAll(/^.*ExperimentalWarning.*$/gm, "").trim()).toBe("");
  return ended.stdout;
}

it("says how the loop is called, where it is called without a model or a task", async () => {
  for (const args of [[], [MODEL]]) {
    const { exit, stdout, stderr } = await runProcess(process.execPath, [LOOP, ...args], repository.place());
    expect([exit, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Usage: node agent-loop\.mjs MODEL\.mjs .*\n$/);
  }
});

it("says in a line why it cannot go on, where the model is missing or nothing is recorded", async () => {
  const quiet = await Project.repository();
  const run = (model: string) =>
    runProcess(process.execPath, [LOOP, model, "Go on"], {
      cwd: quiet.folder,
      env: { ...quiet.env, SENTINEL_COMMAND: `${process.execPath} ${BIN}` },
    });
  const missing = await run("missing.mjs");
  expect([missing.exit, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^Cannot find module '.*missing\.mjs'.*\n$/),
  ]);
  const off = await run(MODEL);
  expect([off.exit, off.stderr]).toEqual([1, expect.stringContaining("sentinel-memory record on")]);
  expect(off.stderr).not.toContain("    at ");
  await quiet.remove();
});

it("says in a line that the server did not start and what names it, and that the steps were not enough", async () => {
  const project = await Project.repository();
  await recordFromTheStart(project);
  await project.write("model.mjs", 'export const model = () => ({ tool: "list_files" });\n');
  const run = (server: string) =>
    runProcess(process.execPath, [LOOP, "model.mjs", "Go on"], {
      cwd: project.folder,
      env: { ...project.env, SENTINEL_COMMAND: server },
    });
  for (const server of [`${process.execPath} missing.cjs`, "no-such-program"]) {
    const { exit, stderr } = await run(server);
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`The server did not start with ${server}: `)]);
    expect(stderr).toContain('SENTINEL_COMMAND="node .context/server/sentinel-memory.cjs"');
  }
  const { exit, stderr } = await run(`${process.execPath} ${BIN}`);
  expect([exit, stderr]).toEqual([1, "No answer within 20 steps. What they did is recorded.\n"]);
  await project.remove();
});

describe("an old repository", () => {
  let answer = "";
  beforeAll(async () => {
    answer = await ask("What is this project for?");
  }, 60_000);

  it("is told of from what its own files say", () => {
    expect(answer).toContain("It says: drop-in replacement for the fs module,");
  });

  it("leaves everything that was asked, run, decided and answered in the session log, with its grounds", async () => {
    const events = await eventsOf(repository);
    const kinds = events.map(({ kind }) => kind);
    for (const kind of ["message", "tool_call", "tool_result", "decision"] as const) expect(kinds).toContain(kind);
    const [asked] = events;
    expect(asked).toMatchObject({ actor: { type: "agent" }, content: { quotes: "human" } });
    const ids = new Set(events.map(({ id }) => id));
    const decision = events.find(({ kind }) => kind === "decision");
    expect(decision?.refs.length).toBeGreaterThan(0);
    expect(decision?.refs.every((ref) => ids.has(ref))).toBe(true);
    expect(events.at(-1)?.refs.length, "the answer names what it rests on").toBeGreaterThan(0);
    const read = events.find(({ kind, content }) => kind === "tool_result" && content.path === "README.md");
    expect(read?.content.excerpt_text).toBe(readFileSync(join(OLD, "README.md"), "utf8"));
    expect(events.find(({ content }) => content.path === "missing.md" && content.outcome === "failed")).toBeDefined();
  });

  it("gives the model a context within its budget, with the rules, and with what the tools found", () => {
    const contexts = given().map(({ context }) => context);
    for (const context of contexts) expect(countTokens(context)).toBeLessThan(MOST_TOKENS * 1.1);
    const last = contexts.at(-1) ?? "";
    expect(last).toContain("intent: onboarding");
    expect(last).toContain("Never touch the order of the patches.");
    for (const found of ["drop-in replacement", '"main": "graceful-fs.js"', "module.exports"])
      expect(last).toContain(found);
    expect(last).toContain("decided");
    expect(last).toContain("confidence 0.6");
    expect(last).toMatch(/failed: missing\.md/);
  });

  it.each([
    ["How do I run its tests?", "nyc --silent node test.js"],
    ["Where is the API defined?", "graceful-fs.js"],
    ["Which tests exist?", "test.js"],
    ["What are the main modules?", "polyfills.js"],
  ])("is remembered by a later loop that reads no file: %s", async (question, fact) => {
    const before = (await eventsOf(repository)).filter(({ kind }) => kind === "tool_call").length;
    expect(await ask(question)).toContain(fact);
    expect((await eventsOf(repository)).filter(({ kind }) => kind === "tool_call")).toHaveLength(before);
  });
});
