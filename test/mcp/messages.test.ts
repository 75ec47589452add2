/** What clients send that is not one request as the protocol has it, over standard input and over HTTP: which of it is answered, and how. */
import { once } from "node:events";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { greeting } from "../support/exchange.ts";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { mcpOverHttp } from "../support/mcp-over-http.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { until } from "../support/wait.ts";

const BATCHES = "2025-03-26";
const NEWER = "2025-06-18";
/** Calls of one token that run at a time. */
const AT_ONCE = 8;
const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });
const error = (id: unknown, code: number) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.any(String) },
});
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

/** What is sent, as a line or as what it holds, and the answer; undefined for none. */
const ALONE: readonly [what: string, sent: unknown, answer: unknown][] = [
  ["what is not JSON", "{not json", error(null, -32700)],
  ["half a message", '{"jsonrpc":"2.0","id":1,', error(null, -32700)],
  ["a number", 5, error(null, -32600)],
  ["a text", "null", error(null, -32600)],
  ["an object that is nothing", {}, error(null, -32600)],
  ["a request without a method", { jsonrpc: "2.0", id: 3 }, error(3, -32600)],
  ["a method that is a number", { jsonrpc: "2.0", id: "a", method: 5 }, error("a", -32600)],
  ["a method that is null", { jsonrpc: "2.0", id: 3, method: null }, error(3, -32600)],
  [
    "a method that is a number, without an id",
    { jsonrpc: "2.0", method: 1, params: "bar" },
    error(null, -32600),
  ],
  ["an id that is null", ping(null), error(null, -32600)],
  ["an id that is an object", ping({}), error(null, -32600)],
  [
    "an id that no answer can repeat",
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    error(null, -32600),
  ],
  [
    "an id below those",
    '{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping"}',
    error(null, -32600),
  ],
  ["an id beyond all numbers", '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', error(null, -32600)],
  ["the largest id", ping(Number.MAX_SAFE_INTEGER), pong(Number.MAX_SAFE_INTEGER)],
  ["another version of JSON-RPC", { ...ping(4), jsonrpc: "1.0" }, error(4, -32600)],
  ["no version of JSON-RPC", { id: 4, method: "ping" }, error(4, -32600)],
  ["params that are null", { ...ping(5), params: null }, pong(5)],
  [
    "an unknown method",
    { jsonrpc: "2.0", id: 6, method: "moon/full", more: 1 },
    error(6, expect.any(Number) as never),
  ],
  ["a notification", INITIALIZED, undefined],
  ["a notification with nulls", { ...INITIALIZED, id: null, params: null }, undefined],
  ["an unknown notification", { jsonrpc: "2.0", method: "moon/full", params: [1] }, undefined],
  ["a response", { jsonrpc: "2.0", id: 7, result: {} }, undefined],
  ["an error", { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }, undefined],
];

/** Batches under the one version that has them. */
const IN_BATCHES: readonly [what: string, sent: unknown, answer: unknown][] = [
  ["requests", [ping(1), ping("b")], [pong(1), pong("b")]],
  ["one request", [ping(10)], [pong(10)]],
  ["a request and notifications", [INITIALIZED, ping(11), INITIALIZED], [pong(11)]],
  ["notifications alone", [INITIALIZED, INITIALIZED], undefined],
  ["responses alone", [{ jsonrpc: "2.0", id: 7, result: {} }], undefined],
  ["nothing", [], error(null, -32600)],
  ["what is not a message", [1, ping(2), []], [error(null, -32600), pong(2), error(null, -32600)]],
  ["an invalid request", [{ jsonrpc: "2.0", id: 8 }], [error(8, -32600)]],
];

const textOf = (sent: unknown) => (typeof sent === "string" ? sent : JSON.stringify(sent));

