/** Six processes that find the lock of a dead holder at once: one at a time takes over, whatever the holder left. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { until } from "../support/wait.ts";
import { ELSEWHERE, forgeLock } from "./support/forge-lock.ts";
import { gapsIn, leftoversIn } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

const ROUNDS = 80;
const PROCESSES = 6;
/** How old a dead holder's lock is by its file time: no rule takes a live holder to be silent for that long. */
const AGE_MS = 120_000;

/** What a holder that died leaves, by where it died. */
const LEFT: readonly ((project: Project) => Promise<unknown>)[] = [
  (project) => forgeLock(project, { ...endedHere(), token: newToken() }, AGE_MS),
  (project) => forgeLock(project, { ...ELSEWHERE, token: newToken() }, AGE_MS),
  leaveUnsigned,
];

/** Each taking of a lock has its own. */
let takings = 0;
const newToken = (): string => `taking ${takings++}`;

/** The owner's note of a process of this machine that has ended. */
function endedHere(): object {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return { ...ELSEWHERE, pid };
}

/** Dies between making the lock's folder and signing it. */
async function leaveUnsigned({ file }: Project): Promise<void> {
  const lock = `${file}.lock`;
  await mkdir(lock);
  const then = new Date(Date.now() - AGE_MS);
  await utimes(lock, then, then);
}

it("loses no acknowledged save in 80 takeovers of a dead holder's lock by six processes", async () => {
  const project = await testProject({ lines: [logLine("faults", "the first")] });
  const starts = Array.from({ length: PROCESSES }, () => FaultServer.start(project.folder));
  const servers = await Promise.all(starts);
  const acknowledged = ["the first"];
  for (let round = 0; round < ROUNDS; round++) {
    // An answer may come just before its process lets go of the lock.
    await until(() => !existsSync(`${project.file}.lock`));
    await LEFT[round % LEFT.length]?.(project);
    const saves = servers.map(async (server, at) => {
      const gap = `${round} of ${at}`;
      await server.mustLog(gap);
      acknowledged.push(gap);
    });
    await Promise.all(saves);
  }
  expect((await gapsIn(project)).sort()).toEqual(acknowledged.sort());
  // A live process that lost its lock may leave the folder until it ends.
  await Promise.all(servers.map((server) => server.kill()));
  const last = await FaultServer.start(project.folder);
  await until(async () => {
    await last.mustLog("the last");
    return (await leftoversIn(project)).length === 0;
  });
});
