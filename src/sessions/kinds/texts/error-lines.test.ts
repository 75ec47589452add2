import { expect, it } from "vitest";
import { result } from "../../../../test/support/made-events.ts";
import { toolResult } from "../tool-result.ts";

it.each([
  [
    "npm notice\nnpm error code ENEEDAUTH\nnpm error A complete log of this run",
    "npm error code ENEEDAUTH",
  ],
  [
    "a.js:1\nnull.x\n     ^\n\nUncaught TypeError: null has no x\n    at a.js:1:6",
    "Uncaught TypeError: null has no x",
  ],
  ["Exit code 2\nthe rounding failed", "the rounding failed"],
])("the brief of a failed command has the line that says why: %j", (excerpt_text, line) => {
  const { content = {} } = result({ tool: "Bash", command: "x", outcome: "failed", excerpt_text });
  const event = { id: "evt_1", agent: "a", actor: { type: "tool" }, refs: [], content };
  expect(toolResult.brief?.(event as never)).toMatchObject({ line });
});
