/** The order of what was said in one millisecond, from the transcript to every reader of the session log. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { captureWork } from "../../../test/support/capture-work.ts";
import { Rollout } from "../../../test/support/codex.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { UNREDACTED } from "../../../test/support/unredacted.ts";
import { beside } from "../answers/page-answer.ts";
import { jsonlEventStore } from "../files/store.ts";
import { type Event, inTime } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { codexReader } from "../transcripts/codex.ts";
import type { Cursor } from "./capture-state.ts";
import { captureTranscript } from "./transcript-capture.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const NAMES = Array.from({ length: 24 }, (_, at) => `quokka${at}`);

function captureInto(store: EventStore, folder: string, path: string, before?: Cursor) {
  const work = captureWork(folder, async ({ drafts }) => void (await store.append(drafts)));
  return captureTranscript({ path, reader: codexReader }, work, before);
}

async function all(store: EventStore): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of store.read()) {
    events.push(event);
  }
  return events;
}

const textOf = ({ content }: Pick<Event, "content">) => String(content.text);

it("what was said in one millisecond keeps its order in reads, projections, neighbours and around an event", async () => {
  const folder = testFolder();
  const path = join(folder, "rollout-1.jsonl");
  const store = jsonlEventStore({
    folder: join(folder, "record"),
    redactor: UNREDACTED,
    now: () => Date.parse(NOON),
  });
  const rollout = new Rollout({ cwd: folder, at: NOON }).turn(undefined, folder);
  for (const name of NAMES.slice(0, 12)) {
    rollout.says(name);
  }
  writeFileSync(path, rollout.text);
  const cursor = await captureInto(store, folder, path);
  const { length } = rollout.text;
  for (const name of NAMES.slice(12)) {
    rollout.says(name);
  }
  appendFileSync(
    path,
    rollout.at("2026-11-20T12:00:00.003Z").says("a moment later").text.slice(length),
  );
  await captureInto(store, folder, path, cursor);

  const said = (await all(store)).filter(({ kind }) => kind === "message");
  const order = [...NAMES, "a moment later"];
  expect(said.map(textOf)).toEqual(order);
  expect(inTime([...said].reverse()).map(textOf)).toEqual(order);
  const seventh = said[7] as Event;
  const { before, after } = await beside(seventh, 2, store);
  expect([before, after].map((events) => events.map(textOf))).toEqual([
    ["quokka5", "quokka6"],
    ["quokka8", "quokka9"],
  ]);
  const { hits } = await store.search({ text: "quokka7", withNeighbours: true, limit: 1 });
  expect([hits[0]?.before?.text, hits[0]?.text, hits[0]?.after?.text]).toEqual([
    "quokka6",
    "quokka7",
    "quokka8",
  ]);
  await captureInto(store, folder, path);
  expect(
    (await all(store)).map(({ id }) => id),
    "read again it is the same",
  ).toHaveLength(order.length + 1);
});
