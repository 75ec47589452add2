import { expect, it } from "vitest";
import { handedPlan } from "./meanings.ts";

it("a session that carries out a plan names it, and the session that made it", () => {
  const path = "/home/u/.claude/projects/-p/7a07d573-be48-4d46-bfe6-9f09c304cc43.jsonl";
  expect(
    handedPlan(
      `Implement the following plan:\n\n# Fix VAT\n\nDo it.\n\nread the full transcript at: ${path}`,
    ),
  ).toEqual({
    title: "Fix VAT",
    parent: "7a07d573-be48-4d46-bfe6-9f09c304cc43",
  });
  expect(handedPlan("Implement the following plan:\n# Fix VAT")).toEqual({ title: "Fix VAT" });
  expect(handedPlan("Please implement the following plan: x")).toBeUndefined();
});
