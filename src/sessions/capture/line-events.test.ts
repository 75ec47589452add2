import { expect, it } from "vitest";
import { Session } from "../../../test/support/transcript.ts";
import { type EventDraft, eventId, identityFrom } from "../kinds/event.ts";
import { claudeCodeReader } from "../transcripts/claude-code.ts";
import { readJsonLine } from "../transcripts/json-lines.ts";
import { newState } from "./capture-state.ts";
import { eventsOf } from "./line-events.ts";

/** The events of a session, without the one that says that it began. */
function events(session: Session, state = newState()): EventDraft[] {
  return all(session, state).filter(({ content }) => content.event !== "start");
}

function all(session: Session, state = newState()): EventDraft[] {
  const read = (at: number) =>
    readJsonLine(JSON.stringify(session.lines[at]), claudeCodeReader).flatMap(
      ({ line }) => line ?? [],
    );
  const drafts = session.lines.flatMap((_, at) =>
    read(at).flatMap((line) => {
      const place = { worktree: "/p", cwd: line.cwd ?? "", branch: line.branch ?? "" };
      const placed = {
        line,
        session: session.id,
        ts: line.ts ?? "",
        place,
        parent: undefined,
        transcript: "/t.jsonl",
        at,
        recall: read,
        state,
        reader: claudeCodeReader,
      };
      return eventsOf(placed);
    }),
  );
  // As a capture stores them: drafts with the same origin are one event.
  return drafts.filter(
    ({ origin }, at) => drafts.findIndex((draft) => draft.origin === origin) === at,
  );
}

/** The id that the store gives a draft. */
function idOf(draft: EventDraft | undefined): string {
  return eventId(Date.parse(draft?.ts ?? ""), identityFrom(draft?.origin ?? ""));
}

const kinds = (drafts: readonly EventDraft[]) => drafts.map(({ kind }) => kind);
const contents = (drafts: readonly EventDraft[]) => drafts.map(({ content }) => content);

it("a session begins with what is known of it", () => {
  const [start, request] = all(new Session().asks("Go"));
  expect(start).toMatchObject({
    kind: "session",
    session: "5e551011-0000-4000-8000-000000000001",
    agent: "claude-code",
    actor: { type: "agent", id: "claude-code" },
    content: { event: "start", client: "claude-code", transcript: "/t.jsonl" },
    place: { worktree: "/p", cwd: "/p", branch: "main" },
  });
  expect(request).toMatchObject({
    kind: "message",
    actor: { type: "human", id: "user" },
    content: { text: "Go" },
  });
});

it("a refusal is the person's, and what was only cancelled along is none", () => {
  const refused =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNot there";
  const drafts = events(
    new Session()
      .uses("Edit", { file_path: "/p/a" }, refused, { error: true })
      .uses(
        "Bash",
        { command: "ls" },
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        { error: true },
      )
      .uses("Bash", { command: "ls" }, "a")
      .uses(
        "ExitPlanMode",
        { plan: "# Plan: A" },
        "The user doesn't want to proceed with this tool use.",
        {
          error: true,
        },
      ),
  );
  const results = drafts.filter(({ kind }) => kind === "tool_result");
  expect(results.map(({ content }) => content.outcome)).toEqual([
    "refused_by_user",
    "cascade",
    undefined,
    "not_accepted",
  ]);
  expect(results[3]?.actor.type).toBe("human");
  expect(drafts[1]).toMatchObject({
    actor: { type: "human", id: "user" },
    content: { outcome: "refused_by_user", reason: "Not there" },
  });
});

it("tools for tasks are task updates alone; a list gives those that changed", () => {
  const todos = (one: string, two: string) => ({
    todos: [
      { content: "One", status: one },
      { content: "Two", status: two },
    ],
  });
  const drafts = events(
    new Session()
      .uses("TaskCreate", { subject: "Add VAT" }, "Task #1 created successfully: Add VAT")
      .uses("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status")
      .uses("TodoWrite", todos("in_progress", "pending"), "Done")
      .uses("TodoWrite", todos("completed", "pending"), "Done"),
  );
  expect(new Set(kinds(drafts))).toEqual(new Set(["task_update"]));
  expect(contents(drafts)).toEqual([
    { task: "1", title: "Add VAT", status: "open" },
    { task: "1", status: "done" },
    { task: "One", title: "One", status: "doing" },
    { task: "Two", title: "Two", status: "open" },
    { task: "One", title: "One", status: "done" },
  ]);
});

it("an answered question is a decision of the person", () => {
  const questions = [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }];
  const [call, decision] = events(
    new Session().uses("AskUserQuestion", { questions }, '"Which?"="B"'),
  );
  expect(decision).toMatchObject({
    kind: "decision",
    actor: { type: "human", id: "user" },
    content: { question: "Which?", decision: "B", alternatives: ["A"] },
    refs: [idOf(call)],
  });
});

it("a plan is accepted by the session that carries it out", () => {
  const parent = "7a07d573-be48-4d46-bfe6-9f09c304cc43";
  const request = `Implement the following plan:\n\n# Fix VAT\n\nread the full transcript at: /x/${parent}.jsonl`;
  const [start, message, decision] = all(new Session().asks(request));
  expect(start?.content).toMatchObject({ event: "start", parent });
  expect(decision).toMatchObject({
    kind: "decision",
    content: { decision: "Plan accepted: Fix VAT", carries_out: "Fix VAT", parent },
    refs: [idOf(message)],
  });
});

