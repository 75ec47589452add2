import { expect, it } from "vitest";
import { claudeCodeReader } from "./claude-code.ts";
import { meaningOf } from "./claude-code-tools.ts";
import type { Fields, Meaning } from "./transcript.ts";

/** What came of a call that was answered with a text; an error where `error` says so. */
function meaning(
  tool: string,
  input: Fields,
  text: string,
  { error = false, details = {} } = {},
): Meaning {
  return meaningOf(
    { call: "c", tool, input },
    { call: "c", text, isError: error, images: [], details },
  );
}
const outcome = (text: string) => meaning("Bash", {}, text, { error: true }).outcome;

// As the client words them; the last is what a program printed.
it.each([
  ["<tool_use_error>Sibling tool call errored</tool_use_error>", "cascade"],
  ["<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>", "cascade"],
  [
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …).",
    "refused_by_user",
  ],
  [
    "The user doesn't want to take this action right now. STOP what you are doing.",
    "refused_by_user",
  ],
  ["[Request interrupted by user for tool use]", "refused_by_user"],
  ["Permission to use Bash with command rm has been denied.", "refused_by_user"],
  ["File does not exist. Note: your current working directory is /p.", "not_found"],
  ["<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>", "not_found"],
  ["<tool_use_error>Error: No such tool available: TodoWrite.</tool_use_error>", "not_found"],
  ["<tool_use_error>Unknown skill: commit</tool_use_error>", "not_found"],
  ["Exit code 1\nls: File does not exist", "failed"],
])("%s is %s", (text, expected) => {
  expect(outcome(text)).toBe(expected);
});

it("a plan that seems refused without a word was not accepted, and nobody says more", () => {
  const text = "The user doesn't want to proceed with this tool use.";
  const refused = (more = "") =>
    meaning("ExitPlanMode", { plan: "# Plan: A" }, text + more, { error: true });
  expect(refused()).toMatchObject({ outcome: "not_accepted" });
  const reason = "Smaller steps";
  expect(refused(` the user said:\n${reason}`)).toMatchObject({
    outcome: "refused_by_user",
    reason,
  });
});

it("an accepted plan is a decision", () => {
  const approved = "User has approved your plan. You can now start coding.";
  const decision = { decision: "Plan accepted: Plan: Add VAT", alternatives: [] };
  expect(meaning("ExitPlanMode", { plan: "# Plan: Add VAT\n\nSteps" }, approved)).toMatchObject({
    decisions: [decision],
  });
});

it("tools for tasks change tasks", () => {
  const created = meaning(
    "TaskCreate",
    { subject: "Add VAT", description: "Both rates" },
    "Task #3 created successfully",
  );
  expect(created.tasks).toEqual([
    { task: "3", title: "Add VAT", details: "Both rates", status: "open" },
  ]);
  const named = meaning("TaskCreate", { subject: "A" }, "Done", { details: { task: { id: "4" } } });
  expect(named.tasks).toEqual([{ task: "4", title: "A", status: "open" }]);
  const updated = meaning(
    "TaskUpdate",
    { taskId: "3", status: "in_progress", owner: "b" },
    "Updated task #3",
  );
  expect(updated.tasks).toEqual([{ task: "3", status: "doing", owner: "b" }]);
  const todos = [
    { content: "One", status: "completed" },
    { content: "Two", status: "pending" },
  ];
  expect(meaning("TodoWrite", { todos }, "Todos have been modified").tasks).toEqual([
    { task: "One", title: "One", status: "done" },
    { task: "Two", title: "Two", status: "open" },
  ]);
  expect(claudeCodeReader.taskTools).toContain("TaskCreate");
});

it("a commit names its hash, branch and subject", () => {
  const printed = "[fix/vat (root-commit) f59e610] Add the reduced rate\n 7 files changed";
  const commit = { sha: "f59e610", branch: "fix/vat", subject: "Add the reduced rate" };
  expect(
    meaning("Bash", { command: "git add . && git -C sub commit -m x" }, printed),
  ).toMatchObject({ commit });
  const details = { gitOperation: { commit: { sha: "cf1793e" } } };
  expect(meaning("Bash", { command: "git commit -q" }, "", { details })).toMatchObject({
    commit: { sha: "cf1793e" },
  });
  expect(meaning("Bash", { command: "cat log" }, printed)).toHaveProperty("commit", undefined);
  expect(
    meaning("Bash", { command: "git commit" }, printed, { error: true }).commit,
  ).toBeUndefined();
});

it("an answer names the child agent that worked for it", () => {
  const seen = meaning("Task", {}, "Seen.", { details: { agentId: "a1b2", status: "completed" } });
  expect(seen).toMatchObject({ child_agent: "a1b2" });
  expect(seen.goes_on).toBeUndefined();
  const launched = { details: { agentId: "a1b2", status: "async_launched" } };
  expect(meaning("Agent", {}, "Launched.", launched)).toMatchObject({
    child_agent: "a1b2",
    goes_on: true,
  });
});

it("an answer says which lines of a file it shows", () => {
  const details = { file: { startLine: 10, numLines: 5 } };
  expect(meaning("Read", {}, "10\tx", { details })).toMatchObject({ line_range: [10, 14] });
});
