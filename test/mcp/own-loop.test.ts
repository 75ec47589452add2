/** The active context for a loop of one's own: as much as it asks for, as data, by the names that it has for things. */
import { readFileSync } from "node:fs";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { mcpOverHttp } from "../support/mcp-over-http.ts";
import { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { type Server, withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const SCHEMA = JSON.parse(readFileSync("docs/bundle.schema.json", "utf8"));
const isBundle = new AjvJsonSchemaValidator().getValidator<Bundle & { notes: string[] }>(SCHEMA);
/** Half of them fill the largest bundle. */
const TURNS = 400;

let shop: Project;
beforeAll(async () => {
  shop = await Project.repository();
  await shop.write(".context/views/rules.project.md", "Cents are integers.\n");
  await recordFromTheStart(shop);
  const session = new Session({ id: "5e551011-0000-4000-8000-000000000001", cwd: shop.folder });
  for (let turn = 0; turn < TURNS; turn++) {
    session.asks(`How does invoice ${turn} round for customer ${turn * 7}?`);
    session.says(
      Array.from(
        { length: 30 },
        (_, at) => `Invoice ${turn} line ${at}: ${turn * at + 3} cents`,
      ).join("; "),
    );
  }
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
});
afterAll(() => shop.remove());

const as = <T>(
  client: string | undefined,
  work: (server: Server) => Promise<T>,
  more: object = {},
): Promise<T> => {
  const start = shop.server(client);
  return withServer({ ...start, env: { ...start.env, ...more } }, work);
};

async function bundleFor(server: Server, args: object) {
  const text = await server.ask("build_acb", {
    query: "How do invoices round?",
    format: "json",
    ...args,
  });
  const { data, errorMessage } = isBundle(JSON.parse(text));
  expect(errorMessage).toBeUndefined();
  return data as Bundle & { notes: string[] };
}

it("gives all that a loop asks for, as data that the schema describes, and names the cap that held", async () => {
  await as("my-loop", async (server) => {
    const large = await bundleFor(server, { max_tokens: 65_000 });
    expect(large.token_used_est).toBeGreaterThan(20_000);
    expect(large.notes).toEqual([
      expect.stringContaining("kept something out: sections.retrieved_evidence (28,000)"),
    ]);
    expect(large.sections.find(({ name }) => name === "rules")?.items[0]).toMatchObject({
      text: expect.stringContaining("Cents are integers."),
      refs: ["view:rules.project"],
    });
    expect(large.omissions.map(({ reason }) => reason)).toContain("budget");
    const small = await bundleFor(server, { max_tokens: 2_000 });
    expect(small.token_used_est).toBeLessThanOrEqual(2_200);
    expect(small.notes).toEqual([]);
  });
});

it("names the cap of the team's budgets that held, and gives all 65,000 where none does", async () => {
  const large = async (budgets: string) => {
    await shop.write(".context/policies/budgets.yaml", `version: 1\n${budgets}`);
    return as("my-loop", (server) => bundleFor(server, { max_tokens: 65_000 }));
  };
  const sections = "sections: {retrieved_evidence: {max_tokens: 65000}}\n";
  const whole = await large(sections);
  expect(whole.token_used_est).toBeGreaterThan(58_000);
  expect([whole.budget_tokens, whole.notes]).toEqual([65_000, []]);
  const reserved = await large(`reserve_tokens: 20000\n${sections}`);
  expect(reserved.notes).toEqual([
    expect.stringContaining("kept something out: max_tokens or reserve_tokens (45,000)"),
  ]);
  const both = await large("reserve_tokens: 20000\n");
  expect(both.notes).toEqual([
    expect.stringContaining("kept something out: sections.retrieved_evidence (28,000)"),
  ]);
  const few = await large("limits: {chunks: 20}\n");
  expect(few.notes).toEqual([expect.stringContaining("kept something out: limits.chunks (20)")]);
  await shop.write(".context/policies/budgets.yaml", "version: 1\n");
});

it("names no cap where there is nothing more", async () => {
  const asked = { query: "zebra quagga", max_tokens: 65_000 };
  await shop.write(".context/policies/budgets.yaml", "version: 1\nmax_tokens: 2000\n");
  for (const client of ["my-loop", "claude-code"]) {
    await as(client, async (server) => {
      const { notes, budget_tokens } = await bundleFor(server, asked);
      expect([notes, budget_tokens], client).toEqual([[], 2_000]);
    });
  }
  await shop.write(".context/policies/budgets.yaml", "version: 1\n");
  await as("claude-code", async (server) =>
    expect((await bundleFor(server, asked)).notes).toEqual([]),
  );
});

it("keeps to what a client shows, also where its person set that", async () => {
  for (const [client, env] of [
    ["claude-code", {}],
    ["my-loop", { SENTINEL_OUTPUT_BUDGET: "20000" }],
  ] as const) {
    await as(
      client,
      async (server) => {
        const text = await server.ask("build_acb", {
          query: "How do invoices round?",
          max_tokens: 65_000,
        });
        expect(text.length).toBeLessThan(client === "my-loop" ? 20_000 : 50_000);
        expect(text).toContain("about the most your client shows of an answer");
      },
      env,
    );
  }
});

it("gives VS Code no answer that it would write to a file instead of showing it", async () => {
  await as("Visual Studio Code", async (server) => {
    const shown = async (tool: string, args: object) => {
      const text = await server.ask(tool, { ...args });
      expect(text.length, `${tool} ${JSON.stringify(args)}`).toBeLessThanOrEqual(8_000);
      expect(text.length, "fills the room").toBeGreaterThan(4_000);
    };
    const query = "How do invoices round?";
    await shown("build_acb", { query, max_tokens: 65_000 });
    await shown("build_acb", { query, max_tokens: 65_000, format: "json" });
    const rates = Array.from({ length: 900 }, (_, line) => `Rate ${line}: ${line * 7} cents.`);
    const content = { text: rates.join("\n") };
    const said = await server.ask("record_event", { kind: "message", content });
    const [ref = ""] = /evt_\w+/.exec(said) ?? [];
    await shown("get_artifact", { ref });
    for (const rate of rates.slice(0, 60)) {
      const decision = { decision: `Invoices round as in: ${rate}`, rationale: rate.repeat(9) };
      await server.ask("record_event", { kind: "decision", content: decision, refs: [ref] });
    }
    await shown("query_decisions", {});
  });
});

it("takes a log pasted into a question, and refuses one that is far longer with the fix", async () => {
  await as("my-loop", async (server) => {
    await bundleFor(server, { query: "How do invoices round? ".repeat(1_000) });
    for (const tool of ["build_acb", "query_decisions"]) {
      expect(await server.call(tool, { query: "invoices ".repeat(4_000) })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/too_large: .* 32,768 .*\nfix: Ask with its key words/),
      });
    }
  });
});

