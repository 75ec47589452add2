/** A server whose client dies does not live on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { until } from "../support/wait.ts";
import { BUNDLE, isRunning } from "./support/server.ts";

describe("a client that dies", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)("by %s takes its server with it", async (signal) => {
    const { folder } = await testProject();
    const client = spawn(process.execPath, ["-e", CLIENT, join(BUNDLE, "cli.mjs"), folder]);
    const [output] = (await once(client.stdout, "data")) as [Buffer];
    const pid = Number(output);
    expect(isRunning(pid)).toBe(true);
    client.kill(signal);
    await until(async () => !(await runs(pid)));
  });
});

/** Starts a server as clients do, says its process id once it has answered, and stays. */
const CLIENT = `
const [cli, folder] = process.argv.slice(1);
const server = require("node:child_process").spawn(process.execPath, [cli, "--project", folder]);
server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) + "\\n");
server.stdout.once("data", () => console.log(server.pid));
`;

/** An orphan that ended but was not reaped yet does not run. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) Z/.test(stat);
}
