/**
 * The planted secrets of the session log's tests, sent to a daemon as they are: no table, no log of the database or of the daemon and no segment
 * of the write-ahead log has them. That a search for them finds them where nothing is redacted is in test/events/secrets.test.ts.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it, onTestFinished } from "vitest";
import { send } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { keptBy, storeTextsAsTheyAre, withoutOurNames } from "../support/kept-by-postgres.ts";
import { draftsWith, makeSecrets, type Planted, runsLeft } from "../support/planted-secrets.ts";
import { postgresOfFile } from "../support/postgres.ts";

interface Daemon {
  readonly url: string;
  readonly token: string;
}

/** Sends every secret, and asks for some of them: what is asked is not kept. */
type Way = (daemon: Daemon, secrets: readonly Planted[]) => Promise<void>;

/** Stands in texts that are sent over MCP. */
const EVIDENCE = "step 18 of the deployment";
/** How many of the secrets are asked for. */
const ASKED = 20;

const overEndpoints: Way = async ({ url, token }, secrets) => {
  const port = Number(new URL(url).port);
  const authorization = `Bearer ${token}`;
  const call = async (path: string, body: unknown, headers: object = {}) =>
    send(port, path, { authorization, ...headers }, JSON.stringify(body));
  expect((await call("/v1/events/append", { drafts: draftsWith(secrets) })).status).toBe(200);
  for (const { written } of secrets.slice(0, ASKED)) {
    const name = encodeURIComponent(written);
    await call("/v1/events/search", { text: written });
    await call("/v1/events/to-purge", { target: { text: written } });
    await call("/v1/events/find", { ids: [written] });
    await call("/v1/events/read", { session: written, [written]: 1 });
    await call("/v1/events/append", { drafts: [{ kind: written }] });
    await call("/v1/events/append", {
      drafts: [{ kind: "message", session: "s", content: {}, [written]: written }],
    });
    await call(`/v1/events/${name}`, {});
    await call("/health", {}, { authorization: `Bearer ${name}` });
    await call("/mcp", { jsonrpc: "2.0", id: 1, method: written });
  }
  await call("/v1/events/purge", { target: { text: "number 7" } });
};

/** So many that there are no more pins than may be in force at once. */
const STATEMENTS: readonly ((planted: Planted, ref: string) => object)[] = [
  ({ written }) => ({ kind: "message", content: { text: `Use ${written} for it.` } }),
  ({ written }) => ({
    kind: "tool_result",
    content: { tool: "Bash", text: `${EVIDENCE}\n${written}\n` },
  }),
  ({ written }) => ({
    kind: "task_update",
    content: { title: "Log in", details: `with ${written} as said` },
  }),
  ({ written }, ref) => ({
    kind: "decision",
    content: { decision: "keep it", alternatives: ["nothing", `set ${written}`] },
    refs: [ref],
  }),
  ({ written }, ref) => ({ kind: "pin", content: { ref, note: `it is ${written}` } }),
  ({ written }) => ({
    kind: "handoff",
    content: {
      to_agent: "codex",
      task: "log in",
      constraints: [`use ${written}`],
      open_questions: [written],
    },
  }),
  ({ written }) => ({
    kind: "tool_call",
    content: { tool: "Bash", command: `echo ${written} | tool` },
  }),
  ({ written }, ref) => ({
    kind: "summary",
    content: { text: `We used ${written} for it.`, coverage: "all" },
    refs: [ref],
  }),
  ({ written }) => ({
    kind: "tool_result",
    content: { tool: "Bash", text: EVIDENCE, command: `echo ${written}`, outcome: "failed" },
  }),
  ({ written }) => ({
    kind: "task_update",
    content: { title: `Log in with ${written} again`, owner: "ann" },
  }),
  ({ written }) => ({ kind: "message", content: { text: "hello" }, session: written }),
  ({ written }) => ({ kind: "message", content: { text: `once ${written}` }, key: written }),
];
/** In a name, what is known by its neighbour cannot be told. */
const TEXTS = STATEMENTS.filter(
  (statement) => !("session" in statement({ secret: "", written: "" }, "")),
);

const overMcp: Way = async ({ url, token }, secrets) => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}`, "user-agent": `${secrets[0]?.written}/1.0` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never,
  );
  onTestFinished(() => client.close());
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });
  const record = async (statement: object) => {
    const said = JSON.stringify(await call("record_event", { channel: "private", ...statement }));
    expect(said).not.toContain("isError");
    return said;
  };
  const [ref = ""] =
    /evt_\w+/.exec(await record({ kind: "message", content: { text: EVIDENCE } })) ?? [];
  for (const [at, planted] of secrets.entries()) {
    const statements = planted.secret === planted.written ? STATEMENTS : TEXTS;
    await record(statements[at % statements.length]?.(planted, ref) ?? {});
  }
  for (const { written } of secrets.slice(0, ASKED)) {
    await call("build_acb", { query: written, session: written });
    await call("get_artifact", { ref: written });
    await call(written, { [written]: written });
  }
};

const EVIDENCE_OF_ALL = ["step 17 of the build", EVIDENCE];

const postgres = postgresOfFile();

it("secrets that are sent to a daemon over its endpoints and over MCP are in nothing that is kept", async () => {
  const secrets = makeSecrets();
  const operator = await operatorOf(postgres(), "acme");
  await storeTextsAsTheyAre(postgres(), operator.database);
  const token = await operator.token("ann");
  const daemon = await operator.serve();
  for (const way of [overEndpoints, overMcp]) {
    const known = daemon.log.length;
    await way({ url: daemon.url, token }, secrets);
    expect(daemon.log.length).toBeGreaterThan(known + 2 * ASKED);
  }
  const { tables, logs } = keptBy(postgres(), operator.database);
  for (const text of [tables, logs]) {
    for (const evidence of EVIDENCE_OF_ALL) {
      expect(text).toContain(evidence);
    }
    expect(runsLeft(secrets, withoutOurNames(text))).toEqual([]);
  }
  expect(runsLeft(secrets, daemon.log.join("\n"))).toEqual([]);
});
