/** Calls that wait for one turn share it, however many they are: the work of the turn grows with their number, and not with its square. */

import { expect, it } from "vitest";
import { hintsFor } from "../../src/lessons/answers/log-hints.ts";
import { saveLesson } from "../../src/lessons/changes/save.ts";
import { renderFile } from "../../src/lessons/format/file-lines.ts";
import { WorkingCopy } from "../../src/lessons/merge/fold.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { snapshotOf } from "../support/lines.ts";
import { growsFaster } from "../support/processor-time.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { NOON } from "./arbitrary-files.ts";

const CALLS = 500;
/** Between four times as many calls, 4, and their square, 16. */
const GROWTH = 8;
const { lessons } = realisticMemory(4 * CALLS);

/** As a server does: the changes are applied, pruned and rendered, and then each is answered. */
function takeTurn(calls: number, topicOf: (call: number) => string): void {
  const before = snapshotOf();
  const memory = WorkingCopy.from(before);
  const drafts = lessons.slice(0, calls).map(({ missing_context, lesson }, call) => {
    return { type: "log", topic: topicOf(call), missing_context, lesson } as const;
  });
  for (const draft of drafts) saveLesson(memory, draft, {}, NOON);
  const { snapshot } = prune(memory, NOON);
  renderFile(snapshot.lines(), []);
  for (const draft of drafts) hintsFor(draft, before);
}

it.each([
  ["one topic", () => "bench"],
  ["thirty topics", (call: number) => `topic ${call % 30}`],
])("saves into %s cost no more for there being others", (_, topicOf) => {
  expect(growsFaster(CALLS, GROWTH, (calls) => takeTurn(calls, topicOf))).toBe(false);
});
