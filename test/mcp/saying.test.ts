/** What an agent says into the record and looks up in it, over a real server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, Project } from "../support/project.ts";
import { eventsOf, recordFromTheStart } from "../support/recorded.ts";
import { type Server, startServer } from "../support/server.ts";

let shop: Project;
let server: Server;
beforeAll(async () => {
  shop = await Project.repository();
  await recordFromTheStart(shop);
  server = await startServer({ client: "claude-code", args: [BIN, "--project", shop.folder], env: shop.env });
});
afterAll(async () => {
  await server.end();
  shop.remove();
});

async function recorded(args: Record<string, unknown>): Promise<string> {
  const answer = await server.ask("record_event", args);
  return /evt_\w{26}/.exec(answer)?.[0] ?? expect.fail(answer);
}

describe("a decision", () => {
  it("is recorded with its ground, and found by its words", async () => {
    const asked = await recorded({ kind: "message", actor: "human", content: { text: "Which store do we take?" } });
    const content = {
      decision: "Invoices are kept in Postgres",
      rationale: ["Two writers at once"],
      alternatives: ["SQLite"],
      confidence: 0.8,
    };
    const id = await recorded({ kind: "decision", content, refs: [asked] });
    const found = await server.ask("query_decisions", { query: "why not sqlite?" });
    expect(found).toContain(`evt_${id.slice(-8)}`);
    expect(found).toMatch(/active, confidence 0\.8: Invoices are kept in Postgres\n {2}why: Two writers at once/);
    expect(await eventsOf(shop)).toMatchObject([
      { id: asked, actor: { type: "agent" }, content: { quotes: "human" } },
      { id, agent: "claude-code", kind: "decision", content, refs: [asked], place: { branch: "main" } },
    ]);
  });
});
