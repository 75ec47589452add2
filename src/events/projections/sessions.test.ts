import { expect, it } from "vitest";
import type { Event } from "../event.ts";
import { eventId, identityFrom } from "../event-id.ts";
import { summariseSessions } from "./sessions.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

/** Events of a session, a minute apart. */
async function* events(...said: readonly Partial<Event>[]): AsyncGenerator<Event> {
  for (const [at, more] of said.entries()) {
    const time = START + at * 60_000;
    yield {
      id: eventId(time, identityFrom(String(at))),
      ts: new Date(time).toISOString(),
      session: "s1",
      agent: "claude-code",
      channel: "private",
      actor: { type: "human", id: "user" },
      kind: "message",
      content: {},
      refs: [],
      tags: [],
      sensitivity: "none",
      hash: "",
      ...more,
    };
  }
}
const asks = (text: string): Partial<Event> => ({ content: { text } });
const result = (content: Event["content"]): Partial<Event> => ({ kind: "tool_result", content });

it("a session is told by what was asked first, not by a command without words", async () => {
  const [summary] = await summariseSessions(events(asks("/clear"), asks("Add VAT"), asks("go on")));
  expect(summary).toMatchObject({ request: "Add VAT", title: null, plan: null, events: 3 });
  expect(await summariseSessions(events(asks("/review")))).toMatchObject([{ request: "/review" }]);
});

it("a plan that it carries out, a title and a parent are what they were said to be", async () => {
  const start: Partial<Event> = { kind: "session", content: { event: "start", parent: "s0" } };
  const plan: Partial<Event> = { kind: "decision", content: { decision: "Plan accepted: VAT", carries_out: "VAT" } };
  const title: Partial<Event> = { kind: "session", content: { event: "title", title: "Add the rate" } };
  const [summary] = await summariseSessions(events(start, plan, title));
  expect(summary).toMatchObject({ plan: "VAT", title: "Add the rate", parent: "s0", decisions: 1 });
});

it("failures count until they are settled, files once they were changed, tasks by their last state", async () => {
  const failed = eventId(START, identityFrom("0"));
  const task = (status: string): Partial<Event> => ({ kind: "task_update", content: { task: "1", status } });
  const [summary] = await summariseSessions(
    events(
      result({ outcome: "failed" }),
      result({ outcome: "failed" }),
      result({ settles: failed }),
      result({ edits: true, path: "a.ts", outcome: "not_found" }),
      result({ edits: true, path: "b.ts" }),
      result({ outcome: "refused_by_user" }),
      task("done"),
      task("doing"),
    ),
  );
  expect(summary).toMatchObject({ failures: 1, refusals: 1, files: ["b.ts"], tasks: { done: 0, all: 1 } });
});

it("sessions are apart, the one that began last first, with their branches, commits and subagents", async () => {
  const place = (branch: string) => ({ place: { branch } });
  const summaries = await summariseSessions(
    events(
      { ...asks("One"), ...place("main") },
      { session: "s2", ...asks("Two") },
      { agent: "claude-code/a1", tags: ["commit:f59e610", "other"], ...place("fix") },
    ),
  );
  expect(summaries).toMatchObject([
    { session: "s2", request: "Two" },
    { session: "s1", agent: "claude-code", branches: ["main", "fix"], commits: ["f59e610"], subagents: 1 },
  ]);
});
