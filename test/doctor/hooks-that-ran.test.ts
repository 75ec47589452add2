/** What doctor says of the hooks of each agent: a hook that an agent does not run is silent, and so is one that fails. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testCopy, testRepository } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const LESSON = logLine("deploy", "Deploys are frozen on Fridays", 10, { lesson: "Ask Ann first" });
const ERRORS = ".context/.local/hook-errors.log";

let prepared: Project;
beforeAll(async () => {
  prepared = await Project.repository();
  await prepared.write(".context/memory_log.jsonl", `${LESSON}\n`);
  await prepared.sentinel(["init", "--agents", "claude,vscode"]);
});
afterAll(() => prepared.remove());

async function linesOf(shop: Project, start: RegExp): Promise<string[]> {
  const found = (await shop.json("doctor")) as { what: string }[];
  return found.map(({ what }) => what).filter((what) => start.test(what));
}

/** Runs the hook of the copy as an agent in the project's folder does. */
async function hook(shop: Project, input: string): Promise<string> {
  const args = [shop.path(".context/server/sentinel-memory.cjs"), "hook"];
  const place = { cwd: shop.folder, env: shop.env, stdin: input };
  const { exit, stdout, stderr } = await runProcess(process.execPath, args, place);
  expect([stderr, exit]).toEqual(["", 0]);
  return stdout;
}

it("shows the last hook and the last lesson of each agent", async () => {
  const shop = await testCopy(prepared);
  const before = await linesOf(shop, /last lesson|no hook ran/);
  expect(before).toEqual([
    "Claude Code: no hook ran in the last 7 days, no lesson given yet",
    "VS Code: no hook ran in the last 7 days, no lesson given yet",
  ]);
  const start = { hook_event_name: "SessionStart", session_id: "s", cwd: shop.folder };
  expect(await hook(shop, JSON.stringify(start))).toContain("Ask Ann first");
  const minute = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
  expect(await linesOf(shop, /last lesson|no hook ran/)).toEqual([
    expect.stringMatching(new RegExp(`^Claude Code: last hook ${minute}, last lesson ${minute}$`)),
    "VS Code: no hook ran in the last 7 days, no lesson given yet",
  ]);
});

const SECRET_WORDS = "the launch is on Friday";
it.each([
  ["is not JSON", `{"prompt": "${SECRET_WORDS}`, "its payload is not JSON", ""],
  ["is not an object", "[]", "names no event", ""],
  [
    "is of an event that init does not set up",
    JSON.stringify({ hook_event_name: "BeforeLunch", session_id: "s", prompt: SECRET_WORDS }),
    "Claude Code called a hook at BeforeLunch",
    "",
  ],
  [
    "is such a one of Cursor",
    JSON.stringify({ hook_event_name: "beforeLunch", cursor_version: "3", prompt: SECRET_WORDS }),
    "Cursor called a hook at beforeLunch",
    "{}",
  ],
])("shows a payload that %s, which gets an empty answer", async (_, input, said, answer) => {
  const shop = await testCopy(prepared);
  expect(await hook(shop, input)).toBe(answer);
  const lines = (await shop.read(ERRORS)).trim().split("\n");
  expect(lines).toEqual([expect.stringContaining(said)]);
  expect(lines[0]).not.toContain(SECRET_WORDS);
  expect(await linesOf(shop, /^1 hook call failed/)).toEqual([expect.stringContaining(said)]);
});

it("lists a failed call of Cursor in the project of its payload", async () => {
  const shop = await testCopy(prepared);
  const other = await testRepository();
  await other.write(".context/memory_log.jsonl", "");
  const payload = { hook_event_name: "beforeLunch", cursor_version: "3" };
  const stdin = JSON.stringify({ ...payload, workspace_roots: [shop.folder] });
  // An agent that was started in a terminal of Claude Code inherits its variable.
  const env = { ...shop.env, CLAUDE_PROJECT_DIR: other.folder };
  const args = [shop.path(".context/server/sentinel-memory.cjs"), "hook"];
  const ran = await runProcess(process.execPath, args, { cwd: other.folder, env, stdin });
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  expect(await linesOf(shop, /^1 hook call failed/)).toHaveLength(1);
  expect(await linesOf(other, /hook call failed/)).toEqual([]);
});

it("lists an unreadable payload in the project that Claude Code's variable names", async () => {
  const shop = await testCopy(prepared);
  const args = [shop.path(".context/server/sentinel-memory.cjs"), "hook"];
  const env = { ...shop.env, CLAUDE_PROJECT_DIR: shop.folder };
  await runProcess(process.execPath, args, { cwd: shop.home, env, stdin: "no JSON" });
  expect(await linesOf(shop, /^1 hook call failed/)).toHaveLength(1);
});
