/** What doctor finds for Cursor: mistakes for which it ignores a file, and no advice for a client that is not in use. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testCopy } from "../support/in-test.ts";
import { Project } from "../support/project.ts";

const HOOKS = ".cursor/hooks.json";

let prepared: Project;
let shop: Project;
beforeAll(async () => {
  prepared = await Project.repository();
  await prepared.sentinel(["init", "--vendor", "--agents", "cursor"]);
  await prepared.commit("init");
});
afterAll(() => prepared.remove());
beforeEach(async () => {
  shop = await testCopy(prepared);
});

async function warnings(): Promise<string[]> {
  const found = (await shop.json("doctor")) as { level: string; what: string }[];
  return found.filter(({ level }) => level !== "ok").map(({ what }) => what);
}

it("a hook file without a version is one", async () => {
  const { hooks } = JSON.parse(await shop.read(HOOKS));
  await shop.write(HOOKS, JSON.stringify({ hooks }));
  expect(await warnings()).toContainEqual(
    expect.stringMatching(`^${HOOKS}: Cursor ignores the whole file, because of version: `),
  );
});

it("right files, and the hooks that sessions on writes for Claude Code, are none", async () => {
  await shop.run("sessions", "on");
  expect(await shop.read(".claude/settings.local.json")).toContain("session-hook");
  expect(await warnings()).toEqual(["Cursor: no hook ran in the last 7 days, no lesson given yet"]);
  expect((await shop.sentinel(["init"])).stdout).toContain("Agents: Cursor (found .cursor).");
});
