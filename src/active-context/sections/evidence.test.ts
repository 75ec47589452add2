import { expect, it } from "vitest";
import { recordOf, saidAgo, saidIn } from "../../../test/support/bundle-record.ts";

const agent = { type: "agent", id: "claude-code" } as const;
const path = "src/vat-rounding.ts";

it("shows what a call gave, and no call that only names a file", async () => {
  const { bundle } = await recordOf([
    saidAgo(50, "", { session: "s2", actor: agent, kind: "tool_call", content: { tool: "Read", path, input: {} } }),
    saidAgo(49, "", { session: "s2", kind: "tool_result", content: { tool: "Read", path, text: "rounding of VAT" } }),
    saidAgo(48, "", {
      session: "s2",
      actor: agent,
      kind: "tool_call",
      content: { tool: "Bash", command: "npm test -- vat-rounding", input: {} },
    }),
  ]);
  const text = saidIn(await bundle({ query: "where is the vat rounding?" }), "retrieved_evidence");
  expect(text).toContain("rounding of VAT");
  expect(text).toContain("npm test -- vat-rounding");
  expect(text).not.toMatch(/: Read\n/);
});
