/**
 * Both eras of the protocol, as they are on the wire: that of 2026-07-28, in which each request says its version, and that of a greeting.
 * The clients of both are in test/clients/eras.test.ts.
 */
import { describe, expect, it } from "vitest";
import { all } from "../contracts/event-store.ts";
import { greeting, toInput } from "../support/exchange.ts";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { mcpOverHttp } from "../support/mcp-over-http.ts";
import { type Asked, MODERN, modern, SERVER_KEY, saying, VERSION } from "../support/modern.ts";
import { BIN, type Project } from "../support/project.ts";
import { eventsOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { runProcess } from "../support/run-process.ts";

interface Answer {
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

const SEARCH = { name: "search_memory", arguments: { query: "payment" } };
const FRESH = { ttlMs: expect.any(Number), cacheScope: "private" };
const OLD = "2025-11-25";
const WITHOUT_CAPABILITIES = {
  ...saying(),
  "io.modelcontextprotocol/clientCapabilities": undefined,
};

/** What a version refuses, by its code; what else the answer has. */
const REFUSALS = [
  {
    what: "a version that is not known",
    code: -32022,
    method: "tools/list",
    _meta: saying({ version: "1900-01-01" }),
    more: { data: { supported: [MODERN], requested: "1900-01-01" } },
  },
  {
    what: "a version of the other era",
    code: -32022,
    method: "tools/list",
    _meta: saying({ version: OLD }),
  },
  { what: "no capabilities", code: -32602, method: "server/discover", _meta: WITHOUT_CAPABILITIES },
  { what: "a greeting", code: -32601, method: "initialize", _meta: saying() },
  { what: "a ping", code: -32601, method: "ping", _meta: saying() },
  { what: "a method that is not known", code: -32601, method: "resources/list", _meta: saying() },
];

describe("over standard input and output", () => {
  /** By their ids. */
  async function answersTo({ env, folder }: Project, lines: Parameters<typeof toInput>[0]) {
    const { stdout } = await runProcess(process.execPath, [BIN], {
      env,
      cwd: folder,
      stdin: toInput(lines),
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const to = (id: number): Answer =>
      answers.find((answer) => answer.id === id) ?? expect.fail(`no answer to ${id}`);
    return Object.assign(to, { count: answers.length });
  }

  it("a request needs no greeting, and its answer is complete, named and dated", async () => {
    const project = await testProject({ git: true, lines: [log({ topic: "payment" })] });
    const answer = await answersTo(project, [
      modern(1, "server/discover", {}, saying({ client: "codex" })),
      modern(2, "tools/list"),
      modern(3, "prompts/list"),
      modern(4, "tools/call", SEARCH),
      modern(5, "prompts/get", { name: "recall" }),
      modern(6, "tools/call", { ...SEARCH, arguments: { nothing: 1 } }),
    ]);
    const complete = {
      resultType: "complete",
      _meta: { [SERVER_KEY]: { name: "sentinel-memory" } },
    };
    const { result: found } = answer(1);
    expect(found).toMatchObject({
      ...complete,
      ...FRESH,
      supportedVersions: [MODERN],
      capabilities: { tools: {}, prompts: {} },
    });
    expect(Object.keys(found ?? {})).not.toEqual(expect.arrayContaining(["protocolVersion"]));
    expect(found?.instructions, "the lessons that Codex opens with").toContain("payment");
    const tools = [{ name: "search_memory" }, { name: "log_memory" }, { name: "compact_memory" }];
    expect(answer(2).result).toMatchObject({ ...complete, ...FRESH, tools });
    expect(answer(3).result).toMatchObject({
      ...complete,
      ...FRESH,
      prompts: [{ name: "recall" }, {}, {}],
    });
    expect(answer(4).result).toMatchObject({
      ...complete,
      content: [{ text: expect.stringContaining("payment") }],
    });
    expect(answer(4).result?._meta, "ours beside it").toHaveProperty("sentinel-memory/memory");
    expect(answer(5).result).toMatchObject({
      ...complete,
      messages: [{ content: { text: expect.any(String) } }],
    });
    for (const id of [4, 5]) {
      expect(answer(id).result, "nobody keeps a call").not.toHaveProperty("ttlMs");
    }
    expect(answer(6).result).toMatchObject({ ...complete, isError: true });
  });

  it("after a greeting nothing of the new era shows, and requests of both are answered beside each other", async () => {
    const project = await testProject({ git: true, lines: [log()] });
    const answer = await answersTo(project, [
      ...greeting("codex"),
      { id: 1, method: "tools/list" },
      modern(2, "tools/call", SEARCH),
      { id: 3, method: "tools/call", params: SEARCH },
      { id: 4, method: "ping" },
      { id: 5, method: "server/discover" },
    ]);
    expect(answer(0).result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "sentinel-memory" },
    });
    for (const id of [0, 1, 3, 4]) {
      const { result = {} } = answer(id);
      expect(
        ["resultType", "ttlMs", "cacheScope", "supportedVersions"].filter((key) => key in result),
      ).toEqual([]);
      expect(result._meta ?? {}).not.toHaveProperty(SERVER_KEY);
    }
    expect(answer(2).result).toMatchObject({
      resultType: "complete",
      content: answer(3).result?.content,
    });
    expect(answer(5), "without a version").toMatchObject({ error: { code: -32602 } });
  });

  it("refuses parameters that are none of a request's, naming what is wrong, and answers no notification", async () => {
    const project = await testProject({ git: true, lines: [log()] });
    const client = { protocolVersion: OLD, capabilities: {}, clientInfo: "codex" };
    const wrong: [method: string, params: unknown, says: RegExp][] = [
      ["initialize", client, /clientInfo/],
      ["initialize", {}, /protocolVersion[\s\S]*capabilities[\s\S]*clientInfo/],
      ["tools/list", [1], /params of a request are an object/],
      ["tools/call", [SEARCH], /params of a request are an object/],
      ["tools/call", null, /params/],
      ["tools/call", { arguments: {} }, /name/],
      ["tools/call", { ...SEARCH, arguments: ["payment"] }, /arguments/],
      ["prompts/get", { name: 5 }, /name/],
      ["prompts/get", { name: "nothing" }, /There is no prompt "nothing"/],
    ];
    const lines = wrong.map(([method, params], id) => ({ id, method, params }));
    const silent = [
      { method: "tools/list", params: [1] },
      { method: "notifications/progress", params: [1] },
    ];
    const answer = await answersTo(project, [
      ...silent,
      ...lines,
      { id: 100, method: "resources/list" },
    ]);
    for (const [id, [method, , says]] of wrong.entries()) {
      expect(answer(id), method).toEqual({
        jsonrpc: "2.0",
        id,
        error: { code: expect.any(Number), message: expect.stringMatching(says) },
      });
    }
    expect(answer(100)).toMatchObject({ error: { code: -32601 } });
    expect(answer.count).toBe(wrong.length + 1);
  });

  it("each request is its own client's, and one without a name is answered", async () => {
    const project = await recordedRepository();
    const says = (id: number, client: string) =>
      modern(
        id,
        "tools/call",
        {
          name: "record_event",
          arguments: { kind: "message", content: { text: `Said in ${id}.` } },
        },
        saying({ client }),
      );
    const nameless = { ...saying(), "io.modelcontextprotocol/clientInfo": undefined };
    const answer = await answersTo(project, [
      says(1, "claude-code"),
      says(2, "codex-mcp-client"),
      modern(3, "server/discover", {}, nameless),
      modern(
        4,
        "tools/call",
        { name: "build_acb", arguments: { query: "what was said" } },
        nameless,
      ),
    ]);
    const agents = (await eventsOf(project)).map(({ content, agent }) => [content.text, agent]);
    expect(agents.sort()).toEqual([
      ["Said in 1.", "claude-code"],
      ["Said in 2.", "codex"],
    ]);
    for (const id of [3, 4]) {
      expect(answer(id).result).toMatchObject({ resultType: "complete" });
    }
  });
});

describe("over HTTP", () => {
  const headersOf = ({ method, params }: Asked) => ({
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(method === "tools/call" && { "mcp-name": String(params.name) }),
  });
  async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, answer: (text === "" ? {} : JSON.parse(text)) as Answer };
  }
  const ask = (url: string, asked: Asked, headers: Readonly<Record<string, string>> = {}) =>
    post(url, asked, { ...headersOf(asked), ...headers });

  it("a request needs no greeting, and its answer is complete, named and dated", async () => {
    const { url, store } = await mcpOverHttp();
    const complete = {
      resultType: "complete",
      _meta: { [SERVER_KEY]: { name: "sentinel-memory", version: "0.0.0" } },
    };
    const found = await ask(url, modern(1, "server/discover"));
    expect(found).toMatchObject({
      status: 200,
      answer: { id: 1, result: { ...complete, ...FRESH, supportedVersions: [MODERN] } },
    });
    expect(found.answer.result).toMatchObject({
      capabilities: { tools: {} },
      instructions: expect.any(String),
    });
    const { answer } = await ask(url, modern(2, "tools/list"));
    expect(answer.result).toMatchObject({
      ...complete,
      ...FRESH,
      tools: [{ name: "build_acb" }, {}, {}, {}],
    });
    const said = { kind: "message", content: { text: "Refunds round twice." } };
    const saved = await ask(
      url,
      modern(
        3,
        "tools/call",
        { name: "record_event", arguments: said },
        saying({ client: "codex" }),
      ),
    );
    expect(saved).toMatchObject({
      status: 200,
      answer: { result: { ...complete, content: [{ text: expect.stringContaining("evt_") }] } },
    });
    expect((await all(store)).map(({ content, agent }) => [content.text, agent])).toEqual([
      [said.content.text, "codex"],
    ]);
    const wrong = { name: "wörong", arguments: {} };
    const name = `=?base64?${Buffer.from(wrong.name).toString("base64")}?=`;
    const missing = await ask(url, modern(5, "tools/call", wrong), { "mcp-name": name });
    expect(missing).toMatchObject({
      status: 200,
      answer: { result: { isError: true, resultType: "complete" } },
    });
  });

  it.each(REFUSALS)("refuses $what", async ({ code, method, _meta, more = {} }) => {
    const { url } = await mcpOverHttp();
    const version = _meta[VERSION];
    const refused = await ask(url, modern(1, method, {}, _meta), {
      "mcp-protocol-version": version,
    });
    expect(refused).toMatchObject({
      status: code === -32601 ? 404 : 400,
      answer: { id: 1, error: { code, ...more } },
    });
  });

  it.each([
    ["another version", modern(1, "tools/list"), { "mcp-protocol-version": OLD }],
    ["another method", modern(1, "tools/list"), { "mcp-method": "prompts/list" }],
    [
      "another tool",
      modern(1, "tools/call", { name: "build_acb" }),
      { "mcp-name": "get_artifact" },
    ],
    ["no method", modern(1, "tools/list"), { "mcp-method": "" }],
  ])("refuses a call whose headers say %s", async (_, asked, headers) => {
    expect(await ask((await mcpOverHttp()).url, asked, headers)).toMatchObject({
      status: 400,
      answer: { error: { code: -32020 } },
    });
  });

  it("refuses a call that only its header places", async () => {
    const { url } = await mcpOverHttp();
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" } as const;
    for (const version of [MODERN, "1999-01-01"]) {
      expect(
        await post(url, list, { "mcp-protocol-version": version, "mcp-method": list.method }),
        version,
      ).toMatchObject({ status: 400, answer: { error: { code: -32602 } } });
    }
    const bare = { jsonrpc: "2.0", id: 1, method: "server/discover" } as const;
    expect(await post(url, bare), "a method of its own").toMatchObject({
      status: 400,
      answer: { id: 1, error: { code: -32602 } },
    });
    const { status, answer } = await post(url, list, { "mcp-protocol-version": OLD });
    expect([status, Object.keys(answer.result ?? {})]).toEqual([200, ["tools"]]);
  });

  it("takes a notification, and no message that is not one", async () => {
    const { url } = await mcpOverHttp();
    expect((await post(url, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(
      202,
    );
    expect(
      (await post(url, { jsonrpc: "2.0", id: 9, method: "tools/list", params: [1] })).status,
    ).toBe(400);
    for (const body of [{}, { jsonrpc: "2.0", id: 1 }, 5 as never]) {
      expect((await post(url, body)).status).toBe(400);
    }
    const odd = await post(url, { jsonrpc: "2.0", id: 1.5, method: "tools/list" });
    expect(odd).toMatchObject({ status: 200, answer: { error: { code: -32600 } } });
  });
});