it("takes them at the command line, too", async () => {
  const said = await shop.run("context", "How do invoices round?", "--intent", "session_resume");
  expect(said.stdout).toMatch(/^Bundle acb_\w{6}, session \w+, intent continue: /);
  expect(said.stderr).toContain("Intent session_resume is taken as continue.");
  const own = await shop.run("context", "How do invoices round?", "--intent", "recall");
  expect([own.exit, own.stderr]).toEqual([0, ""]);
});

it("says which ids that a message cites name nothing, and keeps them as they were said", async () => {
  await as("my-loop", async (server) => {
    const record = (citations: string[]) =>
      server.ask("record_event", {
        kind: "message",
        content: { text: `By ${citations}`, citations },
      });
    const known = /evt_\w{26}/.exec(await record([]))?.[0] ?? "";
    expect(await record([known, known.slice(0, 4) + known.slice(-8), "docs/vat.md"])).not.toContain(
      "Cited",
    );
    const said = await record([known, "evt_ZZZZZZZZ", "evt_nothing"]);
    expect(said).toMatch(/^Recorded: message/);
    expect(said).toContain(
      "Cited as given, but no event here has the id evt_ZZZZZZZZ, evt_nothing.",
    );
  });
  expect((await eventsOf(shop)).at(-1)?.content.citations).toContain("evt_nothing");
});

