/** MCP over HTTP for agents without a clone, by the SDK's client. */
import { expect, it } from "vitest";
import { setRules } from "../../src/daemon/postgres/tenants.ts";
import { RECORDED_ELSEWHERE } from "../../src/sessions/tools/definitions.ts";
import { daemonOfFile, daemonOver, eventCalls, send } from "../support/daemon.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile, testPool } from "../support/postgres.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);

it("agents get what is for them, from any daemon, and say where a clone is missing", async () => {
  const one = daemonOfAll();
  const two = await daemonOver(postgres(), one.database);
  const [annToken, bobToken, readToken] = await Promise.all([
    one.token(),
    one.token({ owner: "bob" }),
    one.token({ owner: "bob", scope: "read" }),
  ]);
  const [ann, bob, reader] = await Promise.all([
    httpAgent(one, annToken),
    httpAgent(two, bobToken),
    httpAgent(two, readToken),
  ]);
  expect(ann.client.getInstructions()).toBe(RECORDED_ELSEWHERE);
  const { tools } = await ann.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "build_acb",
    "record_event",
    "query_decisions",
    "get_artifact",
  ]);
  const said = await ann.call("record_event", {
    kind: "message",
    content: { text: "Refunds round twice." },
    channel: "team",
  });
  expect(said).toEqual({ isError: false, text: expect.stringContaining("evt_") });
  await ann.call("record_event", {
    kind: "message",
    content: { text: "Refunds are a secret of mine." },
  });
  const bundle = await bob.call("build_acb", { query: "why do refunds round" });
  expect(bundle.text).toContain("Refunds round twice.");
  expect(bundle.text).not.toContain("a secret of mine");
  expect(bundle.text).toContain(
    "Missing, because the daemon doesn't have it: identity, rules and preferences, lessons.",
  );
  expect(bundle.text).not.toContain("lines of the rules");
  expect((await ann.call("build_acb", { query: "refunds secret" })).text).toContain(
    "a secret of mine",
  );
  const refused = await reader.call("record_event", { kind: "message", content: { text: "x" } });
  expect(refused).toEqual({ isError: true, text: expect.stringContaining("error not_allowed") });
  expect((await reader.call("query_decisions", {})).isError).toBe(false);
  expect(await bob.call("search_memory", {})).toEqual({
    isError: true,
    text: expect.stringContaining("unknown_tool"),
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => bob.call("build_acb", { query: "refunds" })),
  );
  expect(answers.every(({ isError }) => !isError)).toBe(true);
  // What fails within an answer that is given is in the log as well.
  expect([...one.log, ...two.log].flatMap(({ error }) => error ?? [])).toEqual([
    "not_allowed",
    "unknown_tool",
  ]);
  const told = JSON.stringify([one.log, two.log]);
  expect(told).not.toMatch(/refund|secret/i);
});

it("while it is unclear what a tenant never stores, an agent is told why nothing is stored, and can read", async () => {
  const daemon = daemonOfAll();
  const token = await daemon.token({ tenant: "unclear" });
  const owner = testPool(postgres(), "owner", daemon.database);
  const ann = await httpAgent(daemon, token);
  const say = (text: string) => ann.call("record_event", { kind: "message", content: { text } });
  const events = async () => (await eventCalls(daemon.url, token)("read", {})).body;
  await say("Refunds round twice.");
  const before = await events();
  expect(before).toMatchObject({ events: [expect.anything()] });
  for (const privacy of [
    "version: 9\n",
    "never_store: [",
    "version: 1\nnever_store:\n  patterns: ['(']\n",
  ]) {
    await setRules(owner, "unclear", { privacy });
    const { isError, text } = await say("The customer is Tapir.");
    expect([isError, text], privacy).toEqual([
      true,
      expect.stringMatching(
        /^error privacy_unreadable: .*the privacy of the tenant unclear[\s\S]*\nfix: \S/,
      ),
    ]);
    expect(text).not.toContain("Tapir");
    expect(await events()).toEqual(before);
    expect(await ann.call("build_acb", { query: "why do refunds round" })).toEqual({
      isError: false,
      text: expect.stringContaining("Refunds round twice."),
    });
  }
  await setRules(owner, "unclear", { privacy: "version: 1\nnever_store:\n  words: [Tapir]\n" });
  expect(await say("The customer is Tapir.")).toMatchObject({ isError: false });
  expect(JSON.stringify(await events())).toContain("The customer is [REDACTED].");
});

it("there is no session to listen to or to end, and no call without a token", async () => {
  const daemon = daemonOfAll();
  const authorization = `Bearer ${await daemon.token()}`;
  for (const method of ["GET", "DELETE", "PUT"]) {
    expect(
      (await send(daemon.port, "/mcp", { authorization }, undefined, method)).status,
      method,
    ).toBe(405);
    expect((await send(daemon.port, "/mcp", {}, undefined, method)).status, method).toBe(401);
  }
  const accept = "application/json, text/event-stream";
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headers = {
    authorization,
    accept,
    "content-type": "application/json",
    "mcp-session-id": "somebody's",
  };
  expect(await send(daemon.port, "/mcp", headers, list)).toMatchObject({
    status: 200,
    body: { id: 1 },
  });
  expect((await send(daemon.port, "/mcp", headers, "{")).status).toBe(400);
  expect(
    (await send(daemon.port, "/mcp", { ...headers, origin: "http://evil.example" }, list)).status,
  ).toBe(403);
});
