/** How often a token may call: past that it is told to wait, and nobody else is. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { eventRedactor } from "../../src/events/redactor.ts";
import { RemoteEventStore } from "../../src/events/remote/store.ts";
import { daemonOver, send } from "../support/daemon.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

const postgres = postgresOfFile();
/** So many may come at once. */
const AT_ONCE = 600;
/** More than that, by what a daemon allows again while it answers them. */
const CALLS = 1_000;
/** A machine that is very slow answers fewer calls in a second than are allowed in one. */
const MOST_ROUNDS = 5;
const DOORS = ["/v1/events/append", "/v1/events/none", "/mcp", "/metrics"];

/** Sends calls on one connection without waiting for answers. @returns the answers as they came. */
async function pipelined(port: number, token: string, paths: readonly string[]): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const common = `host: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 2`;
  const [last = "", ...others] = paths.toReversed();
  for (const path of others.reverse()) socket.write(`POST ${path} HTTP/1.1\r\n${common}\r\n\r\n{}`);
  socket.write(`POST ${last} HTTP/1.1\r\n${common}\r\nconnection: close\r\n\r\n{}`);
  let text = "";
  for await (const part of socket) text += part;
  return text.split(/^(?=HTTP\/1\.1 \d)|(?<=\})(?=HTTP\/1\.1 \d)/m);
}

it("a token that calls too often is told to wait at every door, others are not, and a moment later it goes on", async () => {
  const daemon = await daemonOver(postgres(), await migratedDatabase(postgres()));
  const [busy, quiet] = await Promise.all([daemon.token(), daemon.token()]);
  const caller = async (token: string) =>
    (await send(daemon.port, "/v1/events/caller", { authorization: `Bearer ${token}` }, "{}")).status;
  const statusOf = (answer: string) => Number(answer.split(" ", 2)[1]);
  const calls = [...Array.from({ length: CALLS }, () => "/v1/events/caller"), ...DOORS];
  let answers: string[] = [];
  for (let round = 0; round < MOST_ROUNDS && !(round > 0 && answers.slice(-DOORS.length).every(isRefused)); round++)
    answers = await pipelined(daemon.port, busy, calls);
  expect(answers).toHaveLength(calls.length);
  expect(answers.filter((answer) => statusOf(answer) === 200).length).toBeGreaterThan(0);
  const refused = answers.slice(-DOORS.length);
  for (const [at, answer] of refused.entries()) {
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(statusOf(answer), DOORS[at]).toBe(429);
    expect(head.toLowerCase()).toContain("\r\ncontent-type: application/json\r\n");
    expect(head.toLowerCase()).toContain("\r\nretry-after: 1\r\n");
    const message = "This token makes more than 300 calls a second.";
    const error = { code: "too_many_calls", message, fix: "Wait a second, and send events in batches." };
    expect(JSON.parse(body)).toEqual({ error });
  }
  const [, id] = busy.split("_");
  const told = { status: 429, ms: expect.any(Number), token: id, error: "too_many_calls" };
  expect(daemon.log).toContainEqual({ call: "mcp", ...told });

  const [again, other] = await Promise.all([pipelined(daemon.port, busy, calls), caller(quiet)]);
  expect([again.some(isRefused), other]).toEqual([true, 200]);
  const store = new RemoteEventStore({ url: daemon.url, token: busy, redactor: eventRedactor() });
  expect(await store.statistics(), "our own client waits").toMatchObject({ events: 0 });
  await expect.poll(() => caller(busy), { timeout: 20_000 }).toBe(200);
  // What is allowed at once is so from the first call on.
  const first = await pipelined(daemon.port, await daemon.token(), calls.slice(0, AT_ONCE));
  expect(first.map(statusOf)).toEqual(Array.from({ length: AT_ONCE }, () => 200));
});

function isRefused(answer: string): boolean {
  return answer.startsWith("HTTP/1.1 429 ");
}
