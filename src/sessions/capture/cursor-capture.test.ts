/** Transcripts whose lines have neither an id nor a time: their place in the file says which is which. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { captureWork } from "../../../test/support/capture-work.ts";
import { CursorTranscript } from "../../../test/support/cursor.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import type { EventDraft } from "../kinds/event.ts";
import { cursorReader } from "../transcripts/cursor.ts";
import type { Cursor } from "./capture-state.ts";
import { captureTranscript } from "./transcript-capture.ts";

async function captured(
  folder: string,
  path: string,
  before?: Cursor,
  more: Parameters<typeof captureWork>[2] = {},
) {
  const events: EventDraft[] = [];
  const frame = { session: "c1", cwd: folder, until: "2026-11-20T10:00:00.000Z" };
  const reader = { ...cursorReader, frameOf: async () => frame };
  const work = captureWork(folder, async ({ drafts }) => void events.push(...drafts), more);
  return { cursor: await captureTranscript({ path, reader }, work, before), events };
}

const origins = (events: readonly EventDraft[]) =>
  events.map(({ origin, ts }) => `${origin} ${ts}`);

it("the same line said twice is two events, and the same two in any pieces", async () => {
  const folder = testFolder();
  const [whole, pieces] = [join(folder, "whole.jsonl"), join(folder, "pieces.jsonl")];
  const test = { command: "npm test" };
  const { lines, text } = new CursorTranscript()
    .asks("Test it", "Friday, Nov 20, 2026, 9:00 AM (UTC)")
    .uses("Shell", test)
    .uses("Shell", test)
    .asks("Again", "Friday, Nov 20, 2026, 9:30 AM (UTC)")
    .uses("Shell", test)
    .ends();
  writeFileSync(whole, text);
  writeFileSync(pieces, "");
  const once = origins((await captured(folder, whole)).events);
  expect(new Set(once).size).toBe(6);

  const parts: EventDraft[] = [];
  let before: Cursor | undefined;
  for (const line of lines) {
    appendFileSync(pieces, `${JSON.stringify(line)}\n`);
    const { cursor, events } = await captured(folder, pieces, before);
    parts.push(...events);
    before = cursor;
  }
  expect(origins(parts)).toEqual(once);
});

it("what was said is left out where recording was off for a moment before the file's last change", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const { text } = new CursorTranscript().asks("Test it", "Friday, Nov 20, 2026, 9:00 AM (UTC)");
  writeFileSync(path, text);
  const textsOf = async (...intervals: readonly { on: string; off?: string }[]) => {
    const { consent } = captureWork(folder, async () => undefined);
    const more = { consent: () => ({ ...consent(), intervals }) };
    const { events } = await captured(folder, path, undefined, more);
    return events.flatMap(({ content }) => content.text ?? []);
  };
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;
  expect(await textsOf({ on: at("08:00") })).toEqual(["Test it"]);
  expect(await textsOf({ on: at("08:00"), off: at("09:30") }, { on: at("09:31") })).toEqual([]);
});
