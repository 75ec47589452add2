/** The active context for a loop of one's own: as much as it asks for, as data, by the names that it has for things. */
import { readFileSync } from "node:fs";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Bundle } from "../../src/sessions/bundle/bundle.ts";
import { BIN, Project } from "../support/project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { type Server, withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const SCHEMA = JSON.parse(readFileSync("docs/bundle.schema.json", "utf8"));
const isBundle = new AjvJsonSchemaValidator().getValidator<Bundle & { notes: string[] }>(SCHEMA);
const TURNS = 700;

let shop: Project;
beforeAll(async () => {
  shop = await Project.repository();
  await shop.write(".context/views/rules.project.md", "Cents are integers.\n");
  await recordFromTheStart(shop);
  const session = new Session({ id: "5e551011-0000-4000-8000-000000000001", cwd: shop.folder });
  for (let turn = 0; turn < TURNS; turn++) {
    session.asks(`How does invoice ${turn} round for customer ${turn * 7}?`);
    session.says(
      Array.from({ length: 30 }, (_, at) => `Invoice ${turn} line ${at}: ${turn * at + 3} cents`).join("; "),
    );
  }
  await keepTranscript(shop, session);
  await shop.run("record", "capture");
});
afterAll(() => shop.remove());

const as = <T>(client: string | undefined, work: (server: Server) => Promise<T>, more: object = {}): Promise<T> =>
  withServer({ args: [BIN, "--project", shop.folder], env: { ...shop.env, ...more }, ...(client && { client }) }, work);

async function bundleFor(server: Server, args: object) {
  const text = await server.ask("build_acb", { query: "How do invoices round?", format: "json", ...args });
  const { data, errorMessage } = isBundle(JSON.parse(text));
  expect(errorMessage).toBeUndefined();
  return data as Bundle & { notes: string[] };
}

it("gives all that a loop asks for, as data that the schema describes, and names the cap that held", async () => {
  await as("my-loop", async (server) => {
    const large = await bundleFor(server, { max_tokens: 65_000 });
    expect(large.token_used_est).toBeGreaterThan(20_000);
    expect(large.notes.join()).toContain("60,000 tokens at most here");
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

it("keeps to what a client shows, also where its person set that", async () => {
  for (const [client, env] of [
    ["claude-code", {}],
    ["my-loop", { SENTINEL_OUTPUT_BUDGET: "20000" }],
  ] as const)
    await as(
      client,
      async (server) => {
        const text = await server.ask("build_acb", { query: "How do invoices round?", max_tokens: 65_000 });
        expect(text.length).toBeLessThan(client === "my-loop" ? 20_000 : 50_000);
        expect(text).toContain("about as much as your client shows of an answer");
      },
      env,
    );
});

it("takes the names of others for an intent, and says as which", async () => {
  await as("my-loop", async (server) => {
    const named = async (intent: string) => {
      const { provenance, notes } = await bundleFor(server, { intent });
      return [provenance.intent, ...notes];
    };
    expect(await named("decision")).toEqual(["decision"]);
    expect(await named("repo_onboarding")).toEqual(["onboarding", "Intent repo_onboarding is taken as onboarding."]);
    expect(await named("continue-work")).toEqual(["continue", "Intent continue-work is taken as continue."]);
    expect(await named("design_spec")).toEqual(["task", "Intent design_spec is taken as task."]);
  });
});

it("keeps where a message is from, and how sure it is", async () => {
  await as("my-loop", async (server) => {
    const content = { text: "The VAT table is of 2026.", citations: ["docs/vat.md#rates"], confidence: 0.8 };
    await server.ask("record_event", { kind: "message", content });
    expect((await server.call("record_event", { kind: "message", content: { ...content, confidence: 7 } })).code).toBe(
      "bad_argument",
    );
  });
  expect((await eventsOf(shop)).at(-1)?.content).toMatchObject({ citations: ["docs/vat.md#rates"], confidence: 0.8 });
});
