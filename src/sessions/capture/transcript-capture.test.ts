import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { captureWork } from "../../../test/support/capture-work.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { Session } from "../../../test/support/transcript.ts";
import type { EventDraft } from "../kinds/event.ts";
import { claudeCodeReader } from "../transcripts/claude-code.ts";
import { geminiReader } from "../transcripts/gemini.ts";
import type { Cursor } from "./capture-state.ts";
import { CaptureReport, versionsNotUnderstood } from "./report.ts";
import { captureTranscript, type LineEvents } from "./transcript-capture.ts";

const reader = (revision: number) => ({ ...claudeCodeReader, revision });

async function captured(
  path: string,
  folder: string,
  revision: number,
  before?: Cursor,
  { by = reader(revision), report = new CaptureReport() } = {},
) {
  const events: EventDraft[] = [];
  const emit = async ({ drafts }: LineEvents) => void events.push(...drafts);
  const work = captureWork(folder, emit, { report });
  const cursor = await captureTranscript({ path, reader: by }, work, before);
  return {
    events,
    texts: events.map(({ content }) => content.text ?? content.event),
    cursor,
    report,
  };
}

it("a transcript is read again by a reader that understands more, if there was something it did not understand", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("One");
  const strange = new Session({ cwd: folder })
    .asks("One")
    .add({ type: "user", message: { parts: [] } });
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

it("what a session says in another project is left out, until it comes back", async () => {
  const [folder, other] = [testFolder(), testFolder()];
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder }).asks("Here").goTo(other).asks("There");
  writeFileSync(path, session.goTo(folder).asks("Here again").text);
  expect((await captured(path, folder, 1)).texts).toEqual(["start", "Here", "Here again"]);
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

it("half a line is read once it is whole, and is no damage before", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const { text } = new Session({ cwd: folder }).asks("One").says("Done.");
  writeFileSync(path, text.slice(0, -20));
  const half = await captured(path, folder, 1);
  expect([half.texts, half.report.unknown]).toEqual([["start", "One"], {}]);
  writeFileSync(path, text);
  const whole = await captured(path, folder, 1, half.cursor);
  expect(whole.texts).toEqual(["Done."]);
});

it("a client's version is reported if the current reader understands fewer than nine of ten lines", () => {
  const counts = (understood: number) => ({ "Codex 9": { lines: 10, understood, revision: 1 } });
  const reported = (understood: number, revision: number) =>
    versionsNotUnderstood(counts(understood), [{ name: "Codex", revision }]);
  expect([reported(9, 1), reported(8, 1), reported(8, 2)]).toEqual([[], ["Codex 9"], []]);
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

it("a transcript that another one replaced is read from its beginning", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  writeFileSync(path, new Session({ cwd: folder }).asks("One").text);
  const { cursor } = await captured(path, folder, 1);
  const another = new Session({ cwd: folder }).asks("<private-session>, a tag?").says("One.");
  writeFileSync(path, another.text);
  const { texts } = await captured(path, folder, 1, cursor);
  expect(texts).toEqual(["start", "<private-session>, a tag?", "One."]);
});

it("a line of damaged bytes is damage, and no form that the reader doesn't know", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const line = Buffer.from(new Session({ cwd: folder }).asks("One is ?").text);
  line[line.indexOf("?")] = 0xff;
  writeFileSync(path, Buffer.concat([Buffer.from("not JSON\n"), line]));
  const { texts, report } = await captured(path, folder, 1);
  expect(texts).toEqual(["start", "One is \ufffd"]);
  expect(report.unknown).toEqual({ damaged: 2 });
  expect(versionsNotUnderstood(report.understood, [{ name: "Claude Code", revision: 1 }])).toEqual(
    [],
  );
});

const gemini = (id: string, type: string, text: string, second: number) => ({
  id,
  timestamp: `2026-11-20T09:00:0${second}.000Z`,
  type,
  content: [{ text }],
});

it("messages of a list count once, whether they have lines of their own or none, in any pieces", async () => {
  const folder = testFolder();
  const path = join(folder, "session-1.jsonl");
  const [one, two, three, four] = [
    gemini("m1", "user", "One", 1),
    gemini("m2", "gemini", "Two", 2),
    gemini("m3", "user", "Three", 3),
    gemini("m4", "gemini", "Four", 4),
  ];
  // The client gives what it writes again the time of writing.
  const again = [one, two, three, four].map((message) => ({
    ...message,
    timestamp: "2026-11-20T10:00:00.000Z",
  }));
  const lines = [
    { sessionId: "s1", startTime: "2026-11-20T09:00:00.000Z" },
    { $set: { messages: [one, two] } },
    three,
    { $set: { messages: again } },
    { $set: { messages: again } },
    gemini("m5", "user", "Five", 5),
  ].map((line) => `${JSON.stringify(line)}\n`);
  const expected = ["start", "One", "Two", "Three", "Four", "Five"];
  const work = { by: { ...geminiReader, frameOf: async () => ({ cwd: folder }) } };
  writeFileSync(path, lines.join(""));
  const whole = await captured(path, folder, 1, undefined, work);
  expect(whole.texts).toEqual(expected);
  expect(whole.report.unknown).toEqual({});
  const texts: unknown[] = [];
  let cursor: Cursor | undefined;
  for (let end = 1; end <= lines.length; end++) {
    writeFileSync(path, lines.slice(0, end).join(""));
    const now = await captured(path, folder, 1, cursor, work);
    cursor = now.cursor;
    texts.push(...now.texts);
  }
  expect(texts).toEqual(expected);
});