it("a commit is a tag of its result", () => {
  const [, result] = events(
    new Session().uses("Bash", { command: "git commit -m x" }, "[main f59e610] Add VAT"),
  );
  expect(result).toMatchObject({
    tags: ["commit:f59e610"],
    content: { commit: { sha: "f59e610", branch: "main", subject: "Add VAT" } },
  });
});

const queue = (operation: string, content?: string) => ({
  type: "queue-operation",
  operation,
  ...(content && { content }),
});
const attached = {
  type: "attachment",
  attachment: { type: "queued_command", prompt: "commit too" },
};

it.each([
  ["said by the queue", [queue("enqueue", "commit too"), queue("remove")]],
  ["said by what was attached", [queue("enqueue", "commit too"), attached]],
  ["said by both", [queue("enqueue", "commit too"), queue("remove"), attached]],
  [
    "said by both, the other way round",
    [queue("enqueue", "commit too"), attached, queue("remove")],
  ],
])("a request that is delivered in the middle of work counts once: %s", (_, lines) => {
  const session = new Session();
  for (const line of lines) {
    session.add(line);
  }
  expect(contents(events(session))).toEqual([{ text: "commit too" }]);
});

it("a request that waits for the end of a turn has a line of its own", () => {
  const session = new Session()
    .add(queue("enqueue", "commit too"))
    .add(queue("dequeue"))
    .asks("commit too");
  expect(contents(events(session))).toEqual([{ text: "commit too" }]);
});

it("reading a line again gives the same events, also in a session that goes on from another", () => {
  const first = new Session()
    .asks("Go")
    .uses("Bash", { command: "ls" }, "a")
    .uses("Bash", { command: "make" }, "", { toolUseResult: { backgroundTaskId: "b1" } })
    .asks(notice("b1", undefined, "completed", "Made"));
  const fork = new Session({ id: "5e551011-0000-4000-8000-0000000000ff" });
  fork.lines.push(...first.lines.map((line) => ({ ...line, sessionId: fork.id })));
  expect(events(fork).map(idOf)).toEqual(events(first).map(idOf));
  expect(idOf(all(fork)[0])).not.toBe(idOf(all(first)[0]));
});

it("what is remembered of a session stays small and holds none of its words, whatever happens in it", () => {
  const state = newState();
  const session = new Session();
  for (let at = 0; at < 300; at++) {
    session.calls("Write", { file_path: `/p/${at}`, content: "some words" });
    session.uses("Bash", { command: `make words${at}` }, "Exit code 2", { error: true });
    session.uses("TodoWrite", { todos: [{ content: `words ${at}`, status: "pending" }] }, "Done");
    session.add(queue("enqueue", "more words")).add(queue("enqueue", "words")).add(queue("remove"));
  }
  events(session, state);
  expect(JSON.stringify(state).length).toBeLessThan(60_000);
  expect(JSON.stringify(state)).not.toContain("words");
});

const notice = (id: string, call: string | undefined, status: string, result: string) =>
  [
    `<task-notification>\n<task-id>${id}</task-id>`,
    ...(call ? [`<tool-use-id>${call}</tool-use-id>`] : []),
    `<status>${status}</status>\n<summary>It ${status}</summary>\n<result>${result}</result>\n</task-notification>`,
  ].join("\n");

it("what ends in the background is a result of its call, with text and outcome, however often the client says so", () => {
  const ended = notice("a1", "toolu_5e551011_1", "failed", "The quokka table is missing.");
  const session = new Session()
    .uses("Agent", { description: "Look" }, "Launched.", {
      toolUseResult: { status: "async_launched", agentId: "a1" },
    })
    .add({ type: "queue-operation", operation: "enqueue", content: ended })
    .add({
      type: "attachment",
      attachment: { type: "queued_command", prompt: ended, commandMode: "task-notification" },
    })
    .asks(ended);
  const [call, launched, result, ...more] = events(session);
  expect(more).toEqual([]);
  expect(launched?.content).toMatchObject({ goes_on: true, child_agent: "a1" });
  expect(result).toMatchObject({
    kind: "tool_result",
    refs: [idOf(call)],
    content: {
      tool: "Agent",
      child_task: "Look",
      child_agent: "a1",
      outcome: "failed",
      text: "It failed\nThe quokka table is missing.",
    },
  });
  expect(result?.content.goes_on).toBeUndefined();
});

it("a command in the background has an outcome when it ends, and none before", () => {
  const test = { command: "npm test", run_in_background: true };
  const began = (id: string) =>
    `Command running in background with ID: ${id}. Output is being written to: /t/${id}`;
  const session = new Session()
    .uses("Bash", { command: "npm test" }, "Exit code 1", { error: true })
    .uses("Bash", test, began("b1"))
    .asks(notice("b1", undefined, "killed", ""))
    .uses("Bash", test, began("b2"), { toolUseResult: { backgroundTaskId: "b2" } })
    .asks(notice("b2", undefined, "completed", "3 passed"));
  const results = events(session).filter(({ kind }) => kind === "tool_result");
  expect(results.map(({ content }) => [content.outcome, content.goes_on])).toEqual([
    ["failed", undefined],
    [undefined, true],
    ["stopped", undefined],
    [undefined, true],
    [undefined, undefined],
  ]);
  expect(results.every(({ content }) => content.command === "npm test")).toBe(true);
});

it("what ends whose call is not known is a result all the same", () => {
  const [result] = events(
    new Session().asks(notice("a9", "toolu_elsewhere", "completed", "Found it.")),
  );
  expect(result).toMatchObject({
    kind: "tool_result",
    refs: [],
    content: { tool: "unknown", child_agent: "a9", text: "It completed\nFound it." },
  });
});
