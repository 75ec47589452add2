/** Puts what happened in earlier sessions into the session log of a story's project, with a real store. */
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { UNREDACTED } from "../support/unredacted.ts";
import type { HappenedStep } from "./context-schema.ts";
import type { Story } from "./story.ts";

type Entry = HappenedStep["happened"][number];
type Chatter = Extract<Entry, { chatter: number }>;
type Told = Exclude<Entry, Chatter>;

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Characters of an event's short id. */
const TAIL = 8;
const AGENT = "claude-code";

export async function tellHappened({ happened }: HappenedStep, story: Story): Promise<void> {
  const chatter = happened.flatMap((entry) =>
    "chatter" in entry ? chatterOf(entry, story.now) : [],
  );
  // It holds no secret, and to look for one in thousands of texts takes seconds.
  const plain = await story.record(UNREDACTED);
  await plain.append(chatter);
  const told = happened.flatMap((entry) => ("chatter" in entry ? [] : entry));
  // What happened at once happened in the order in which it is told.
  const stored = await (await story.record()).append(
    told.map((entry, at) => draftOf(entry, story.now + at)),
  );
  for (const [at, { id: name }] of told.entries()) {
    const id = stored[at]?.id;
    if (name === undefined || id === undefined) {
      continue;
    }
    story.values.set(name, id);
    story.values.set(`${name}_tail`, id.slice(-TAIL));
  }
}

export function msOf(age: string): number {
  return Number(age.slice(0, -1)) * (UNITS_MS[age.slice(-1)] ?? 0);
}

function draftOf(
  { by, says, kind, content, ago, session, id: _, ...more }: Told,
  now: number,
): EventDraft {
  const actor = { human: "user", agent: AGENT, tool: `tool.${content.tool}` }[by];
  const draft = {
    session,
    agent: AGENT,
    actor: { type: by, id: actor },
    kind,
    content: says === undefined ? content : { text: says, ...content },
    ts: new Date(now - msOf(ago)).toISOString(),
    ...more,
  };
  return draft as EventDraft;
}

function chatterOf(
  { chatter, from, to, sessions, saying, seed, ...more }: Chatter,
  now: number,
): EventDraft[] {
  const { decision_every = chatter + 1 } = more;
  const [first, last] = [now - msOf(from), now - msOf(to)];
  const { lessons } = realisticMemory(chatter, seed);
  return lessons.map(({ missing_context, lesson }, at): EventDraft => {
    const isDecision = at % decision_every === decision_every - 1;
    return {
      session: `chatter-${seed}-${Math.floor((at * sessions) / chatter)}`,
      agent: AGENT,
      actor: at % 2 === 0 ? { type: "human", id: "user" } : { type: "agent", id: AGENT },
      kind: isDecision ? "decision" : "message",
      content: isDecision
        ? { decision: lesson, rationale: [missing_context] }
        : { text: [missing_context, lesson, saying].join(" ").trim() },
      ts: new Date(first + ((last - first) * at) / chatter).toISOString(),
    };
  });
}
