import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { log, toFile } from "../../../test/support/lines.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { JsonlLessonStore } from "./store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sentinel-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function storeOf(...lines: Parameters<typeof toFile>[0]) {
  const file = join(folder, "memory_log.jsonl");
  writeFileSync(file, toFile(lines));
  const readPrivacy = async () => ({
    files: [],
    known: NO_OWN_WORDS,
    forStoring: () => NO_OWN_WORDS,
  });
  return { file, store: new JsonlLessonStore(file, readPrivacy) };
}

it("a repeated save of a lesson that was edited by hand names the version that it writes", async () => {
  const lesson = log({ meta: { created: new Date(Date.now() - 60_000).toISOString() } });
  const { file, store } = storeOf(lesson);
  await store.read();
  writeFileSync(file, toFile([{ ...lesson, lesson: "By hand" }]));
  const { type, topic, missing_context } = lesson;
  const saved = await store.save({ type, topic, missing_context, lesson: "By hand" });
  const [shown] = (await store.read()).lessons();
  expect([saved.isRepeated, saved.line.raw]).toEqual([true, shown?.raw]);
});

it("an older version of another memory that no file needs can be restored", async () => {
  const sources = { cbacfa52b3beba34: "2026-01-01T00:00:00.000Z" };
  const created = "2026-01-02T00:00:00.000Z";
  const updated = "2026-01-05T00:00:00.000Z";
  const after = { at: updated, seen: [created] };
  const { file, store } = storeOf(log({ meta: { created, updated, count: 2, sources, after } }));
  const before = readFileSync(file, "utf8");
  const older = log({ lesson: "Older", meta: { created, sources, after: {} } });
  await store.merge([older]);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect((await store.removed()).map(({ lesson }) => lesson.lesson)).toEqual(["Older"]);
});
