/** A loop of one's own whose session log is on PostgreSQL, where others said thousands of things: in a clone, and by plain HTTP. */
import { readFileSync } from "node:fs";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { type DaemonOfTest, daemonOfFile, send } from "../support/daemon.ts";
import { recordOn } from "../support/daemon-record.ts";
import { httpAgent } from "../support/mcp-agent.ts";
import { itIsExplored, nearTexts, oldRepository } from "../support/old-repository.ts";
import { postgresOfFile } from "../support/postgres.ts";
import type { Project } from "../support/project.ts";

const postgres = postgresOfFile();
const SCHEMA = JSON.parse(readFileSync("docs/bundle.schema.json", "utf8"));
const isBundle = new AjvJsonSchemaValidator().getValidator<Bundle & { notes: string[] }>(SCHEMA);
const OTHERS = 3_000;
const daemonOfAll = daemonOfFile(postgres);
let daemon: DaemonOfTest;
let token = "";
beforeAll(async () => {
  daemon = daemonOfAll();
  token = await daemon.token();
  // Another person of the tenant has said much for everybody already, about other things and in the words of the questions.
  const bob = await daemon.token({ owner: "bob" });
  const drafts = Array.from({ length: OTHERS }, (_, at) => ({
    session: `bob-${at % 30}`,
    agent: "my-agent",
    actor: { type: "agent", id: "my-agent" },
    kind: "message",
    channel: "team",
    ts: new Date(Date.now() - (OTHERS - at) * 600_000).toISOString(),
    content: {
      text: `Invoice ${at} of customer ${at * 7} rounds to ${at * 3} cents, because the VAT table is of 2026.`,
    },
  }));
  for (const said of [drafts, nearTexts(OTHERS)]) {
    const { status } = await post("/v1/events/append", bob, { drafts: said });
    expect(status).toBe(200);
  }
});

const post = (path: string, as: string, body: unknown) =>
  send(daemon.port, path, { authorization: `Bearer ${as}` }, JSON.stringify(body));

describe("in a clone", () => {
  let repository: Project;
  beforeAll(async () => {
    repository = await oldRepository();
    await recordOn(repository, daemon.url, token);
  });
  afterAll(() => repository.remove());

  itIsExplored(() => repository, true);
});

