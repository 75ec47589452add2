import { beforeAll, beforeEach, expect, it } from "vitest";
import { Team } from "../setup/team.ts";
import type { Project } from "../support/project.ts";
import { addPlugin, approveServer, installAgents, runAgent } from "./agents.ts";
import { claudeTurn, opencodeTurn } from "./turns.ts";

const VAT = {
  topic: "billing",
  missing_context: "VAT differs by country",
  lesson: "Read the rate table first",
  ask_next_time: "Which countries does this change apply to?",
};
const INVOICE = {
  topic: "billing",
  missing_context: "Invoice numbers must not have gaps",
  lesson: "Take the number in the saving transaction",
  ask_next_time: "May a cancelled invoice keep its number?",
};

beforeAll(installAgents, 900_000);

let team: Team;
let ann: Project;
let ben: Project;
beforeEach(async () => {
  team = await Team.create({ "src/deep/code.ts": "" });
  [ann, ben] = [await team.join(), await team.join()];
});

it("what opencode logs in one clone, Claude Code gets in the other, and the other way round", async () => {
  expect(await ann.sentinel(["init", "--agents", "claude,opencode"])).toMatchObject({ exit: 0 });
  await opencodeTurn(ann, [{ tool: "sentinel-memory_log_memory", input: VAT }, "Done."]);
  await ann.push("Add the project memory, and its first lesson");

  await ben.pull();
  await approveServer(ben);
  await addPlugin(ben);
  const write = {
    tool: "Write",
    input: { file_path: ben.path("src/deep/invoice.ts"), content: "export {};\n" },
  };
  const log = { tool: "mcp__sentinel-memory__log_memory", input: INVOICE };
  const benAsked = await claudeTurn(ben, [write, "Done.", log, "Done."], "src/deep");
  expect(benAsked[0], "the first request").toContain(VAT.lesson);
  expect(benAsked[0], "the first request").toContain(`ask_next_time: ${VAT.ask_next_time}`);
  expect(benAsked[2], "the reminder").toMatch(
    /You changed src\/deep\/invoice\.ts and logged nothing/,
  );
  expect(benAsked, "one reminder, then the log, then the end").toHaveLength(4);
  await ben.push("Number the invoices, and log what was learnt");

  await ann.pull();
  const { stdout, stderr } = await runAgent("opencode", ["mcp", "list"], ann, {
    below: "src/deep",
  });
  expect(stdout + stderr).toMatch(/sentinel-memory.*connected/i);
  const search = { tool: "sentinel-memory_search_memory", input: { query: "invoices" } };
  const annAsked = await opencodeTurn(ann, [search, "Done."], "src/deep");
  expect(annAsked[0], "the rules").toContain("First call `search_memory` with the task");
  expect(annAsked[1], "the answer").toContain(`ask_next_time: ${INVOICE.ask_next_time}`);
  expect(annAsked[1], "what results carry for programs").not.toContain("sentinel-memory/memory");
  expect([await ann.changes(), await ben.changes()]).toEqual(["", ""]);
});
