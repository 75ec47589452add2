/** What doctor finds for Cursor: mistakes for which it ignores a file, and no advice for a client that is not in use. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testCopy } from "../support/in-test.ts";
import { Project } from "../support/project.ts";

const HOOKS = ".cursor/hooks.json";
const SERVERS = ".cursor/mcp.json";

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

async function change(path: string, how: (value: { hooks: object; mcpServers: object }) => object) {
  await shop.write(path, JSON.stringify(how(JSON.parse(await shop.read(path)))));
}

it.each([
  [
    "an event that it does not know",
    { beforeLunch: [{ command: "true" }] },
    "hooks: .*beforeLunch",
  ],
  [
    "a command with two slashes",
    { beforeReadFile: [{ command: "curl https://example.com" }] },
    "hooks.beforeReadFile.0.command: .*comment",
  ],
])("%s in the hook file is one", async (_, added, said) => {
  await change(HOOKS, ({ hooks, ...rest }) => ({ ...rest, hooks: { ...added, ...hooks } }));
  expect(await warnings()).toContainEqual(
    expect.stringMatching(
      new RegExp(`^${HOOKS}: Cursor ignores the whole file, because of ${said}`),
    ),
  );
});

it("a hook file without a version is one", async () => {
  await change(HOOKS, ({ hooks }) => ({ hooks }));
  expect(await warnings()).toContainEqual(
    expect.stringMatching(`^${HOOKS}: Cursor ignores the whole file, because of version: `),
  );
});

it.each([
  [{ args: ["x"] }, ": it has neither command nor url"],
  [{ command: "x", args: ["--port", 80] }, ".args.1: .*expected string"],
  [{ command: "x", env: { PORT: 80 } }, ".env.PORT: .*expected string"],
])("an entry of another server with a wrong type is one: %o", async (entry, said) => {
  await change(SERVERS, ({ mcpServers }) => ({ mcpServers: { ...mcpServers, other: entry } }));
  const place = "because of mcpServers.other";
  expect(await warnings()).toContainEqual(
    expect.stringMatching(`^${SERVERS}: Cursor ignores the whole file, ${place}${said}`),
  );
});

it("right files, and the hooks that sessions on writes for Claude Code, are none", async () => {
  await change(SERVERS, ({ mcpServers }) => ({
    mcpServers: { ...mcpServers, remote: { url: "https://example.com/mcp" } },
  }));
  await shop.run("sessions", "on");
  expect(await shop.read(".claude/settings.local.json")).toContain("session-hook");
  expect(await warnings()).toEqual(["Cursor: no hook ran in the last 7 days, no lesson given yet"]);
  expect((await shop.sentinel(["init"])).stdout).toContain("Agents: Cursor (found .cursor).");
});
