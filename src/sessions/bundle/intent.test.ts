import { expect, it } from "vitest";
import { intentOf } from "./intent.ts";

it.each([
  ["decision", "decision"],
  [" ", "task"],
  ["repo_onboarding", "onboarding"],
  ["continue-work", "continue"],
  ["session_resume", "continue"],
  ["resume", "continue"],
  ["handoff", "continue"],
  ["explain_why", "decision"],
  ["tour", "onboarding"],
  ["lookup", "recall"],
  ["project_recall", "recall"],
  ["fix_bug", "task"],
  ["code_review", "task"],
  ["design_spec", "task"],
])("the intent %j of a caller is %s", (intent, expected) => {
  expect(intentOf({ intent, query: "How do invoices round?" })).toBe(expected);
});
