import { expect, it } from "vitest";
import { defaultsOf } from "../../ground/core/policy.ts";
import type { Candidate } from "./candidates.ts";
import { SectionFiller } from "./fill-sections.ts";
import { BUDGETS_POLICY, type SectionName } from "./settings/budgets.ts";

const BUDGETS = defaultsOf(BUDGETS_POLICY);

function saying(section: SectionName, ref: string, words: number, more: Partial<Candidate> = {}): Candidate {
  return { section, refs: [ref], text: () => Array.from({ length: words }, () => "word").join(" "), ...more };
}

function refsIn(candidates: readonly Candidate[], total: number): string[] {
  const { sections } = new SectionFiller(candidates, BUDGETS).fill(total);
  return sections.flatMap(({ items }) => items.flatMap(({ refs }) => refs));
}

it("shows what is larger than its section's share where all shares together have room", () => {
  const candidates = [saying("task_state", "pin", 150), saying("retrieved_evidence", "found", 290)];
  expect(refsIn(candidates, 300)).toEqual(["pin"]);
  expect(refsIn(candidates, 500)).toEqual(["pin", "found"]);
});

it("makes no text for which there is no room", () => {
  const text = () => expect.unreachable("made");
  const large = saying("retrieved_evidence", "large", 0, { text, leastTokens: 200 });
  expect(refsIn([saying("retrieved_evidence", "found", 120), large], 200)).toEqual(["found"]);
});
