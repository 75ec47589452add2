import pc from "picocolors";
import { expect, it } from "vitest";
import { calls, decides, type Made, made, result } from "../../../test/support/made-events.ts";
import { eventRow, saidIn } from "./rows.ts";

function rowOf(event: Made): string {
  const [whole] = made(event);
  if (!whole) {
    throw new Error("no event was made");
  }
  return eventRow(whole, { width: 80, colours: pc.createColors(false) });
}

it("a row of a failed edit has room for what went wrong, however long the path is", () => {
  const path = "src/sessions/transcripts/claude-code-sources.test.ts";
  const row = rowOf(result({ tool: "Edit", path, outcome: "failed", text: "String not found" }));
  expect(row).toMatch(/failed: src\/sessions\/tra\w*…/);
  expect(row).toContain("String not found");
});

it("a row of a decision in a person's words says that it is a decision", () => {
  expect(rowOf(decides("Rates are per country", { quotes: "human" }))).toContain(
    "decision quoting user  Rates are per country",
  );
});

it("a call without a tool is shown as a call", () => {
  const call = calls({ path: "x.ts" });
  expect(rowOf(call)).toMatch(/ call +x\.ts$/);
  const [event] = made(call);
  expect(event && saidIn({ id: event.id, event, text: "undefined\nx.ts" })).toBe("undefined\nx.ts");
});
