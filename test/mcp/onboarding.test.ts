/** The loop of `examples/` in an old repository whose session log is in files, and what it says where it cannot go on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { itIsExplored, LOOP, MODEL, oldRepository } from "../support/old-repository.ts";
import { BIN, Project } from "../support/project.ts";
import { recordFromTheStart } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";

let repository: Project;
beforeAll(async () => {
  repository = await oldRepository();
  await recordFromTheStart(repository);
});
afterAll(() => repository.remove());

itIsExplored(() => repository);

it("says how the loop is called, where it is called without a model or a task", async () => {
  for (const args of [[], [MODEL]]) {
    const { exit, stdout, stderr } = await runProcess(
      process.execPath,
      [LOOP, ...args],
      repository.place(),
    );
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
  expect([off.exit, off.stderr]).toEqual([1, expect.stringContaining(" sessions on")]);
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
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining(`The server did not start with ${server}: `),
    ]);
    expect(stderr).toContain('SENTINEL_COMMAND="node .context/server/sentinel-memory.cjs"');
  }
  const { exit, stderr } = await run(`${process.execPath} ${BIN}`);
  expect([exit, stderr]).toEqual([1, "No answer within 20 steps. What they did is recorded.\n"]);
  await project.remove();
});
