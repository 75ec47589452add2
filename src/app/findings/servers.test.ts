/** How doctor treats a server that misbehaves. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { until } from "../../../test/support/wait.ts";
import { COMMAND_NOTE } from "../setup/project-edits.ts";
import { ProjectFiles } from "../setup/project-files.ts";
import type { Context, Finding } from "./finding.ts";
import { checkServers } from "./servers.ts";

/** Answers `initialize` with an error, and then runs on. */
const REFUSES = `
  const { writeFileSync } = require("node:fs");
  process.on("SIGTERM", () => writeFileSync("asked-to-end", ""));
  process.stdin.once("data", (line) => {
    writeFileSync("pid", String(process.pid));
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }));
  });
  setInterval(() => {}, 1000);
`;

/** Prints a line before each answer. @param line as an expression. */
const prints = (line: string): string => `
  const { createInterface } = require("node:readline");
  const answers = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "server", version: "1" },
    },
    "tools/list": { tools: [] },
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    console.log(${line});
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
  });
`;

/** The finding about Claude Code's server in a new folder with some files. */
async function findingIn(folder: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const project = { context: { memoryFile: "memory" } } as Context["project"];
  const context = { project, files: new ProjectFiles(folder), env: process.env, build: "build" };
  const [finding] = await checkServers(context as Context);
  return finding as Finding;
}

const entry = (server: object): Readonly<Record<string, string>> => ({
  ".mcp.json": JSON.stringify({ mcpServers: { "sentinel-memory": server } }),
});

/** A program that was chosen on this machine. */
const chosen = (program: string): Readonly<Record<string, string>> => ({
  ...entry({ command: "node", args: ["server.cjs"] }),
  [COMMAND_NOTE]: "node server.cjs",
  "server.cjs": program,
});

it("ends a server that it could not greet", async () => {
  const folder = testFolder();
  const { id } = await findingIn(folder, chosen(REFUSES));
  expect(id).toBe("server_fails");
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  await until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
  expect(existsSync(join(folder, "asked-to-end"))).toBe(false);
});

it.each(['"Called: " + method', "JSON.stringify({ level: 30, method })"])(
  "reports a server that prints other lines on standard output: %s",
  async (line) => {
    const finding = await findingIn(testFolder(), chosen(prints(line)));
    expect(finding).toMatchObject({ id: "server_fails", level: "broken" });
    expect(finding.what).toMatch(/: it prints to standard output, which belongs to the protocol$/);
  },
);

it("gives the fix of a damaged copy, and does not suggest starting it by hand", async () => {
  const { id, what, fix } = await findingIn(testFolder(), {
    ...entry({ command: "node", args: [".context/server/sentinel-memory.cjs"] }),
    ".context/server/sentinel-memory.cjs": "damaged",
  });
  expect({ id, what }).toEqual({
    id: "server_not_started",
    what: expect.stringContaining("SHA-256"),
  });
  expect(fix).toMatch(/^git restore \.context\/server /);
});

it("does not suggest starting by hand an entry that names no command", async () => {
  const { what, fix } = await findingIn(testFolder(), entry({ url: "https://example.com" }));
  expect(what).toMatch(/was not started: its entry names no command$/);
  expect(fix).toMatch(/--force\.$/);
});
