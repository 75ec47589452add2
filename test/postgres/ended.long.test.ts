/** A bench or a test run that is ended by a signal leaves no server behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const SCRIPT = `import { startPostgres } from "./test/support/postgres-server.ts";
console.log((await startPostgres()).folder);
setInterval(() => {}, 1_000);`;

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () =>
      resolve(false),
    );
    socket.once("connect", () => socket.destroy());
  });
}

it.each(["SIGINT", "SIGTERM"] as const)(
  "a process that started a server and gets %s stops it",
  async (signal) => {
    const args = ["--import", "tsx", "--input-type=module", "-e", SCRIPT];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    const folder = said.toString().trim();
    const [pid, , , port] = readFileSync(join(folder, "data/postmaster.pid"), "utf8")
      .split("\n")
      .map(Number);
    expect(await answers(Number(port))).toBe(true);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([null, signal]);
    const stays = await answers(Number(port));
    if (stays) process.kill(Number(pid), "SIGQUIT");
    expect([stays, existsSync(folder)]).toEqual([false, false]);
  },
);