describe("over standard input and output", () => {
  /** All answers to some lines after a greeting under a version, without the greeting's own. */
  async function answersTo(version: string, ...lines: string[]): Promise<unknown[]> {
    const { env, folder } = await testProject({ git: true, lines: [log({ topic: "payment" })] });
    const [hello, ...rest] = greeting("test").map((line) => ({ jsonrpc: "2.0", ...Object(line) }));
    const greeted = [{ ...hello, params: { ...hello.params, protocolVersion: version } }, ...rest];
    const stdin = [...greeted.map((line) => JSON.stringify(line)), ...lines, ""].join("\n");
    const { stdout } = await runProcess(process.execPath, [BIN], { env, cwd: folder, stdin });
    const answers = stdout.split("\n").filter((line) => line !== "");
    return answers
      .map((line) => JSON.parse(line))
      .filter((answer) => answer.result?.protocolVersion !== version);
  }

  it.each([
    ["alone", NEWER, ALONE],
    ["in batches", BATCHES, IN_BATCHES],
  ])("answers what is due an answer, %s", async (_, version, rows) => {
    const answers = await answersTo(version, ...rows.map(([, sent]) => textOf(sent)));
    const due = rows.filter(([, , answer]) => answer !== undefined);
    for (const [what, , answer] of due) {
      expect(answers, what).toContainEqual(answer);
    }
    expect(answers).toHaveLength(due.length);
  });

  it("a batch is a batch only under the version that has them", async () => {
    for (const version of [NEWER, "2025-11-25", "2024-11-05"]) {
      expect(await answersTo(version, textOf([ping(1)])), version).toEqual([error(null, -32600)]);
    }
  });

  it("a batch of calls is answered once, with all of their answers", async () => {
    const search = { name: "search_memory", arguments: { query: "payment" } };
    const save = {
      name: "log_memory",
      arguments: { topic: "a", missing_context: "b", lesson: "c" },
    };
    const calls = [search, save, { name: "nothing" }].map((params, at) => ({
      ...ping(10 + at),
      method: "tools/call",
      params,
    }));
    const [batch, ...others] = await answersTo(BATCHES, textOf(calls));
    expect(others).toEqual([]);
    const content = (text: string) => [{ type: "text", text: expect.stringContaining(text) }];
    expect(batch).toMatchObject([
      { id: 10, result: { content: content("payment") } },
      { id: 11, result: { content: content("Saved") } },
      { id: 12, result: { isError: true, content: content("unknown_tool") } },
    ]);
  });

  it("a request with the id of one that is still being answered is refused", async () => {
    const params = { name: "search_memory", arguments: { query: "payment" } };
    const call = { ...ping(5), method: "tools/call", params };
    const answers = await answersTo(NEWER, textOf(call), textOf(ping(5)), textOf(ping(6)));
    expect(answers).toHaveLength(3);
    expect(answers).toEqual(expect.arrayContaining([error(5, -32600), pong(6)]));
  });

  it("null counts as absent wherever a client may leave something out", async () => {
    const client = { name: "test", version: "1", title: null };
    const capabilities = { roots: null, sampling: null };
    const asked = [
      {
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities, clientInfo: client, _meta: null },
      },
      { method: "tools/list", params: { cursor: null, _meta: { progressToken: null } } },
      { method: "tools/call", params: { name: "search_memory", arguments: null } },
      { method: "prompts/get", params: { name: "recall", arguments: null } },
    ];
    const answers = await answersTo(
      NEWER,
      ...asked.map((one, at) => textOf({ ...ping(`null ${at}`), ...one })),
    );
    expect(answers).toHaveLength(asked.length);
    for (const answer of answers) {
      expect(answer).toHaveProperty("result");
    }
  });

  it("a mark before a message, blank lines and line ends of Windows are skipped, and the last message needs no end", async () => {
    const { env, folder } = await testProject({ git: true });
    const stdin = `\uFEFF${textOf(ping(1))}\r\n\r\n \n\uFEFF\n${textOf(ping(2))}`;
    const { stdout } = await runProcess(process.execPath, [BIN], { env, cwd: folder, stdin });
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([pong(1), pong(2)]);
  });

  it("a message that is too large is answered, wherever its id stands", async () => {
    const filler = "x".repeat(4 * 1024 * 1024);
    const call = `{"method":"tools/call","params":{"filler":"${filler}"},"id":5,"jsonrpc":"2.0"}`;
    const other = `{"jsonrpc":"2.0","id":"b","method":"ping","params":{"id":7,"filler":"${filler}"}}`;
    const unread = `{"method":"notifications/x","params":{"id":8,"filler":"${filler}"}}`;
    const refused = { content: [{ text: expect.stringContaining("too_large") }], isError: true };
    expect(await answersTo(NEWER, call, other, unread, textOf(ping(6)))).toMatchObject([
      { id: 5, result: refused },
      error("b", -32600),
      pong(6),
    ]);
  });
});

describe("over HTTP", () => {
  async function post(body: string, version?: string) {
    const { url } = await mcpOverHttp();
    const headers = {
      "content-type": "application/json",
      ...(version && { "mcp-protocol-version": version }),
    };
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    return { status: response.status, answer: text === "" ? undefined : JSON.parse(text) };
  }

  it.each(ALONE)("%s", async (_, sent, answer) => {
    expect((await post(textOf(sent), NEWER)).answer).toEqual(answer);
  });

  it.each(IN_BATCHES)("a batch of %s", async (_, sent, answer) => {
    for (const version of [BATCHES, undefined]) {
      const { status, answer: answered } = await post(textOf(sent), version);
      expect(answered).toEqual(answer);
      expect(status).toBe(answer === undefined ? 202 : Array.isArray(answer) ? 200 : 400);
    }
  });

  it("a batch under another version is refused, and so is one of too many messages", async () => {
    for (const version of [NEWER, "2026-07-28"]) {
      expect(await post(textOf([ping(1)]), version)).toEqual({
        status: 400,
        answer: error(null, -32600),
      });
    }
    const many = Array.from({ length: 5_000 }, (_, id) => ping(id));
    expect(await post(textOf(many), BATCHES)).toMatchObject({
      status: 400,
      answer: { error: { message: expect.stringContaining("at most 100 are allowed") } },
    });
  });

  it("callers who hang up leave their places to others, and their calls are ended", async () => {
    let running = 0;
    let ended = 0;
    const { url } = await mcpOverHttp(() => {
      const server = new Server({ name: "waits", version: "0" }, { capabilities: { tools: {} } });
      server.setRequestHandler(CallToolRequestSchema, async (_, { signal }) => {
        running++;
        await once(signal, "abort");
        ended++;
        return { content: [] };
      });
      return server;
    });
    const send = (message: object, signal?: AbortSignal) =>
      fetch(url, { method: "POST", body: textOf(message), signal: signal ?? null });
    const hangUp = new AbortController();
    const calls = Array.from({ length: AT_ONCE }, (_, id) =>
      send({ ...ping(id), method: "tools/call", params: { name: "wait" } }, hangUp.signal),
    );
    await until(() => running === AT_ONCE);
    hangUp.abort();
    const refused = await Promise.allSettled(calls);
    expect(refused.every(({ status }) => status === "rejected")).toBe(true);
    expect(await (await send(ping(99))).json()).toEqual(pong(99));
    await until(() => ended === AT_ONCE);
  });
});
