import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { Session } from "../../../test/support/transcript.ts";
import { claudeCodeReader } from "../transcripts/readers.ts";
import { Folders } from "./belonging.ts";
import type { Cursor } from "./cursor.ts";
import { CaptureReport, versionsNotUnderstood } from "./report.ts";
import { captureTranscript } from "./transcript-capture.ts";

const ALWAYS = { format: 1, id: "", project: "", intervals: [{ on: "2026-01-01T00:00:00.000Z" }], skipped: [] };

const reader = (revision: number) => ({ ...claudeCodeReader, revision });

async function captured(path: string, folder: string, revision: number, before?: Cursor) {
  const texts: unknown[] = [];
  const report = new CaptureReport();
  const cursor = await captureTranscript(
    {
      path,
      folders: new Folders({ path: folder, hasGit: false, folder }, []),
      reader: reader(revision),
      consent: () => ALWAYS,
      privateSessions: new Set(),
      report,
      isSpent: () => false,
      emit: async (drafts) => void texts.push(...drafts.map(({ content }) => content.text ?? content.event)),
    },
    before,
  );
  return { texts, cursor, report };
}

it("a transcript is read again by a reader that understands more, if there was something it did not understand", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("One");
  const strange = new Session({ cwd: folder }).asks("One").add({ type: "user", message: { parts: [] } });
  for (const [lines, again] of [
    [session, []],
    [strange, ["start", "One"]],
  ] as const) {
    writeFileSync(path, lines.text);
    const { cursor } = await captured(path, folder, 1);
    expect((await captured(path, folder, 1, cursor)).texts).toEqual([]);
    expect((await captured(path, folder, 2, cursor)).texts).toEqual(again);
  }
});

it("a version of a client is reported when less than nine lines in ten are understood", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder });
  for (let line = 0; line < 9; line++) session.asks("Fine");
  session.add({ type: "hologram" }).add({ type: "user", message: { parts: [] } });
  writeFileSync(path, session.text);
  const { report } = await captured(path, folder, 1);
  expect(versionsNotUnderstood(report.conversation, [reader(1)])).toEqual([]);
  writeFileSync(path, session.add({ type: "user", message: { parts: [] } }).text);
  const more = await captured(path, folder, 1);
  expect(versionsNotUnderstood(more.report.conversation, [reader(1)])).toEqual(["Claude Code 2.1.197"]);
  const counted = more.report.withUnderstood(report.conversation);
  expect(versionsNotUnderstood(counted, [reader(1)])).toEqual(["Claude Code 2.1.197"]);
  // A newer reader has not read them yet, and counts for itself when it does.
  expect(versionsNotUnderstood(counted, [reader(2)])).toEqual([]);
  const later = await captured(path, folder, 2);
  expect(later.report.withUnderstood(counted)).toEqual({
    "Claude Code 2.1.197": { lines: 11, understood: 9, revision: 2 },
  });
});

it("a file that is gone has no cursor", async () => {
  expect((await captured(join(testFolder(), "t.jsonl"), testFolder(), 1)).cursor).toBeUndefined();
});

it("the last line of a finished transcript is read without an end, and once", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("One").uses("Bash", { command: "ls" }, "a.txt");
  writeFileSync(path, session.text.trimEnd());
  const first = await captured(path, folder, 1);
  expect(first.texts).toEqual(["start", "One", undefined, "a.txt"]);
  expect(first.report.lines).toBe(3);
  expect((await captured(path, folder, 1, first.cursor)).texts).toEqual([]);
  writeFileSync(path, session.says("Done.").text);
  const later = await captured(path, folder, 1, first.cursor);
  expect(later.texts).toEqual(["Done."]);
  expect(later.report.unknown).toEqual({});
});

it("a call on a last line without an end is found when its answer comes later", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("One").calls("Bash", { command: "ls" });
  writeFileSync(path, session.text.trimEnd());
  const { cursor } = await captured(path, folder, 1);
  writeFileSync(path, session.answers("a.txt").text);
  expect(await captured(path, folder, 1, cursor)).toMatchObject({ texts: ["a.txt"] });
});

it("a line that is being written is read once, when it is whole, wherever the writer has come", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const { text } = new Session({ cwd: folder }).asks('One {"a": {}} 끝').says("Done.");
  const bytes = Buffer.from(text);
  const texts: unknown[] = [];
  let cursor: Cursor | undefined;
  for (let end = 1; end <= bytes.length; end++) {
    writeFileSync(path, bytes.subarray(0, end));
    const now = await captured(path, folder, 1, cursor);
    expect(now.report.unknown).toEqual({});
    cursor = now.cursor;
    texts.push(...now.texts);
  }
  expect(texts).toEqual(["start", 'One {"a": {}} 끝', "Done."]);
});

it("what comes later on a line that was whole is damaged, and no duplicate", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("One");
  writeFileSync(path, session.text.trimEnd());
  const { cursor } = await captured(path, folder, 1);
  writeFileSync(path, `${session.text.trimEnd()}, "more": 1}\n`);
  const later = await captured(path, folder, 1, cursor);
  expect([later.texts, later.report.unknown]).toEqual([[], { damaged: 1 }]);
});
