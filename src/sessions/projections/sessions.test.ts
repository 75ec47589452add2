import { expect, it } from "vitest";
import { asks, type Made, made, result } from "../../../test/support/made-events.ts";
import { summariseSessions } from "./sessions.ts";

async function* events(...said: readonly Made[]) {
  yield* made(...said);
}

it("a session is told by what was asked first, not by a command without words", async () => {
  const [summary] = await summariseSessions(events(asks("/clear"), asks("Add VAT"), asks("go on")));
  expect(summary).toMatchObject({ request: "Add VAT", title: null, plan: null, events: 3 });
  expect(await summariseSessions(events(asks("/review")))).toMatchObject([{ request: "/review" }]);
  const [moved] = await summariseSessions(
    events(asks("/model opus"), asks("/add-dir ../lib"), asks("/plan logos")),
  );
  expect(moved).toMatchObject({ request: "/plan logos" });
});

it("a plan that it carries out, a title and a parent are what they were said to be", async () => {
  const start: Made = { kind: "session", content: { event: "start", parent: "s0" } };
  const plan: Made = {
    kind: "decision",
    content: { decision: "Plan accepted: VAT", carries_out: "VAT" },
  };
  const title: Made = { kind: "session", content: { event: "title", title: "Add the rate" } };
  const [summary] = await summariseSessions(events(start, plan, title));
  expect(summary).toMatchObject({ plan: "VAT", title: "Add the rate", parent: "s0", decisions: 1 });
});

it("failures count until they are settled, and files of the project once they were changed", async () => {
  const [summary] = await summariseSessions(
    events(
      result({ command: "npm test", outcome: "failed" }),
      result({ command: "npm run lint", outcome: "failed" }),
      result({ command: "npm test" }),
      result({ edits: true, path: "a.ts", outcome: "not_found" }),
      result({ edits: true, path: "b.ts" }),
      result({ edits: true, path: "/home/me/.claude/plans/a.md" }),
    ),
  );
  expect(summary).toMatchObject({ failed: 2, settled: 1, files: ["b.ts"] });
});

it("a session ends as its client says, or as its last turn did", async () => {
  const says = (text: string): Made => ({
    actor: { type: "agent", id: "claude-code" },
    content: { text },
  });
  const call: Made = { kind: "tool_call", content: { tool: "Bash" } };
  const stop: Made = { content: { text: "The user stopped the agent.", interrupted: true } };
  const end = (reason: string): Made => ({ kind: "session", content: { event: "end", reason } });
  const endOf = async (...said: Made[]) => {
    const [summary] = await summariseSessions(events(...said));
    return [summary?.end, summary?.isEndKnown];
  };
  expect(await endOf(asks("Go"), says("Done."))).toEqual(["finished", false]);
  expect(await endOf(asks("Go"), says("Done."), asks("/exit"), end("prompt_input_exit"))).toEqual([
    "finished",
    true,
  ]);
  expect(await endOf(asks("Go"), call, stop, end("other"))).toEqual(["interrupted", true]);
  expect(await endOf(asks("Go"), stop, call)).toEqual(["interrupted", false]);
  expect(await endOf(asks("Go"), stop, asks("Go on"), call)).toEqual(["broken off", false]);
  expect(await endOf(asks("Go"), says("Done."), end("clear"))).toEqual(["cleared", true]);
  expect(await endOf(asks("Go"), says("Done."), end("clear"), asks("More"), call)).toEqual([
    "broken off",
    false,
  ]);
  expect(await endOf(asks("Go"), call, end("other"))).toEqual(["broken off", true]);
});

it("the last word is the agent's own, not that of its child agents", async () => {
  const agent = { actor: { type: "agent", id: "claude-code" } } as const;
  const [summary] = await summariseSessions(
    events(
      asks("Go"),
      { ...agent, ...asks("Done.") },
      { ...agent, agent: "claude-code/a1", ...asks("Seen.") },
    ),
  );
  expect(summary).toMatchObject({ request: "Go", answer: "Done." });
});

it("a session of somebody else is another one, though it has the same id", async () => {
  const said = events(asks("One"), { ...asks("Two"), person: "ann" }, asks("Three"));
  expect(await summariseSessions(said)).toMatchObject([
    { session: "s1", person: "ann", request: "Two", events: 1 },
    { session: "s1", person: undefined, request: "One", events: 2 },
  ]);
});
