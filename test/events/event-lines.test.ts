/** Lines of day files: an event as JSON on each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { Event, EventDraft } from "../../src/sessions/kinds/event.ts";
import { prepare } from "../../src/sessions/storing/prepare.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { seeded } from "../support/random.ts";
import { randomEvent } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const FILE = "events/2026-11/2026-11-21.jsonl";
const PLACE = { branch: "feat/doors", worktree: "/home/kim/app", cwd: "/home/kim/app/web" };
const openIn = (folder: string, now = NOON) =>
  jsonlEventStore({ folder, redactor: UNREDACTED, now: () => now });
const prepared = (draft: EventDraft) => prepare(draft, UNREDACTED, NOON);

/** Events with everything that an event can have, and with what is unusual in it. */
function drafts(): EventDraft[] {
  const random = seeded("event lines");
  const some = Array.from({ length: 60 }, (_, at) =>
    randomEvent(random, at, { from: NOON, days: 0.4 }),
  );
  const ref = prepared(message("a")).event.id;
  const tool = { session: "s2", agent: "codex/child", kind: "tool_result", place: PLACE } as const;
  const made: EventDraft[] = [
    ...some,
    message("usual", 1, {
      origin: "claude-code:0b54c3d2:0",
      place: PLACE,
      actor: { type: "agent", id: "claude-code" },
    }),
    message("of another client", 2, {
      origin: "elsewhere:1",
      refs: [ref],
      tags: ["pinned"],
      channel: "team",
    }),
    message("its origin is its client", 3, { origin: "claude-code:", sensitivity: "low" }),
    message("\u2028 \u007f \ud800 \u{1f600}", 4, { key: "k", place: { branch: "\u202ebranch" } }),
    {
      ...tool,
      actor: { type: "tool", id: "tool.Bash" },
      content: { tool: "Bash", text: "ok", "10": 1, "9": [] },
    },
    {
      ...tool,
      actor: { type: "tool", id: "tool.Other" },
      content: { tool: "Bash", text: "x\n".repeat(20_000) },
    },
    { ...tool, actor: { type: "tool", id: "tool.7" }, content: { tool: 7, text: "a misfit" } },
    {
      ...tool,
      actor: { type: "human", id: "user" },
      content: JSON.parse('{"tool":"Bash","__proto__":{"a":1}}'),
    },
  ];
  return made.map((draft, at) => ({ ...draft, origin: draft.origin ?? `claude-code:${at}` }));
}

describe("an event", () => {
  it("is read as it was stored", async () => {
    const folder = testFolder();
    const stored = await openIn(folder).append(drafts());
    const byTime = (events: readonly (Event | undefined)[]) =>
      events.toSorted((a, b) => (a && b && a.id < b.id ? -1 : 1));
    expect(byTime(await all(openIn(folder)))).toEqual(byTime(stored));
  });

  it("is a line of JSON that any program can read, with all fields, the id first", async () => {
    const folder = testFolder();
    const [stored] = await openIn(folder).append([message("door", 0, { place: PLACE })]);
    const [line = ""] = readFileSync(join(folder, FILE), "utf8").split("\n");
    expect(JSON.parse(line)).toEqual(stored);
    expect(Object.keys(JSON.parse(line))[0]).toBe("id");
  });
});