const IDENTITY = { tenant_id: "t", session_id: "s1" };
const MESSAGE = {
  ...IDENTITY,
  channel: "private",
  actor: { type: "human", id: "user" },
  kind: "message",
  sensitivity: "none",
  tags: ["topic:onboarding", "repo:legacy"],
  content: { text: "what this project for?" },
  refs: [],
};
const RESULT = {
  tool: "fs.read_file",
  path: "README.md",
  excerpt_text: "A resilient file system module",
  line_range: [1, 120],
  truncated: true,
};
const ASKED = {
  ...IDENTITY,
  agent_id: "o",
  channel: "private",
  intent: "repo_onboarding",
  query_text: "what this project for?",
  max_tokens: 65_000,
};
const citing = (...chunks: string[]) => ({
  text: "It is a file system module.",
  citations: chunks.map((chunk_id) => ({ chunk_id, label: "README purpose section" })),
  confidence: 0.72,
});

it("takes bodies in the words of other memories over stdio, and says what has no place", async () => {
  await as("my-loop", async (server) => {
    expect(await server.ask("record_event", MESSAGE)).toMatch(
      /^Recorded: message evt_\w+, session s1/,
    );
    const answer = await server.ask("record_event", {
      ...IDENTITY,
      kind: "tool_result",
      content: RESULT,
    });
    const [id = ""] = answer.match(/evt_\w+/) ?? [];
    const [stored] = (await eventsOf(shop)).filter((event) => event.id === id);
    const { excerpt_text, ...others } = RESULT;
    expect(stored).toMatchObject({
      session: "s1",
      actor: { type: "tool" },
      content: { ...others, excerpt_text },
    });
    const part = `${id.replace("evt_", "chk_")}_01`;
    const cited = await server.ask("record_event", {
      ...MESSAGE,
      actor: { type: "agent" },
      content: citing(part),
    });
    expect(cited).not.toContain("Cited as given");
    expect((await eventsOf(shop)).at(-1)?.content).toMatchObject({
      citations: [part],
      confidence: 0.72,
    });
    const bundle = await bundleFor(server, { ...ASKED, query: undefined });
    expect(bundle.provenance).toMatchObject({
      intent: "onboarding",
      session: "s1",
      query_terms: expect.any(Array),
    });
    expect(JSON.stringify(bundle.sections)).toContain(RESULT.excerpt_text);
  });
});

it("takes the same bodies over HTTP, where only the token says whose a call is", async () => {
  const { url, store } = await mcpOverHttp();
  const post = async (path: string, body: object) => {
    const response = await fetch(url.replace("/mcp", path), {
      method: "POST",
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as { events?: Event[]; notes?: string[] },
    };
  };
  const append = (body: object) => post("/v1/events/append", body);
  const { body } = await append(MESSAGE);
  expect(body.events).toMatchObject([
    { session: "s1", kind: "message", tags: MESSAGE.tags, agent: "agent" },
  ]);
  const actor = { type: "tool", id: "fs.read_file" };
  const read = await append({
    ...MESSAGE,
    agent_id: "o",
    kind: "tool_result",
    actor,
    content: RESULT,
  });
  expect(read.body.events).toMatchObject([{ agent: "o", content: RESULT }]);
  const part = `${read.body.events?.[0]?.id.replace("evt_", "chk_")}_01`;
  const missing = part.replace(/\w{4}_01$/, "0000_01");
  const said = await append({ drafts: [{ ...MESSAGE, content: citing(part, missing) }] });
  expect(said.body.events?.[0]?.content).toMatchObject({ citations: [part, missing] });
  expect(said.body.notes).toEqual([
    expect.stringContaining(`no event here has the id ${missing}.`),
  ]);
  const bundle = await post("/v1/build_acb", ASKED);
  expect(bundle.status).toBe(200);
  expect(JSON.stringify(bundle.body)).toContain(RESULT.excerpt_text);
  for (const other of [{ tenant_id: "t2" }, { agent_id: "agentA" }]) {
    for (const refused of [
      await append({ ...MESSAGE, ...other }),
      await append({ drafts: [{ ...MESSAGE, ...other }] }),
      await post("/v1/build_acb", { ...ASKED, ...other }),
    ]) {
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: {
            code: "bad_argument",
            message: expect.stringContaining(Object.keys(other)[0] ?? ""),
          },
        },
      });
    }
  }
  expect(await store.brief("recent")).toHaveLength(3);
});