describe("POST /v1/build_acb", () => {
  const ask = async (body: object, as = token) => {
    const answer = await post("/v1/build_acb", as, body);
    const { data, errorMessage } = isBundle(answer.body);
    expect([answer.status, errorMessage]).toEqual([200, undefined]);
    return data as Bundle & { notes: string[] };
  };

  it("gives what the tool gives as JSON, as the schema describes it, and as much as a program asks for", async () => {
    const asked = { query: "How do invoices round?", intent: "project_recall", max_tokens: 1_000 };
    const bundle = await ask(asked);
    expect(
      bundle.sections.find(({ name }) => name === "retrieved_evidence")?.items[0],
    ).toMatchObject({
      text: expect.stringContaining("VAT table"),
      refs: expect.arrayContaining([expect.stringMatching(/^evt_/)]),
    });
    expect(bundle.provenance).toMatchObject({ query_terms: expect.arrayContaining(["invoic"]) });
    expect(bundle.notes).toEqual([
      `Intent project_recall is taken as ${bundle.provenance.intent}.`,
    ]);
    expect(
      bundle.omissions.flatMap(({ reason, section }) => (reason === "not_here" ? [section] : [])),
    ).toEqual(["identity", "rules", "lessons"]);
    const agent = await httpAgent(daemon, token);
    const { text } = await agent.call("build_acb", { ...asked, format: "json" });
    expect(JSON.parse(text).acb_id).toBe(bundle.acb_id);
    const large = await ask({ ...asked, max_tokens: 65_000 });
    expect(large.token_used_est).toBeGreaterThan(10_000);
    expect(large.notes.join()).toContain(
      "kept something out: sections.retrieved_evidence (28,000)",
    );
  });

  it("shows a reader what is for that one", async () => {
    const drafts = [
      {
        session: "ann-1",
        agent: "my-agent",
        actor: { type: "agent", id: "my-agent" },
        kind: "message",
        content: { text: "Refunds are a secret of mine." },
      },
    ];
    expect((await post("/v1/events/append", token, { drafts })).status).toBe(200);
    const query = "refunds secret mine";
    expect(JSON.stringify(await ask({ query }))).toContain("Refunds are a secret of mine.");
    const reader = await daemon.token({ owner: "carl", scope: "read" });
    expect(JSON.stringify(await ask({ query }, reader))).not.toContain("Refunds are");
  });

  it("refuses what it does not know, and who may not ask", async () => {
    for (const body of [
      { max_tokens: 65_001 },
      { query: 1 },
      { tenant_id: "globex" },
      [],
      { channel: "all" },
    ]) {
      expect(await post("/v1/build_acb", token, body)).toMatchObject({
        status: 400,
        body: { error: { code: "bad_argument" } },
      });
    }
    const metrics = await daemon.token({ owner: "operator", scope: "metrics" });
    expect((await post("/v1/build_acb", metrics, {})).status).toBe(403);
    expect((await send(daemon.port, "/v1/build_acb", {}, "{}")).status).toBe(401);
    const get = await send(
      daemon.port,
      "/v1/build_acb",
      { authorization: `Bearer ${token}` },
      undefined,
      "GET",
    );
    expect(get.status).toBe(404);
    expect(new Set(daemon.log.map(({ call }) => call))).toContain("build_acb");
  });
});

it("an append says what messages cite and nobody finds, as record_event does", async () => {
  const said = (content: object) => ({
    session: "ann-2",
    agent: "my-agent",
    actor: { type: "agent", id: "my-agent" },
    kind: "message",
    content: { text: "Books have a rate of their own.", ...content },
  });
  const append = (...contents: object[]) =>
    post("/v1/events/append", token, { drafts: contents.map(said) });
  const { body } = await append({ confidence: 0.7, citations: ["https://example.com"] });
  expect(body).toEqual({ events: [expect.objectContaining({ kind: "message" })] });
  const [{ id = "" } = {}] = (body as { events: { id?: string }[] }).events;
  const unknown = "evt_01ABCDEFGHJKMNPQRSTVWXYZ01";
  const cited = await append({ citations: [id, unknown] }, { citations: ["art_00"] });
  expect(cited.body).toMatchObject({
    events: [{}, {}],
    notes: [
      `Cited as given, but no event here has the id ${unknown}, art_00. Answers show ids as evt_….`,
    ],
  });
});

it("POST /v1/query_decisions gives decisions as data, to those who may see them", async () => {
  const decided = (decision: string, channel: string) => ({
    session: "ann-2",
    agent: "my-agent",
    actor: { type: "agent", id: "my-agent" },
    kind: "decision",
    channel,
    content: { decision, alternatives: ["walnut"] },
  });
  const ask = (as: string) => post("/v1/query_decisions", as, { query: "oak walnut" });
  const before = (await ask(token)).body as { known: number };
  const drafts = [decided("Crates are of oak", "team"), decided("Lids are of oak", "private")];
  expect((await post("/v1/events/append", token, { drafts })).status).toBe(200);
  const own = await ask(token);
  expect(own.status).toBe(200);
  expect(own.body).toMatchObject({ known: before.known + 2 });
  expect(JSON.stringify(own.body)).toContain("Lids are of oak");
  const other = await ask(await daemon.token({ owner: "dora" }));
  expect(other.body).toMatchObject({
    decisions: [{ decision: "Crates are of oak", alternatives: ["walnut"] }],
    known: 1,
  });
  expect((await post("/v1/query_decisions", token, { words: "oak" })).status).toBe(400);
});
