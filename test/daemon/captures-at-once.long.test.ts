/**
 * Captures of one session at the same time, killed at random. A container and its host share the project and its transcripts, but not
 * the state of their captures, so both send every message. The daemon has to store each one once.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { all } from "../contracts/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { sentinel } from "../support/daemon-record.ts";
import { chance } from "../support/form.ts";
import { testRepository } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
const ROUNDS = 6;
const REQUESTS_A_ROUND = 250;
/** Long enough that some captures get to the daemon before they are killed. */
const LONGEST_LIFE_MS = 2_500;

/** Starts a capture and kills it after a while. @returns whether it was still running. */
async function captureAndKill(project: Project, env: Record<string, string>, lifeMs: number) {
  const child = spawn(process.execPath, [BIN, "sessions", "capture"], {
    cwd: project.folder,
    env: { ...project.env, ...env },
    stdio: "ignore",
  });
  const kill = () => child.kill("SIGKILL");
  onTestFinished(() => void kill());
  const exited = once(child, "exit");
  await holdsFor(lifeMs, () => child.exitCode === null);
  kill();
  const [, signal] = await exited;
  return signal === "SIGKILL";
}

it("captures of one session at once, killed at random, store every message once", async () => {
  const random = chance("captures at once");
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const token = await daemon.token();
  const project = await testRepository();
  const container = join(project.home, "container");
  await mkdir(container);
  const homes: readonly Record<string, string>[] = [
    { HOME: project.home },
    { HOME: container, CLAUDE_CONFIG_DIR: join(project.home, ".claude") },
  ];
  for (const home of homes) {
    const { exit, text } = await sentinel(project, ["sessions", "on", "--url", daemon.url], {
      ...home,
      SENTINEL_TOKEN: token,
    });
    expect([exit, text]).toEqual([0, expect.stringContaining(daemon.url)]);
  }
  const said: string[] = [];
  const session = new Session({ cwd: project.folder, at: Date.now() + 60_000 });
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let at = 0; at < REQUESTS_A_ROUND; at++) {
      const request = `request ${round} ${at}`;
      const answer = `answer ${round} ${at}`;
      session.asks(request).says(answer);
      said.push(request, answer);
    }
    await keepTranscript(project, session);
    const captures = [...homes, ...homes].map((home) =>
      captureAndKill(project, home, random() * LONGEST_LIFE_MS),
    );
    for (const wasRunning of await Promise.all(captures)) if (wasRunning) killed += 1;
  }
  expect(killed).toBeGreaterThan(0);
  const last = homes.map((home) => sentinel(project, ["sessions", "capture"], home));
  for (const ended of await Promise.all(last)) expect(ended).toMatchObject({ exit: 0 });
  const store = remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() });
  const messages = await all(store, { kinds: ["message"] });
  expect(messages.map(({ content }) => content.text)).toEqual(said);
  expect(await all(store, { kinds: ["session"] })).toHaveLength(1);
});
