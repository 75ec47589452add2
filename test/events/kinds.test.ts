/** Events that this version does not know, and events with a field of another type than their kind says: read, shown, and purged. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { wholeOf } from "../../src/sessions/answers/page-answer.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventId, identityFrom } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { all, message, NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const DAY = "events/2026-11/2026-11-21.jsonl";

/** A line of another writer. */
function lineOf(name: string, kind: string, content: object): string {
  const time = NOON - 60_000;
  const id = eventId(time, identityFrom(name));
  const [session, agent, actor] = ["s1", "claude-code", { type: "agent", id: "claude-code" }];
  const frame = {
    id,
    ts: new Date(time).toISOString(),
    session,
    agent,
    channel: "private",
    actor,
    kind,
  };
  return JSON.stringify({
    ...frame,
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: "sha256:0",
    content,
  });
}

async function recordWith(line: string): Promise<{ store: EventStore; folder: string }> {
  const folder = join(testFolder(), "record");
  const store = jsonlEventStore({ folder, redactor: UNREDACTED, now: () => NOON });
  mkdirSync(join(folder, "events/2026-11"), { recursive: true });
  writeFileSync(join(folder, DAY), "");
  appendFileSync(join(folder, DAY), `${line}\n`);
  await store.append([message("The ferry leaves at nine")]);
  return { store, folder };
}

it("an event of a later version's kind is kept and shown as it is, and hinders no search", async () => {
  const line = lineOf("later", "verdict", { verdict: "guilty", of: { whom: "the ferry" } });
  const { store, folder } = await recordWith(line);
  while (await store.prepareSearch()) {}
  const { hits } = await store.search({ text: "ferry", limit: 5 });
  expect(hits.map(({ text }) => text)).toEqual(["The ferry leaves at nine"]);
  const [later] = await all(store);
  expect(later?.content).toEqual({ verdict: "guilty", of: { whom: "the ferry" } });
  const { text } = await wholeOf(later?.id ?? "", store);
  expect(text).toBe('verdict: guilty\nof: {"whom":"the ferry"}');
  expect(await store.brief("recent")).toMatchObject([{ kind: "message" }]);
  await store.purge({ text: "nobody said this" });
  expect(readFileSync(join(folder, DAY), "utf8")).toContain(`${line}\n`);
});

it("a field of another type counts as missing, and a purge finds what is in it", async () => {
  const content = {
    decision: ["Sell", "the ferry"],
    rationale: "It leaks",
    confidence: "high",
    alternatives: [1],
  };
  const { store } = await recordWith(lineOf("strange", "decision", content));
  while (await store.prepareSearch()) {}
  const { hits } = await store.search({ text: "leaks", limit: 5 });
  expect(hits[0]?.text).toBe("It leaks");
  const [strange] = await all(store);
  expect(strange?.content).toEqual({
    rationale: "It leaks",
    misfits: { decision: ["Sell", "the ferry"], confidence: "high", alternatives: [1] },
  });
  expect(await store.toPurge({ text: "Sell" })).toMatchObject({ events: 1 });
  await store.purge({ text: "Sell" });
  expect((await all(store)).map(({ kind }) => kind)).toEqual(["message"]);
});
