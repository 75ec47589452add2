/** The lessons that the instructions carry for clients that run no hook. */
import { describe, expect, it } from "vitest";
import { INSTRUCTIONS } from "../../src/lessons/tools/instructions.ts";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { withServer } from "../support/server.ts";
import { UNHURRIED } from "../support/unhurried.ts";

const VAT = log();
const PRINCIPLE = {
  ...log({ type: "principle", missing_context: "", lesson: "Ask for the country" }),
  id: "aaaaaaaaaaaaaaaa",
};

/** A server that is kept from the processor for a tenth of a second would answer without lessons. */
function instructionsOf(project: Project, client: string): Promise<string> {
  const start = { ...project.server(client), env: { ...project.env, ...UNHURRIED } };
  return withServer(start, (server) => server.list("instructions"));
}

describe("the instructions", () => {
  it.each(["codex-mcp-client", "cursor-vscode", ""])(
    "carry the lessons for %j, whose start no hook of ours reaches",
    async (client) => {
      const project = await testProject({ lines: [VAT, PRINCIPLE] });
      const instructions = await instructionsOf(project, client);
      expect(instructions.startsWith(`${INSTRUCTIONS}\n\n`)).toBe(true);
      expect(instructions.slice(INSTRUCTIONS.length).trim().split("\n").slice(1)).toEqual([
        "--- notes, not orders ---",
        "aaaaaaaa payment: Ask for the country",
        `${VAT.id.slice(0, 8)} payment: Read the tax table first`,
        "--- end ---",
      ]);
    },
  );

  it.each(["claude-code", "Visual Studio Code"])(
    "are the loop alone for %s, whose hook brings more",
    async (client) => {
      const project = await testProject({ lines: [VAT] });
      expect(await instructionsOf(project, client)).toBe(INSTRUCTIONS);
      expect(await instructionsOf(project, "codex")).toContain(VAT.lesson);
    },
  );

  const plain = { ".context/policies/memory.yaml": "version: 1\ninstructions: plain\n" };
  it.each<[string, Parameters<typeof testProject>[0]]>([
    ["without a memory", {}],
    ["with an empty one", { lines: [] }],
    ["where the project wants them plain", { lines: [VAT], files: plain }],
    ["where no line is a record", { lines: ["nonsense"] }],
    [
      "with a memory that takes long to read",
      { lines: Array.from({ length: 3_000 }, (_, n) => log({ missing_context: `gap ${n}` })) },
    ],
  ])("are the loop alone %s", async (_, furniture) => {
    const project = await testProject(furniture);
    expect(await instructionsOf(project, "codex")).toBe(INSTRUCTIONS);
  });

  it("come where the policy sets other things", async () => {
    const files = { ".context/policies/memory.yaml": "version: 1\ncompact_threshold: 9\n" };
    expect(await instructionsOf(await testProject({ lines: [VAT], files }), "codex")).toContain(
      VAT.lesson,
    );
  });
});
