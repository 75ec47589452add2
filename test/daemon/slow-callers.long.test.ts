/** Callers that are slow, or say nothing, or never read: they keep nobody waiting, and none of them stays. */
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { remoteEventStore } from "../../src/sessions/remote/store.ts";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { message } from "../contracts/event-store.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { holdsFor } from "../support/wait.ts";

const postgres = postgresOfFile();
/** Twice as many are fewer than a daemon lets rest at a time. */
const IDLE = 390;
/** Between two bytes of a slow caller, in ms. */
const PAUSE_MS = 200;
/** More than a daemon lets any of them stay, in ms. */
const DEADLINE = { timeout: 240_000, interval: 500 };

async function served() {
  const operator = await operatorOf(postgres(), "acme");
  const daemon = await operator.serve();
  const token = await operator.token("ann");
  const store = remoteEventStore({ url: daemon.url, token, redactor: eventRedactor() });
  return { ...daemon, port: Number(new URL(daemon.url).port), token, store };
}

/** A connection, and what became of it. */
class Caller {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  text = "";
  isClosed = false;

  constructor(port: number) {
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
    onTestFinished(() => void this.socket.destroy());
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
      if (!(await holdsFor(PAUSE_MS, () => !this.isClosed))) return;
    }
  }
}

async function manyCallers(port: number): Promise<Caller[]> {
  const callers = Array.from({ length: IDLE }, () => new Caller(port).reading());
  await Promise.all(callers.map(({ connected }) => connected));
  return callers;
}

const closed = (callers: readonly Caller[]) => callers.filter(({ isClosed }) => isClosed).length;

it("hundreds of connections that say nothing keep nobody waiting, and end by themselves or with the daemon", async () => {
  const { port, store, child, exited } = await served();
  const silent = await manyCallers(port);
  for (let at = 0; at < 5; at++)
    expect(await store.append([message(`quick ${at}`, at)])).toHaveLength(1);
  expect(closed(silent), "before it is their time").toBe(0);
  await expect.poll(() => closed(silent), DEADLINE).toBe(IDLE);
  for (const { text } of silent) expect(text).toMatch(/^HTTP\/1\.1 408 /);

  const used = await manyCallers(port);
  for (const { socket } of used) socket.write("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await expect
    .poll(() => used.filter(({ text }) => text.includes('{"status":"ok"}')).length, DEADLINE)
    .toBe(IDLE);
  // Last, so that their time is not over before the daemon's is.
  const again = await manyCallers(port);
  expect(await store.append([message("quick again", 9)])).toHaveLength(1);
  expect([closed(again), closed(used)]).toEqual([0, 0]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
  await expect.poll(() => [closed(again), closed(used)], DEADLINE).toEqual([IDLE, IDLE]);
});

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

it("callers that send or read slowly are cut off; others are answered meanwhile", async ({
  skip,
}) => {
  if (!existsSync(CONNECTIONS)) return skip(`There is no ${CONNECTIONS} here.`);
  const { port, token, store } = await served();
  // More than the buffers of both sides take.
  const [large] = await store.append([message("a line of a large answer\n".repeat(280_000))]);
  const asked = JSON.stringify({ id: large && artifactsOf(large)[0] });
  const head = (name: string, length: number) =>
    `POST /v1/events/${name} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${length}\r\n\r\n`;
  const [inHead, inBody, unfinished] = [1, 2, 3].map(() => new Caller(port).reading()) as [
    Caller,
    Caller,
    Caller,
  ];
  const deaf = new Caller(port);
  const all = [inHead, inBody, unfinished, deaf];
  await Promise.all(all.map(({ connected }) => connected));
  unfinished.socket.write(`${head("append", 100)}{`);
  inBody.socket.write(head("append", 10_000));
  deaf.socket.pause();
  deaf.socket.write(`${head("artifact", asked.length)}${asked}`);
  const dripping = Promise.all([inHead.drip(head("read", 2)), inBody.drip(" ".repeat(10_000))]);

  let answered = 0;
  let isCutOff = false;
  const meanwhile = (async () => {
    for (; !isCutOff; answered++) {
      await store.append([message(`meanwhile ${answered}`, 1 + answered)]);
      await holdsFor(PAUSE_MS, () => !isCutOff);
    }
  })();
  await expect.poll(() => closed(all.slice(0, 3)), DEADLINE).toBe(3);
  for (const { text } of [inHead, inBody, unfinished]) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  // Who does not read does not see the end either; the system does.
  await expect.poll(() => isOpenAt(port, deaf.socket.localPort), DEADLINE).toBe(false);
  isCutOff = true;
  await Promise.all([dripping, meanwhile]);
  expect(answered).toBeGreaterThan(10);
});
