/**
 * The daemon answers an id or a name of somebody else's event exactly as it answers one that does not exist: the same bytes, over MCP and at
 * every endpoint. Both people have also recorded the same texts.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type Event,
  eventId,
  identityIn,
  identityOf,
  readEventId,
  shortEventId,
} from "../../src/sessions/kinds/event.ts";
import { chunkId } from "../../src/sessions/storing/chunks.ts";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import { message } from "../contracts/event-store.ts";
import { type DaemonOfTest, daemonOfFile, eventCalls } from "../support/daemon.ts";
import { type HttpAgent, httpAgent } from "../support/mcp-agent.ts";
import { postgresOfFile } from "../support/postgres.ts";

const postgres = postgresOfFile();
const daemonOfAll = daemonOfFile(postgres);

/** What a person's things are called. */
interface Names {
  readonly message: string;
  readonly output: string;
  readonly decision: string;
  readonly pin: string;
  readonly task: string;
  readonly handoff: string;
  readonly chunk: string;
  readonly artifact: string;
  readonly session: string;
  readonly key: string;
  readonly origin: string;
  /** Of the task, which only says it in words. */
  readonly title: string;
}

type Name = keyof Names;
const EVENTS = [
  "message",
  "output",
  "decision",
  "pin",
  "task",
  "handoff",
] as const satisfies Name[];
const IDS = [...EVENTS, "chunk", "artifact"] as const satisfies Name[];

class Person {
  readonly #daemon: DaemonOfTest;
  readonly #token: string;
  readonly agent: HttpAgent;

  constructor(daemon: DaemonOfTest, token: string, agent: HttpAgent) {
    this.#daemon = daemon;
    this.#token = token;
    this.agent = agent;
  }