/** A fork as the client writes it: what it copies names its origin, and may have an id of its own. */
function forkOf(session: Session, id: string, hasNewIds: boolean): Session {
  const fork = new Session({ id, cwd: session.cwd });
  for (const { uuid, ...line } of session.lines) {
    const forkedFrom = { sessionId: session.id, messageUuid: uuid };
    fork.add({ ...line, sessionId: id, forkedFrom, ...(hasNewIds ? {} : { uuid }) });
  }
  return fork;
}

const forkId = (number: number) => `5e551011-0000-4000-8000-0000000000f${number}`;

it.each([true, false])(
  "a fork tells what is its own, and its parent; with ids of its own: %s",
  async (hasNewIds) => {
    const folder = testFolder();
    const keep = (session: Session) => {
      const path = join(folder, session.file);
      writeFileSync(path, session.text);
      return path;
    };
    const session = new Session({ cwd: folder }).asks("One").says("Two");
    const fork = forkOf(session, forkId(1), hasNewIds);
    keep(session);
    const path = keep(fork);
    const first = await captured(path, folder, 1);
    expect(first.texts).toEqual([]);
    keep(fork.asks("Three"));
    const later = await captured(path, folder, 1, first.cursor);
    expect(later.texts).toEqual(["start", "Three"]);
    expect(later.events[0]).toMatchObject({ session: fork.id, content: { parent: session.id } });
    const second = forkOf(fork, forkId(2), hasNewIds).asks("Four");
    const ofFork = await captured(keep(second), folder, 1);
    expect(ofFork.texts).toEqual(["start", "Four"]);
    expect(ofFork.events[0]?.content).toMatchObject({ parent: fork.id });
  },
);

it("what a fork copied from a transcript that is gone has the ids of that one", async () => {
  const folder = testFolder();
  const session = new Session({ cwd: folder }).asks("One");
  const fork = forkOf(session, forkId(1), true).asks("Two");
  const [path, original] = [join(folder, fork.file), join(folder, session.file)];
  writeFileSync(path, fork.text);
  const copied = await captured(path, folder, 1);
  expect(copied.texts).toEqual(["start", "One", "Two"]);
  expect(copied.events[0]?.content).toMatchObject({ parent: session.id });
  writeFileSync(original, session.text);
  const origins = (await captured(original, folder, 1)).events.map(({ origin }) => origin);
  expect(copied.events.map(({ origin }) => origin)).toContain(origins.at(-1));
});

it("a fork of a private session is private", async () => {
  const folder = testFolder();
  const session = new Session({ cwd: folder }).asks("<private-session>\nOne");
  const fork = forkOf(session, forkId(1), true).asks("Two");
  writeFileSync(join(folder, session.file), session.text);
  writeFileSync(join(folder, fork.file), fork.text);
  expect((await captured(join(folder, fork.file), folder, 1)).texts).toEqual([]);
});

it("who said a message is in its actor, and a message without a known speaker is understood", async () => {
  const folder = testFolder();
  const path = join(folder, "t.jsonl");
  const session = new Session({ cwd: folder })
    .asks("One", { origin: { kind: "human" } })
    .asks("Two", { origin: { kind: "peer" } })
    .asks("Three", { promptSource: "system" })
    .asks("Implement the following plan:\n# Four", { origin: { kind: "hologram" } })
    .add({ type: "queue-operation", operation: "enqueue", content: "<holo_gram>Five</holo_gram>" })
    .add({ type: "queue-operation", operation: "remove" });
  writeFileSync(path, session.text);
  const { events, report } = await captured(path, folder, 1);
  expect(events.filter(({ kind }) => kind !== "session").map(({ actor }) => actor)).toEqual([
    { type: "human", id: "user" },
    { type: "tool", id: "peer" },
    { type: "tool", id: "client" },
    { type: "tool", id: "unknown" },
    { type: "tool", id: "unknown" },
  ]);
  // The lines themselves were understood.
  expect(versionsNotUnderstood(report.understood, [{ name: "Claude Code", revision: 1 }])).toEqual(
    [],
  );
});
