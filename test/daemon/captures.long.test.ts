/** Captures that are killed, whose batch or answer gets lost, or that cannot record at all: the next one makes up for it, and nothing is there twice. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { all } from "../contracts/event-store.ts";
import { daemonOfFile, storeAt } from "../support/daemon.ts";
import {
  type DaemonProxy,
  daemonProxy,
  type Loss,
  type SentCall,
} from "../support/daemon-proxy.ts";
import { captureAll, recordOn, sentinel } from "../support/daemon-record.ts";
import { chance } from "../support/form.ts";
import { testRepository } from "../support/in-test.ts";
import { hand, handed } from "../support/opencode.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { BIN, type Project } from "../support/project.ts";
import { keepTranscript, manifestOf } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);
/** A batch has 500 events at most, so there are three or more. */
const REQUESTS = 700;

/** A clone with a long transcript, and a daemon that it reaches through a proxy. */
async function recordedThrough(proxyOver: (url: string) => Promise<DaemonProxy>) {
  const daemon = daemonOfAll();
  const token = await daemon.token({ tenant: randomUUID() });
  const project = await testRepository();
  const proxy = await proxyOver(daemon.url);
  await recordOn(project, proxy.url, token);
  const session = new Session({ cwd: project.folder, at: Date.now() - 7_200_000 });
  const said: string[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    said.push(`request ${at}`, `answer ${at}`);
    session.asks(`request ${at}`).says(`answer ${at}`);
  }
  await keepTranscript(project, session);
  const store = storeAt(daemon.url, token);
  const stored = async () =>
    (await all(store, { kinds: ["message"] })).map(({ content }) => String(content.text));
  return { project, proxy, said, stored };
}

const isAppend = ({ name }: SentCall) => name === "append";

/** From the second batch on, as long as it lasts. */
function fromSecondBatch(loss: Loss) {
  let appended = 0;
  const losing = { isOver: false };
  const lose = (call: SentCall): Loss => {
    if (losing.isOver || !isAppend(call)) {
      return undefined;
    }
    appended++;
    return appended > 1 ? loss : undefined;
  };
  return { lose, losing };
}

it.each([
  ["the second batch", "call", 1],
  ["the answer to the second batch", "answer", 2],
] as const)("%s gets lost: the next capture sends what is missing", async (_, loss, batches) => {
  const { lose, losing } = fromSecondBatch(loss);
  const { project, proxy, said, stored } = await recordedThrough((url) => daemonProxy(url, lose));
  expect(await captureAll(project)).toContain("error daemon_unreachable");
  const arrived = proxy.sent
    .filter(isAppend)
    .slice(0, batches)
    .flatMap(({ body }) => JSON.parse(body).drafts);
  const isMessage = ({ kind }: EventDraft) => kind === "message";
  expect(await stored()).toEqual(arrived.filter(isMessage).map(({ content }) => content.text));
  expect((await stored()).length).toBeLessThan(said.length);
  losing.isOver = true;
  expect(await captureAll(project)).toContain("Recorded ");
  expect(await stored()).toEqual(said);
  await captureAll(project);
  expect(await stored()).toEqual(said);
});

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

/**
 * A container and its host share the project and its transcripts, but not the state of their captures, so both send every message. The
 * daemon has to store each one once.
 */
it("captures of one session at once, killed at random, store every message once", async () => {
  const random = chance("captures at once");
  const daemon = daemonOfAll();
  const token = await daemon.token({ tenant: randomUUID() });
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
    for (const wasRunning of await Promise.all(captures)) {
      if (wasRunning) {
        killed += 1;
      }
    }
  }
  expect(killed).toBeGreaterThan(0);
  const last = homes.map((home) => sentinel(project, ["sessions", "capture"], home));
  for (const ended of await Promise.all(last)) {
    expect(ended).toMatchObject({ exit: 0 });
  }
  const store = storeAt(daemon.url, token);
  const messages = await all(store, { kinds: ["message"] });
  expect(messages.map(({ content }) => content.text)).toEqual(said);
  expect(await all(store, { kinds: ["session"] })).toHaveLength(1);
});

const MOST_BYTES = 64 * 1024 * 1024;
/** Only tells what never comes from what takes long, in ms. */
const PATIENCE = { timeout: 600_000, interval: 200 };

it("a full spool takes no more, says what to do, and is emptied with what comes once it can be recorded", async () => {
  const daemon = daemonOfAll();
  const token = await daemon.token({ tenant: randomUUID() });
  const store = storeAt(daemon.url, token);
  let isAway = false;
  const proxy = await daemonProxy(daemon.url, () => (isAway ? "call" : undefined));
  const shop = await testRepository();
  mkdirSync(shop.path("~/.config/opencode"), { recursive: true });
  await recordOn(shop, proxy.url, token);
  const record = dirname(await manifestOf(shop));
  const spool = join(record, "spool");
  const waiting = () =>
    (existsSync(spool) ? readdirSync(spool) : [])
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(spool, name));
  const bytes = () => waiting().reduce((sum, path) => sum + statSync(path).size, 0);
  const texts = async () =>
    (await all(store)).map(({ content }) => String(content.text ?? content.excerpt_text ?? ""));
  const handOver = async (name: string, ...said: string[]) => {
    const payload = handed(shop, said, { id: `ses_dfde57ae9ffeiLIXYqeySni${name}` });
    for (const [at, { info }] of payload.opencode.messages.entries()) {
      info.id = `msg_2021a871c001jpY5zkgYhYtd${name}${at}`;
    }
    await hand(shop, payload);
  };
  const failed = async () =>
    ((await shop.json("sessions", "status")) as { lastCapture?: { failed?: object } }).lastCapture
      ?.failed;

  isAway = true;
  const long = "a line of what was said\n".repeat(40_000);
  await handOver("One", "Count to a million", long);
  await expect.poll(() => waiting().length, PATIENCE).toBe(1);
  // What it notes when it gives up must not come after what is noted below.
  await expect.poll(failed, PATIENCE).toMatchObject({ code: "daemon_unreachable" });
  const [first = ""] = waiting();
  const size = statSync(first).size;
  // The same again and again: it is one event each, however often it is read. What comes next is larger than what is left.
  for (let at = 1; bytes() + size <= MOST_BYTES; at++) {
    copyFileSync(first, first.replace(/\.jsonl$/, `${at}.jsonl`));
  }
  const full = bytes();

  await handOver("Two", "Too much", long, long, "And more");
  const fix = "sentinel-memory sessions capture records them, or says why it cannot.";
  await expect
    .poll(failed, PATIENCE)
    .toMatchObject({ code: "spool_full", what: expect.stringContaining(spool), fix });
  expect(bytes()).toBe(full);
  expect(await texts()).toEqual([]);

  isAway = false;
  await handOver("Three", "Once more", long, "Go on", "And done");
  await expect.poll(texts, PATIENCE).toContain("And done");
  const stored = await texts();
  for (const text of ["Count to a million", "Once more", "And done"]) {
    expect(
      stored.filter((one) => one === text),
      text,
    ).toHaveLength(1);
  }
  expect(stored.join("\n")).not.toContain("Too much");
  await handOver("Two", "Too much", long, long, "And more");
  await expect.poll(texts, PATIENCE).toContain("And more");
  await expect.poll(waiting, PATIENCE).toEqual([]);
  await expect.poll(failed, PATIENCE).toBeUndefined();
});
