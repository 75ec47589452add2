import { expect, it } from "vitest";
import { decides, made } from "../../../test/support/made-events.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { decisionsAnswer } from "./tool-answers.ts";

it("names who decided, where that is somebody else", () => {
  const decisions = decisionsOf(made(decides("Tabs"), { ...decides("Spaces"), person: "ann" }));
  const found = decisions.map((made) => ({ ...made, removed: [] }));
  const told = decisionsAnswer(found, 2, { characters: 900, bytes: 900, tokens: 300 });
  expect(told).toMatch(/ 2026-11-20, active: Tabs\n/);
  expect(told).toMatch(/ 2026-11-20 by ann, active: Spaces\n/);
});
