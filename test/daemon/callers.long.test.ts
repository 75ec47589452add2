/** Callers that are slow, say nothing, never read, or are too many: they keep nobody waiting, and none of them stays. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import { all, message } from "../contracts/event-store.ts";
import { daemonOver, eventCalls, send, storeAt } from "../support/daemon.ts";
import { operatorOfFile, startDaemonWith } from "../support/daemon-process.ts";
import { type AtEnd, atEndOfFile, testFolder } from "../support/in-test.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";
import { BIN } from "../support/project.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
const operator = operatorOfFile(postgres, "acme");
const atEnd = atEndOfFile();
/** Twice as many are fewer than a daemon lets rest at a time. */
const IDLE = 390;
/** Between two bytes of a slow caller, in ms. */
const PAUSE_MS = 200;
/** More than a daemon lets any of them stay, in ms. */
const DEADLINE = { timeout: 240_000, interval: 500 };
const HEALTH = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";

const portOf = (url: string) => Number(new URL(url).port);

/** A connection, and what became of it. */
class Caller {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  text = "";
  isClosed = false;

  constructor(port: number, atEnd: AtEnd = onTestFinished) {
    this.socket = connect(port, "127.0.0.1");
    this.connected = new Promise((resolve, reject) => {
      this.socket.once("connect", resolve).once("error", reject);
    });
    // How a connection ends is in `isClosed`.
    this.socket
      .on("error", () => undefined)
      .on("close", () => {
        this.isClosed = true;
      });
    atEnd(() => void this.socket.destroy());
  }

  reading(): this {
    this.socket.on("data", (part) => {
      this.text += part;
    });
    return this;
  }

  /** Byte by byte, for as long as somebody listens. */
  async drip(text: string): Promise<void> {
    for (const byte of text) {
      this.socket.write(byte);
      if (!(await holdsFor(PAUSE_MS, () => !this.isClosed))) {
        return;
      }
    }
  }
}

const closed = (callers: readonly Caller[]) => callers.filter(({ isClosed }) => isClosed).length;

const headOf = (name: string, token: string, bytes: number) =>
  `POST /v1/events/${name} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n\r\n`;

function hurried(this: Server, ms: unknown) {
  if (typeof ms === "number") {
    this.timeout = ms / 50;
  }
  return this;
}

/** Connections of this machine, as Linux lists them: of each the address here and there, and its state, as hexadecimal numbers. */
const CONNECTIONS = "/proc/net/tcp";
const ESTABLISHED = "01";

/** Whether a daemon still has a connection. @param from the port of the caller. */
function isOpenAt(port: number, from = 0): boolean {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, "0");
  const [here, there] = [hex(port), hex(from)];
  const connection = new RegExp(`: [0-9A-F]{8}:${here} [0-9A-F]{8}:${there} ${ESTABLISHED} `);
  return connection.test(readFileSync(CONNECTIONS, "utf8"));
}

/** These send while the other tests run, because they are cut off after half a minute. */
let slow: { sending: Caller[]; append(text: string): Promise<unknown> };
beforeAll(async () => {
  const { url } = await operator().serve();
  const token = await operator().token("slow");
  const store = storeAt(url, token);
  const [inHead, inBody, unfinished] = [1, 2, 3].map(() =>
    new Caller(portOf(url), atEnd).reading(),
  ) as [Caller, Caller, Caller];
  const sending = [inHead, inBody, unfinished];
  await Promise.all(sending.map(({ connected }) => connected));
  unfinished.socket.write(`${headOf("append", token, 100)}{`);
  inBody.socket.write(headOf("append", token, 10_000));
  void inHead.drip(headOf("read", token, 2));
  void inBody.drip(" ".repeat(10_000));
  slow = { sending, append: (text) => store.append([message(text)]) };
});

it("callers that send slowly keep nobody waiting", async () => {
  for (let at = 0; at < 10; at++) {
    expect(await slow.append(`meanwhile ${at}`)).toHaveLength(1);
  }
});

it("a caller that never reads its answer is cut off", async ({ skip }) => {
  if (!existsSync(CONNECTIONS)) {
    return skip(`There is no ${CONNECTIONS} here.`);
  }
  const before = await daemonOver(postgres(), operator().database);
  const token = await before.token({ owner: "deaf" });
  // More than the buffers of both sides take.
  const text = "a line of a large answer\n".repeat(280_000);
  const [large] = await storeAt(before.url, token).append([message(text)]);
  // Node waits more than a minute, and twice.
  const limit = vi.spyOn(Server.prototype, "setTimeout").mockImplementation(hurried);
  onTestFinished(() => limit.mockRestore());
  const daemon = await daemonOver(postgres(), operator().database);
  const asked = JSON.stringify({ id: large && artifactsOf(large)[0] });
  const deaf = new Caller(daemon.port);
  await deaf.connected;
  deaf.socket.pause();
  deaf.socket.write(`${headOf("artifact", token, asked.length)}${asked}`);
  // Who does not read does not see the end either; the system does.
  const isOpen = () => isOpenAt(daemon.port, deaf.socket.localPort);
  expect(isOpen()).toBe(true);
  await expect.poll(isOpen, DEADLINE).toBe(false);
});

