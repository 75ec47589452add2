/**
 * However events, purges, kills and readings of the recent window come, it says what one reading of the whole session log says
 * (docs/design/sessions.md, "Resuming").
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readBriefs, updateBriefs } from "../../src/sessions/files/briefs.ts";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { BriefEvent, Event, EventDraft } from "../../src/sessions/kinds/event.ts";
import { decisionsOf } from "../../src/sessions/projections/decisions.ts";
import { pinsOf } from "../../src/sessions/projections/pins.ts";
import { tasksOf } from "../../src/sessions/projections/tasks.ts";
import { whereWeStopped } from "../../src/sessions/resume/notes/notes.ts";
import { RECENT } from "../../src/sessions/resume/recent.ts";
import { sessionStates } from "../../src/sessions/resume/session.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { testFolder } from "../support/in-test.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const RUNS = { numRuns: 8 };
const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const MINUTE = 60_000;
const DAYS = 16;

const BUDGET = { characters: 9_000, bytes: 27_000, tokens: 1_000 };
const STARTS = ["s1", "s9"].flatMap((session) =>
  [undefined, "main"].map((branch) => ({ session, branch, now: NOW, command: "sentinel-memory" })),
);

const name = fc.constantFrom("one", "two", "three");
const event = fc.oneof(
  name.map(
    (text) => ({ kind: "message", content: { text: `Do this and that with ${text}` } }) as const,
  ),
  name.map(
    (text) => ({ kind: "message", actor: { type: "agent", id: "a" }, content: { text } }) as const,
  ),
  fc
    .record({
      command: name,
      path: fc.option(name, { nil: undefined }),
      edits: fc.boolean(),
      outcome: fc.constantFrom("failed", "ok"),
    })
    .map(
      ({ command, path, edits, outcome }) =>
        ({
          kind: "tool_result",
          content: {
            tool: "Bash",
            text: "x",
            command,
            ...(path && { path }),
            ...(path && edits && { edits }),
            ...(outcome === "failed" && { outcome }),
          },
        }) as const,
    ),
  fc
    .record({
      path: name,
      other: fc.option(name, { nil: undefined }),
      edits: fc.boolean(),
      fails: fc.boolean(),
    })
    .map(
      ({ path, other, edits, fails }) =>
        ({
          kind: "tool_result",
          content: {
            tool: "Edit",
            text: "x",
            path,
            ...(other && { other_paths: [other] }),
            ...(edits && { edits }),
            ...(fails && { outcome: "failed" }),
          },
        }) as const,
    ),
  fc
    .record({ task: name, status: fc.constantFrom("open", "doing", "done") })
    .map((content) => ({ kind: "task_update", content }) as const),
  name.map((decision) => ({ kind: "decision", content: { decision } }) as const),
  name.map((text) => ({ kind: "pin", content: { text } }) as const),
  name.map((text) => ({ kind: "summary", content: { text: `Pending: ${text}` } }) as const),
);
const at = fc.integer({ min: -DAYS * 24 * 60, max: 0 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      at,
      session: fc.constantFrom("s1", "s2", "s3"),
      branch: fc.boolean(),
      event,
      refers: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "follow",
      "follow",
      "kill",
      "delete",
      "old",
      "old",
      "purge one",
      "purge s2",
      "retain",
    ),
  },
);

it("the recent window is what the whole session log says, in any order of what happens", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 30, size: "max" }),
      async (steps) => {
        const folder = join(testFolder(), "record");
        const store = jsonlEventStore({ folder, redactor: UNREDACTED, now: () => NOW });
        const follow = () => withLogLock(folder, () => updateBriefs(folder, NOW));
        const file = join(folder, "index", "recent.json");
        let older: Buffer | undefined;
        let last: Event | undefined;
        for (const [count, taken] of steps.entries()) {
          if (typeof taken === "string") {
            if (taken === "follow") {
              await follow();
              older = existsSync(file) ? readFileSync(file) : undefined;
            }
            // What was about to be written is lost with its process.
            if (taken === "kill") {
              await updateBriefs(join(folder, "elsewhere"), NOW);
            }
            if (taken === "old" && older !== undefined) {
              write(file, older);
            }
            if (taken === "delete") {
              rmSync(join(folder, "index"), { recursive: true, force: true });
            }
            if (taken === "purge one" && last) {
              await store.purge({ ids: [last.id] });
            }
            if (taken === "purge s2") {
              await store.purge({ session: `s2` });
            }
            if (taken === "retain") {
              await store.retain({ eventsDays: 5, artifactsDays: 90, artifactsBytes: 1e9 });
            }
            continue;
          }
          const [stored] = await store.append([draftOf(taken, count, last)]);
          last = stored ?? last;
        }
        // Without it, the reader reads what isn't cached.
        if (steps.length % 2 === 0) {
          await follow();
        }
        const whole = await wholeRecord(store);
        const events = await readBriefs(folder, "recent", NOW);
        expect(saidBy(events)).toEqual(saidBy(whole));
        const briefs = whole.flatMap((event) => RECENT.briefOf(event) ?? []);
        for (const start of STARTS) {
          expect(whereWeStopped(events, start, BUDGET)).toBe(whereWeStopped(briefs, start, BUDGET));
        }
      },
    ),
    RUNS,
  );
});

/** As a copy of the folder would bring it back. */
function write(file: string, bytes: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

type Taken = Exclude<Parameters<Parameters<typeof step.map>[0]>[0], string>;

function draftOf(
  { at: minutes, session, branch, event: said, refers }: Taken,
  count: number,
  last: Event | undefined,
): EventDraft {
  return {
    session,
    agent: "claude-code",
    actor: { type: "human", id: "user" },
    ts: new Date(NOW + minutes * MINUTE + count).toISOString(),
    key: String(count),
    ...(branch && { place: { branch: "main" } }),
    ...(refers && last && { refs: [last.id] }),
    ...said,
  };
}

async function wholeRecord(store: EventStore): Promise<Event[]> {
  const events: Event[] = [];
  const from = new Date(NOW - 13 * 24 * 60 * MINUTE).toISOString().slice(0, 10);
  for await (const event of store.read({ from })) {
    events.push(event);
  }
  return events;
}

/** All that is told of events; what is never shown of them is left out. */
function saidBy(events: readonly BriefEvent[]) {
  const states = sessionStates(events).map(({ lastCommand, failing, ...state }) => ({
    ...state,
    ended: undefined,
    last: undefined,
    lastCommand: lastCommand?.id,
    failing: failing?.id,
  }));
  return {
    states,
    decisions: decisionsOf(events),
    tasks: tasksOf(events).map((task) => ({ ...task, updates: undefined })),
    pins: pinsOf(events),
  };
}
