import { expect, it } from "vitest";
import { asks, decides, idAt, made, pin, task } from "../../../test/support/made-events.ts";
import { type Channel, type Event, shortEventId } from "../kinds/event.ts";
import { draftOf, idsIn } from "./draft-of.ts";
import type { Situation, Statement } from "./statement.ts";

const AGENT = { type: "agent", id: "claude-code" } as const;

/** As it is where these events are recorded; each is known by its whole id and by its short one. */
function situation(events: readonly Event[], more: Partial<Situation> = {}): Situation {
  const named = events.flatMap(({ id, kind }) => [
    [id, { id, kind }] as const,
    [shortEventId(id), { id, kind }] as const,
  ]);
  return {
    session: "s1",
    agent: "claude-code",
    by: AGENT,
    named: new Map(named),
    ledger: events,
    ...more,
  };
}

const said = (statement: Statement, events: readonly Event[] = [], more: Partial<Situation> = {}) =>
  draftOf(statement, situation(events, more));
const refusal = (
  statement: Statement,
  events: readonly Event[] = [],
  more: Partial<Situation> = {},
) => {
  try {
    said(statement, events, more);
  } catch (error) {
    const { code, message, fix } = error as { code: string; message: string; fix: string };
    return `${code}: ${message} ${fix}`;
  }
  return "not refused";
};

const ASKED = made(asks("Which store?"));
const GROUND = [shortEventId(idAt(0))];

it("a decision is stored with whole ids, and without what is blank", () => {
  const fields = {
    decision: "Postgres",
    rationale: "Two writers",
    alternatives: ["SQLite", " "],
    confidence: "0.7",
  };
  expect(said({ kind: "decision", fields: { ...fields, scope: "" }, refs: GROUND }, ASKED)).toEqual(
    {
      session: "s1",
      agent: "claude-code",
      actor: AGENT,
      kind: "decision",
      content: {
        decision: "Postgres",
        rationale: ["Two writers"],
        alternatives: ["SQLite"],
        confidence: 0.7,
      },
      refs: [idAt(0)],
    },
  );
});

it("a decision does not rest on words alone that neither the user nor the agent said", () => {
  const [asked, other] = [idAt(0), idAt(1)];
  const named = new Map([
    [asked, { id: asked, kind: "message", isOtherVoice: false }],
    [other, { id: other, kind: "message", isOtherVoice: true }],
  ] as const);
  const decision = (...refs: string[]): Statement => ({
    kind: "decision",
    fields: { decision: "Tabs" },
    refs,
  });
  expect(refusal(decision(other), [], { named })).toMatch(
    /neither the user nor you said that.*Add refs/,
  );
  expect(refusal({ ...decision(other), actor: "human" }, [], { named })).toMatch(/bad_argument/);
  expect(said(decision(other, asked), [], { named }).refs).toEqual([other, asked]);
  expect(
    said({ kind: "summary", fields: { text: "x", coverage: "y" }, refs: [other] }, [], { named })
      .refs,
  ).toEqual([other]);
});