it("the calls of one token are answered in turns, and those of others meanwhile", async () => {
  const daemon = await daemonOver(postgres(), operator().database);
  const [ann, bob] = [await daemon.token(), await daemon.token({ owner: "bob" })];
  const callAnn = eventCalls(daemon.url, ann);
  const callBob = eventCalls(daemon.url, bob);
  const holder = await testPool(postgres(), "owner", daemon.database, { max: 1 }).connect();
  await holder.query("begin; lock table sentinel.purged in access exclusive mode");
  let answered = 0;
  const appends = Array.from({ length: 60 }, async (_, at) => {
    const { status } = await callAnn("append", { drafts: [message(`call ${at}`, at)] });
    answered++;
    return status;
  });
  // It needs a connection, and nothing of what is locked.
  for (let at = 0; at < 20; at++) {
    expect((await callBob("read", {})).status).toBe(200);
  }
  expect(answered).toBe(0);
  await holder.query("commit");
  holder.release();
  expect(await Promise.all(appends)).toEqual(appends.map(() => 200));
  expect(await all(storeAt(daemon.url, ann))).toHaveLength(60);
});

it("hundreds of connections that say nothing keep nobody waiting, and end by themselves or with the daemon", async () => {
  const { url, child, exited } = await operator().serve();
  const store = storeAt(url, await operator().token("quick"));
  const manyCallers = async () => {
    const callers = Array.from({ length: IDLE }, () => new Caller(portOf(url)).reading());
    await Promise.all(callers.map(({ connected }) => connected));
    return callers;
  };
  const silent = await manyCallers();
  for (let at = 0; at < 5; at++) {
    expect(await store.append([message(`quick ${at}`, at)])).toHaveLength(1);
  }
  expect(closed(silent), "before it is their time").toBe(0);
  await expect.poll(() => closed(silent), DEADLINE).toBe(IDLE);
  for (const { text } of silent) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  }

  const used = await manyCallers();
  for (const { socket } of used) {
    socket.write(HEALTH);
  }
  await expect
    .poll(() => used.filter(({ text }) => text.includes('{"status":"ok"}')).length, DEADLINE)
    .toBe(IDLE);
  // Last, so that their time is not over before the daemon's is.
  const again = await manyCallers();
  expect(await store.append([message("quick again", 9)])).toHaveLength(1);
  expect([closed(again), closed(used)]).toEqual([0, 0]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
  await expect.poll(() => [closed(again), closed(used)], DEADLINE).toEqual([IDLE, IDLE]);
});

const FILES = 1_024;
const STRANGERS = 3_000;

it("three thousand strangers who say nothing, or ask for the health alone, keep nobody out of a daemon of 1,024 files", async () => {
  const folder = testFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    SENTINEL_DATABASE_URL: operator().databaseUrl("daemon"),
  };
  // Node cannot raise that limit.
  const line = `ulimit -n ${FILES} && exec "$0" "$@"`;
  const args = ["-c", line, process.execPath, BIN, "daemon", "serve", "--port", "0"];
  const { url, child, log } = await startDaemonWith("sh", args, folder, env);
  const store = storeAt(url, await operator().token("neighbour"));
  expect(
    spawnSync("sh", ["-c", `ulimit -n ${2 * STRANGERS}`]).status,
    "this test needs files of its own",
  ).toBe(0);
  for (const says of ["", HEALTH]) {
    const strangers = Array.from({ length: STRANGERS }, () => connect(portOf(url), "127.0.0.1"));
    const arrived = strangers.map(async (socket) => {
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined).resume();
      await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
      if (!socket.destroyed) {
        socket.write(says);
      }
    });
    await Promise.all(arrived);
    // Whoever comes now, on a connection of its own, is answered at once; so is who has a token.
    for (let at = 0; at < 50; at++) {
      expect(
        await send(portOf(url), "/health", { connection: "close" }, undefined, "GET"),
      ).toMatchObject({ status: 200 });
    }
    expect(await store.append([message(`beside ${says.length}`, says.length)])).toHaveLength(1);
    expect(await all(store)).not.toEqual([]);
    for (const socket of strangers) {
      socket.destroy();
    }
  }
  expect(child.exitCode).toBeNull();
  expect(log.filter((line) => /EMFILE|ENFILE/.test(line))).toEqual([]);
});

it("callers that send slowly are cut off", async () => {
  const { sending } = slow;
  await expect.poll(() => closed(sending), DEADLINE).toBe(3);
  for (const { text } of sending) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  }
});
