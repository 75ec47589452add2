/** A server that lives long keeps nothing it does not need, and one whose client dies does not live on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inForm } from "../support/form.ts";
import { testProject } from "../support/in-test.ts";
import { leftoversIn } from "./support/memory.ts";
import { BUNDLE, FaultServer, isRunning, until } from "./support/server.ts";

const MEBIBYTE = 1024 * 1024;

describe("a server that lives long", () => {
  it("grows neither in memory nor in handles nor in folders", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    const calls = inForm(1_200, 50_000);
    const warm = inForm(600, 4_000);
    let before = { memory: 0, handles: 0 };
    for (let call = 0; call < calls; call++) {
      if (call === warm) before = await usage(server);
      const { code } = call % 3 === 0 ? await server.search("gap") : await server.log(`gap ${call % 60}`);
      expect(code).toBeUndefined();
    }
    const after = await usage(server);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
    expect(after.memory - before.memory).toBeLessThan(inForm(60, 15) * MEBIBYTE);
    expect(await leftoversIn(project)).toEqual([]);
  });
});

describe("a client that dies", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)("by %s takes its server with it within a second", async (signal) => {
    const { folder } = await testProject();
    const client = spawn(process.execPath, ["-e", CLIENT, join(BUNDLE, "cli.mjs"), folder]);
    const [output] = (await once(client.stdout, "data")) as [Buffer];
    const pid = Number(output);
    expect(isRunning(pid)).toBe(true);
    client.kill(signal);
    await until(async () => !(await runs(pid)), 1_000);
  });
});

/** Starts a server as clients do, says its process id once it has answered, and stays. */
const CLIENT = `
const [cli, folder] = process.argv.slice(1);
const server = require("node:child_process").spawn(process.execPath, [cli, "--project", folder]);
server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) + "\\n");
server.stdout.once("data", () => console.log(server.pid));
`;

async function usage({ pid }: FaultServer): Promise<{ memory: number; handles: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
  };
}

/** An orphan that ended but was not reaped yet does not run. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) Z/.test(stat);
}