it.each<[string, Statement, RegExp]>([
  [
    "without its ground",
    { kind: "decision", fields: { decision: "Tabs" } },
    /needs refs.*Add refs/,
  ],
  [
    "without what was decided",
    { kind: "decision", fields: {}, refs: GROUND },
    /needs decision\. Add decision/,
  ],
  [
    "cut in part",
    { kind: "tool_result", fields: { tool: "a", text: "b", truncated: "partly" } },
    /true or false/,
  ],
  [
    "of no lines",
    { kind: "tool_result", fields: { tool: "a", text: "b", line_range: [9, 1] } },
    /like \[1, 120\]/,
  ],
  [
    "sure beyond doubt",
    { kind: "decision", fields: { decision: "Tabs", confidence: 2 }, refs: GROUND },
    /0\.7/,
  ],
  [
    "of no scope",
    { kind: "decision", fields: { decision: "Tabs", scope: "all" }, refs: GROUND },
    /project, user, global/,
  ],
  [
    "of a strange field",
    { kind: "decision", fields: { decision: "Tabs", title: "x" }, refs: GROUND },
    /has no title/,
  ],
  [
    "with a list of objects",
    { kind: "decision", fields: { decision: "x", rationale: [{}] }, refs: GROUND },
    /list of texts/,
  ],
  [
    "on an unknown ref",
    { kind: "decision", fields: { decision: "Tabs" }, refs: ["evt_NOTHERE1"] },
    /nothing under "evt_NOTHERE1"/,
  ],
  [
    "a summary without coverage",
    { kind: "summary", fields: { text: "All well" }, refs: GROUND },
    /needs coverage/,
  ],
  [
    "a summary without refs",
    { kind: "summary", fields: { text: "All well", coverage: "today" } },
    /needs refs/,
  ],
  ["a pin of nothing", { kind: "pin", fields: { note: "Look" } }, /needs ref/],
  [
    "a task without a title",
    { kind: "task_update", fields: { task: "7", status: "done" } },
    /no task "7" yet.*title/,
  ],
  [
    "a task that is no task",
    { kind: "task_update", fields: { task: GROUND[0], status: "done" } },
    /no task under/,
  ],
  [
    "a strange status",
    { kind: "task_update", fields: { title: "x", status: "halted" } },
    /open, doing, done, dropped/,
  ],
  ["a handoff to nobody", { kind: "handoff", fields: { task: "Finish" } }, /needs to_agent/],
  [
    "a text that wants the session left out",
    { kind: "message", actor: "human", fields: { text: "<private-session>\nPlan the merger" } },
    /text holds the tag <private-session>.*sessions skip/,
  ],
  [
    "a list that does",
    {
      kind: "decision",
      fields: { decision: "x", rationale: ["< Private-Session />"] },
      refs: GROUND,
    },
    /rationale holds the tag/,
  ],
  ["a blank message", { kind: "message", fields: { text: "  " } }, /needs text/],
])("is refused with what to add: %s", (_, statement, wanted) => {
  expect(refusal(statement, ASKED)).toMatch(wanted);
  expect(refusal(statement, ASKED)).toMatch(/^bad_argument: .*Nothing was recorded\.$/);
});

it("the tag of private sessions is text where it is code, or a tool's", () => {
  const text = "Document `<private-session>`";
  expect(said({ kind: "message", fields: { text } }).content).toEqual({ text });
  const printed = { tool: "read_file", text: "<private-session>" };
  expect(said({ kind: "tool_result", fields: printed }).content).toEqual(printed);
});

it("a task goes on by its name in its session, and by the id of an update from another one", () => {
  const events = made(task("1", { title: "Correct the rate" }));
  const done = { kind: "task_update", fields: { task: "1", status: "done" } } as const;
  expect(said(done, events)).toMatchObject({ content: { task: "1", status: "done" }, refs: [] });
  expect(() => said(done, events, { session: "s2" })).toThrow("no task");
  expect(() => said(done, made({ ...events[0], person: "ann" })), "somebody else's").toThrow(
    "no task",
  );
  const named = {
    kind: "task_update",
    fields: { task: shortEventId(idAt(0)), status: "done" },
  } as const;
  expect(idsIn(named)).toEqual([shortEventId(idAt(0))]);
  const draft = said(named, events, { session: "s2" });
  expect([draft.content, draft.refs]).toEqual([{ status: "done" }, [idAt(0)]]);
});

it("a task is blocked by another one's name in its session or by its id, and by nothing else", () => {
  const events = made(task("glaze", { title: "Mix the glaze" }), asks("Paint the cups"));
  const blocked = (by: string): Statement => ({
    kind: "task_update",
    fields: { title: "Paint the cups", blocked_by: [by] },
  });
  for (const by of ["glaze", shortEventId(idAt(0))]) {
    expect(said(blocked(by), events).content.blocked_by, by).toEqual([idAt(0)]);
  }
  expect(refusal(blocked("slip"), events)).toContain('nothing under "slip"');
});

it("an agent replaces no pin of a person, and is told to ask for one to be taken back", () => {
  const pins = made(...Array.from({ length: 20 }, (_, at) => pin(`rule ${at}`)));
  const next = { kind: "pin", fields: { ref: idAt(3), note: "Never on Fridays" } } as const;
  expect(refusal(next, pins)).toMatch(/20 pins are in force.*ask the user to remove one/);
  const instead = { ...next, fields: { ...next.fields, supersedes: [idAt(0)] } };
  expect(refusal(instead, pins.slice(0, 4))).toMatch(
    /^bad_argument: A person pinned evt_.* ask the user/,
  );
});

