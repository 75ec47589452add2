/** How often a token may call: past that it is told to wait, and nobody else is. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { RemoteEventStore } from "../../src/sessions/remote/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { daemonOver, send } from "../support/daemon.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase } from "../support/postgres-server.ts";
import { until } from "../support/wait.ts";

const postgres = postgresOfFile();
/** So many may come at once. */
const AT_ONCE = 600;
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
    (await send(daemon.port, "/v1/events/caller", { authorization: `Bearer ${token}` }, "{}"))
      .status;
  const statusOf = (answer: string) => Number(answer.split(" ", 2)[1]);
  const calls = Array.from({ length: AT_ONCE }, () => "/v1/events/caller");
  // No time goes by for the daemon: however slow the machine is, all of these come at once.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const answers = await pipelined(daemon.port, busy, calls);
  expect(answers.map(statusOf)).toEqual(calls.map(() => 200));
  const refused = await pipelined(daemon.port, busy, DOORS);
  expect(refused).toHaveLength(DOORS.length);
  for (const [at, answer] of refused.entries()) {
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(statusOf(answer), DOORS[at]).toBe(429);
    expect(head.toLowerCase()).toContain("\r\ncontent-type: application/json\r\n");
    expect(head.toLowerCase()).toContain("\r\nretry-after: 1\r\n");
    const message = "This token makes more than 300 calls a second.";
    const error = {
      code: "too_many_calls",
      message,
      fix: "Wait a second, and send events in batches.",
    };
    expect(JSON.parse(body)).toEqual({ error });
  }
  const [, id] = busy.split("_");
  const told = { status: 429, ms: expect.any(Number), token: id, error: "too_many_calls" };
  expect(daemon.log).toContainEqual(expect.objectContaining({ call: "mcp", ...told }));

  expect(await caller(quiet)).toBe(200);
  const store = new RemoteEventStore({ url: daemon.url, token: busy, redactor: eventRedactor() });
  const waiting = store.statistics();
  // A poll of vitest's would move the fake clock.
  await until(() => daemon.log.some(({ call, status }) => call === "statistics" && status === 429));
  vi.advanceTimersByTime(1_000);
  expect(await waiting, "our own client waits").toMatchObject({ events: 0 });
  expect(await caller(busy)).toBe(200);
});