  async endpoint(name: string, body: object): Promise<{ status: number; body: unknown }> {
    return eventCalls(this.#daemon.url, this.#token)(name, body);
  }

  async events(): Promise<Event[]> {
    return ((await this.endpoint("read", {})).body as { events: Event[] }).events;
  }

  /** Records one thing of each kind. @param about stands in all of them. */
  async tell(about: string): Promise<Names> {
    const [session, key, origin] = [randomUUID(), `key ${randomUUID()}`, `line ${randomUUID()}`];
    const title = `Count the ${about}`;
    const text = `${about} are counted here\n`.repeat(1_000);
    const drafts = [
      message(text, 0, { session, origin, kind: "tool_result", content: { tool: "Bash", text } }),
    ];
    const [output] = ((await this.endpoint("append", { drafts })).body as { events: Event[] })
      .events;
    if (!output) {
      throw new Error("Nothing was recorded.");
    }
    const say = async (kind: string, content: object, more: object = {}) => {
      const { isError, text } = await this.agent.call("record_event", {
        kind,
        content,
        session,
        ...more,
      });
      if (isError) {
        throw new Error(text);
      }
      return /evt_\w{26}/.exec(text)?.[0] ?? "";
    };
    const first = await say("message", { text: `The ${about} sleep by day.` }, { key });
    const decision = await say(
      "decision",
      { decision: `Feed the ${about} at dusk` },
      { refs: [first] },
    );
    return {
      message: first,
      output: output.id,
      decision,
      pin: await say("pin", { ref: first, note: `${about} first` }),
      task: await say("task_update", { title, task: `t ${session}` }),
      handoff: await say("handoff", {
        to_agent: "codex",
        task: `Weigh the ${about}`,
        decisions: [decision],
      }),
      chunk: chunkId(output.id, 1),
      artifact: artifactsOf(output)[0] ?? "",
      session,
      key,
      origin,
      title,
    };
  }
}

/** Names of the same form that nothing has. */
function madeUp({ output }: Names): Names {
  const event = () => eventId(readEventId(output)?.time ?? 0, identityOf(randomBytes(10)));
  return {
    ...{
      message: event(),
      output: event(),
      decision: event(),
      pin: event(),
      task: event(),
      handoff: event(),
    },
    chunk: chunkId(event(), 1),
    artifact: `art_${randomBytes(32).toString("hex")}`,
    session: randomUUID(),
    key: `key ${randomUUID()}`,
    origin: `line ${randomUUID()}`,
    title: `Count the ${randomBytes(4).toString("hex")}`,
  };
}

/** A call with a name in one of its arguments. @param mine something of the caller's own. */
type Naming<Call> = readonly [names: readonly Name[], call: (name: string, mine: Names) => Call];
type ToolCall = readonly [tool: string, args: Record<string, unknown>];

const recording = (kind: string, content: object, more: object = {}): ToolCall => [
  "record_event",
  { kind, content, ...more },
];

/** What changes nothing comes first. */
const TOOLS: readonly Naming<ToolCall>[] = [
  [IDS, (ref) => ["get_artifact", { ref }]],
  [IDS, (ref) => ["get_artifact", { ref, around: 5, range: "1-3" }]],
  [EVENTS, (id) => ["get_artifact", { ref: shortEventId(id) }]],
  [EVENTS, (handoff) => ["build_acb", { handoff }]],
  [EVENTS, (id) => ["build_acb", { handoff: shortEventId(id) }]],
  [["session"], (session) => ["build_acb", { session, intent: "continue" }]],
  [
    ["session"],
    (session) => ["build_acb", { session: session.slice(0, 8), query: "what is counted here" }],
  ],
  [IDS, (id) => recording("message", { text: "hello" }, { refs: [id] })],
  [EVENTS, (id) => recording("message", { text: "hello" }, { refs: [shortEventId(id)] })],
  [IDS, (id, mine) => recording("decision", { decision: "no" }, { refs: [mine.message, id] })],
  [
    EVENTS,
    (id, mine) =>
      recording("decision", { decision: "no", supersedes: [id] }, { refs: [mine.message] }),
  ],
  [
    IDS,
    (id, mine) =>
      recording("summary", { text: "all", coverage: "all" }, { refs: [mine.message, id] }),
  ],
  [IDS, (ref) => recording("pin", { ref, note: "mine now" })],
  [
    EVENTS,
    (id, mine) => recording("pin", { ref: mine.message, note: "mine now", supersedes: [id] }),
  ],
  [EVENTS, (id) => recording("handoff", { to_agent: "codex", task: "x", decisions: [id] })],
  [EVENTS, (task) => recording("task_update", { task, status: "done" })],
  [["title"], (task) => recording("task_update", { task, status: "done" })],
  [["title"], (title) => recording("task_update", { title })],
  [
    ["session"],
    (session) => recording("message", { text: "hello" }, { session: session.slice(0, 8) }),
  ],
  [["session"], (session) => recording("message", { text: "hello" }, { session })],
  [["key"], (key) => recording("message", { text: "hello" }, { key })],
];

const ENDPOINTS: readonly Naming<readonly [name: string, body: object]>[] = [
  [EVENTS, (id) => ["find", { ids: [id] }]],
  [EVENTS, (id) => ["find", { ids: [shortEventId(id)] }]],
  [IDS, (id) => ["read", { refs: [id] }]],
  [["session"], (session) => ["read", { session }]],
  [["artifact"], (id) => ["artifact", { id }]],
  [EVENTS, (id) => ["to-purge", { target: { ids: [id] } }]],
  [["session"], (session) => ["to-purge", { target: { session } }]],
  [EVENTS, (id) => ["purge", { target: { ids: [id] } }]],
  [EVENTS, (id) => ["purge", { target: { ids: [shortEventId(id)] } }]],
  [["session"], (session) => ["purge", { target: { session } }]],
];

/** Where a name is words to look for: what they find of the caller's own follows from their letters. */
const QUERIES: readonly Naming<ToolCall>[] = [
  [[...IDS, "session", "title"], (query) => ["build_acb", { query }]],
  [[...IDS, "session", "title"], (query) => ["query_decisions", { query, status: "all" }]],
];

/** An answer without what has to differ: the name that was given, the ids of what was recorded just now, times, what it cost. */
function withoutNames(answer: string, name: string): string {
  const parts = [name, name.slice(0, 60), shortEventId(name), name.slice(0, 8)];
  return (
    parts
      .reduce((text, part) => text.replaceAll(part, "NAME"), answer)
      .replaceAll(/evt_\w+/g, "EVENT")
      // The id of a bundle is a hash of its text, which contains the name.
      .replaceAll(/acb_\w+/g, "BUNDLE")
      .replaceAll(/\d{4}-\d{2}-\d{2}[T ][\d:.]+Z?/g, "TIME")
      .replaceAll(/\d+ ms/g, "MS")
  );
}

const COMMON = "wombats";
const HERS = "quokkas";

describe.each([
  ["another tenant", { tenant: "zoo two" }],
  ["another person of the tenant", { tenant: "zoo one", owner: "bob" }],
] as const)("to %s", (_, who) => {
  it("what is somebody else's and what does not exist are the same", async () => {
    const daemon = daemonOfAll();
    const person = async (more: object) => {
      const token = await daemon.token({ tenant: "zoo one", ...more });
      return new Person(daemon, token, await httpAgent(daemon, token));
    };
    const [ann, other] = [await person({ owner: `ann of ${who.tenant}` }), await person(who)];
    const [shared, hers, mine] = [
      await ann.tell(COMMON),
      await ann.tell(HERS),
      await other.tell(COMMON),
    ];
    expect(shared.artifact, "the same text is the same artifact").toBe(mine.artifact);
    const before = await ann.events();
    const ends = before.map(({ id }) => identityIn(id).slice(-8));

    // Some calls record something, so both have to have the same past.
    const twins = new Map([shared, hers].map((names) => [names, madeUp(names)]));
    const tool = async (call: ToolCall) => JSON.stringify(await other.agent.call(...call));
    const endpoint = async (call: readonly [string, object]) =>
      JSON.stringify(await other.endpoint(...call));
    const holdsNothing = (told: string, name: string, what: string) => {
      const rest = [name, shortEventId(name)].reduce(
        (text, part) => text.replaceAll(part, ""),
        told,
      );
      expect(rest, what).not.toMatch(
        new RegExp(`${HERS}|${ends.filter((end) => !name.includes(end)).join("|")}`),
      );
    };
    const compare = async <Call>(
      ways: readonly Naming<Call>[],
      ask: (call: Call) => Promise<string>,
      names: Names,
    ) => {
      const made = twins.get(names) ?? madeUp(names);
      for (const [given, call] of ways) {
        for (const field of given) {
          // Both have these.
          if (names === shared && (field === "artifact" || field === "title")) {
            continue;
          }
          const [nobodys, foreign] = [made[field], names[field]];
          const what = `${field}: ${JSON.stringify(call(foreign, mine))}`;
          const told = await ask(call(foreign, mine));
          expect(withoutNames(told, foreign), what).toBe(
            withoutNames(await ask(call(nobodys, mine)), nobodys),
          );
          holdsNothing(told, foreign, what);
        }
      }
    };
    for (const [given, call] of QUERIES) {
      for (const field of given) {
        holdsNothing(await tool(call(hers[field], mine)), hers[field], `${field} as a query`);
      }
    }
    for (const names of [shared, hers]) {
      await compare(TOOLS, tool, names);
      await compare(ENDPOINTS, endpoint, names);
    }

    // What one line of two transcripts says has one id: each has an event of its own under it.
    const drafts = [message("mine", 0, { origin: hers.origin })];
    const [own] = ((await other.endpoint("append", { drafts })).body as { events: Event[] }).events;
    expect([identityIn(own?.id ?? ""), own?.content]).toEqual([
      identityIn(hers.output),
      { text: "mine" },
    ]);
    expect((await other.agent.call("get_artifact", { ref: hers.output })).text).toContain("mine");

    expect(await ann.events()).toEqual(before);
    const refs = (await other.events()).flatMap(({ refs }) => refs).join();
    expect(refs).not.toMatch(new RegExp(ends.join("|")));
  });
});