it("a pin replaces its speaker's own of the same thing in its channel, also where twenty are in force", () => {
  const others = Array.from({ length: 18 }, (_, at) => pin(`rule ${at}`));
  const ofEvent = { kind: "pin", actor: AGENT, content: { ref: idAt(5), note: "Look" } } as const;
  const pins = made(pin("Use pnpm"), ofEvent, ...others);
  const again = { kind: "pin", fields: { ref: idAt(5), note: "Look again" } } as const;
  const person = { by: { type: "human", id: "user" } } as const;
  expect(said(again, pins).content.supersedes).toEqual([idAt(1)]);
  expect(said({ ...again, channel: "team" }, pins).content.supersedes).toBeUndefined();
  expect(said(again, pins.slice(0, 6), person).content.supersedes, "an agent's").toBeUndefined();
  const ofTeammate = pins.map((event) => ({ ...event, person: "bob" }));
  expect(said(again, ofTeammate.slice(0, 6)).content.supersedes, "a teammate's").toBeUndefined();
  expect(
    said({ kind: "pin", fields: { text: "Use pnpm" } }, pins, person).content.supersedes,
  ).toEqual([idAt(0)]);
});

it("a pin replaces its speaker's own of the same words also where some of them were redacted", () => {
  const pins = made(pin("Ask [REDACTED] first"));
  const again = { kind: "pin", fields: { text: "Ask Acme first" } } as const;
  const redact: Situation["redact"] = ({ text, ...more }) => ({
    ...more,
    text: String(text).replace("Acme", "[REDACTED]"),
  });
  const person = { by: { type: "human", id: "user" }, redact } as const;
  expect(said(again, pins, person).content).toEqual({
    text: "Ask Acme first",
    supersedes: [idAt(0)],
  });
});

it("pins leave other channels their room, and what frees none for the readers frees none", () => {
  const forTeam = { channel: "team" } as const;
  const pins = (channel: Channel) =>
    Array.from({ length: 20 }, (_, at) => ({ ...pin(`${channel} ${at}`), actor: AGENT, channel }));
  const own = made(...pins("private"));
  const next = { kind: "pin", fields: { ref: idAt(3), note: "Never on Fridays" } } as const;
  expect(said({ ...next, ...forTeam }, own).channel).toBe("team");
  expect(said(next, own, forTeam).refs, "a session log for the team").toEqual([idAt(3)]);
  const both = made(...pins("private"), ...pins("team"));
  expect(refusal({ ...next, ...forTeam }, both)).toMatch(/in the channel team/);
  expect(refusal(next, both)).toMatch(/in the channel private/);
  const unseen = made(...pins("team"), {
    ...pin("mine"),
    content: { supersedes: [idAt(0)], removed: true },
  });
  expect(refusal({ ...next, ...forTeam }, unseen)).toMatch(/in the channel team/);
  expect(said(next, unseen).refs).toEqual([idAt(3)]);
});

it("a handoff names decisions that are there", () => {
  const events = made(decides("Postgres"), asks("Go"));
  const handoff = {
    kind: "handoff",
    fields: { to_agent: "codex", task: "Move", decisions: [shortEventId(idAt(0))] },
  } as const;
  expect(said(handoff, events).content).toMatchObject({ decisions: [idAt(0)] });
  expect(
    refusal({ ...handoff, fields: { ...handoff.fields, decisions: [idAt(1)] } }, events),
  ).toMatch(/is a message, not a decision/);
});

it("a loop of one's own says what its tools answered, which is then the tool's", () => {
  const read = { tool: "read_file", path: "README.md", text: "# Ferry timetables" };
  expect(said({ kind: "tool_result", fields: read })).toMatchObject({
    actor: { type: "tool", id: "tool.read_file" },
    content: read,
  });
  expect(
    said({ kind: "tool_call", fields: { tool: "read_file", path: "README.md" } }),
  ).toMatchObject({ actor: AGENT });
  expect(() => said({ kind: "tool_result", fields: { ...read, outcome: "bad" } })).toThrow(
    "outcome is not one of",
  );
});

it("takes several ids in one text, with commas between them", () => {
  const events = made(decides("Use npm"), decides("Use yarn"));
  const ids = events.map(({ id }) => id);
  const named = ids.map(shortEventId).join(", ");
  const fields = { decision: "Use pnpm", supersedes: named };
  const statement: Statement = { kind: "decision", refs: [named], fields };
  expect(idsIn(statement)).toEqual([...named.split(", "), ...named.split(", ")]);
  const draft = said(statement, events);
  expect([draft.content.supersedes, draft.refs]).toEqual([ids, ids]);
});
