/** Each client played the same story; its files give the same events. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAll, story } from "../../../test/clients/read-recorded.ts";
import { type Client, PLACE, recordedFolder, TREE } from "../../../test/clients/recordings.ts";
import { CursorTranscript, cursorFolder } from "../../../test/support/cursor.ts";
import { testFolder } from "../../../test/support/in-test.ts";
import { READERS } from "../transcripts/readers.ts";
import { codexReader } from "./codex.ts";
import { cursorReader } from "./cursor.ts";
import { readJsonLine } from "./json-lines.ts";
import type { TranscriptReader } from "./transcript.ts";
import { vscodeReader } from "./vscode.ts";

/** We never ran Cursor, so nothing of it is recorded. VS Code played one turn, in a browser: its own test reads that. */
const RECORDED = READERS.filter((reader) => reader !== cursorReader && reader !== vscodeReader);
const CLIENTS = RECORDED.map((reader): [Client, TranscriptReader] => [
  reader.agent as Client,
  reader,
]);

const NAMING_BRANCHES: readonly Client[] = ["claude-code", "codex"];
const STORIES = [
  "norway",
  "child-agent",
  "compaction",
  "interruption",
  "subfolder",
  "worktree",
] as const;

const TRACES = /(?<![\w.<])\/(?:root|tmp|work|Users)\b.{0,40}|"api_?key"/i;

const edit = [
  { kind: "tool_call", by: "agent", path: "src/norway.ts", edits: true, refs: 0 },
  { kind: "tool_result", by: "tool", path: "src/norway.ts", edits: true, refs: 1 },
];
const shell = (command: string, result: object) => [
  { kind: "tool_call", by: "agent", command, refs: 0 },
  { kind: "tool_result", by: "tool", command, refs: 1, ...result },
];
const NORWAY = [
  { kind: "session", by: "agent", event: "start", refs: 0 },
  { kind: "message", by: "human", text: "Add VAT for Norway", refs: 0 },
  ...edit,
  ...shell("node check.mjs", { outcome: "failed", text: "1 check failed" }),
  ...edit,
  ...shell("node check.mjs", { text: "all checks pass", refs: 1 }),
  ...shell("seq 1 4000", { text: "long: true" }),
  { kind: "message", by: "agent", text: "Norway has a file of its own.", refs: 0 },
  { kind: "message", by: "human", text: "Now commit it", refs: 0 },
  ...shell('git add -A && git commit -m "Add Norway"', {
    commits: "Add Norway",
    text: "[main HASH] Add Norway\n 1 file changed, 1 insertion(+)\n create mode 100644 src/norway.ts",
  }),
  { kind: "message", by: "agent", text: "Committed.", refs: 0 },
];
const said = (by: "human" | "agent", text: string) => ({ kind: "message", by, text, refs: 0 });
const START = { kind: "session", by: "agent", event: "start", refs: 0 };
const COMPACTION = [
  START,
  said("human", "Look around"),
  said("agent", "Seen."),
  said("human", "Now go on with the rest"),
  ...shell("echo one", { text: "one" }),
  { kind: "session", by: "agent", event: "compact", refs: 0 },
  { kind: "summary", by: "agent", text: "We saw one.", refs: 0 },
  said("agent", "And all is done."),
  said("human", "What is left to do?"),
  said("agent", "Nothing."),
];
const STOPPED = said("human", "The user stopped the agent.");
const UNFINISHED = shell("touch begun && sleep 60", { by: "human", outcome: "refused_by_user" });
const INTERRUPTION = [
  START,
  said("human", "Look around"),
  said("agent", "I look."),
  ...UNFINISHED,
  STOPPED,
  said("human", "Now do without it"),
  said("agent", "And all is done."),
];
/** Gemini CLI writes down what it was doing after it was stopped. */
const LATE = INTERRUPTION.toSpliced(3, 3, STOPPED, ...UNFINISHED);
const BRIEF = [
  START,
  said("human", "Add VAT for Norway"),
  ...edit,
  said("agent", "Norway has a file."),
];

describe.each(CLIENTS)("%s", (client, reader) => {
  it("tells what happened, across a session that goes on", async () => {
    const read = await readAll(reader, recordedFolder(client, "norway"));
    expect(story(read)).toEqual(NORWAY);
    expect(new Set(read.events.map(({ session }) => session)).size).toBe(1);
  });

  it("tells a child agent from the agent, in one session", async () => {
    const read = await readAll(reader, recordedFolder(client, "child-agent"));
    expect(new Set(read.events.map(({ session }) => session)).size).toBe(1);
    const speakers = new Set(read.events.map(({ agent }) => agent.split("/").length));
    expect([...speakers].sort()).toEqual([1, 2]);
    const asked = story(read).filter((event) => "by" in event && event.by === "human");
    expect(asked).toEqual([{ kind: "message", by: "human", text: "How many files?", refs: 0 }]);
  });

  it("tells a compaction, and what the agent believed then, once", async () => {
    const read = await readAll(reader, recordedFolder(client, "compaction"));
    expect(story(read)).toEqual(COMPACTION);
  });

  it("tells that a person stopped it, and what came to nothing", async () => {
    const read = await readAll(reader, recordedFolder(client, "interruption"));
    expect(story(read)).toEqual(client === "gemini" ? LATE : INTERRUPTION);
  });

  it.each([
    ["subfolder", PLACE, `${PLACE}/src`, "main"],
    ["worktree", TREE, TREE, "tree"],
  ] as const)("tells where it was started: in a %s", async (told, worktree, cwd, branch) => {
    const read = await readAll(reader, recordedFolder(client, told));
    expect(story(read)).toEqual(BRIEF);
    const place = { worktree, cwd, ...(NAMING_BRANCHES.includes(client) && { branch }) };
    for (const event of read.events) {
      expect(event.place).toEqual(place);
    }
  });

  it.each(STORIES)("understands every line of %s", async (told) => {
    const { report } = await readAll(reader, recordedFolder(client, told));
    expect(report.unknown).toEqual({});
    expect(report.notRecorded).toMatchObject({ before: 0, whileOff: 0, skipped: 0, private: 0 });
    expect(report.lines).toBeGreaterThan(3);
  });

  it("was recorded without a trace of the machine", () => {
    const folder = dirname(recordedFolder(client, "norway"));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect(readFileSync(join(folder, file), "utf8").match(TRACES)).toBeNull();
    }
  });
});

describe("codex", () => {
  it("tells what a script of the model did with tools", async () => {
    const read = await readAll(codexReader, recordedFolder("codex", "script"));
    expect(story(read)).toMatchObject([
      { event: "start" },
      { text: "Add VAT for Norway" },
      { kind: "tool_call" },
      { kind: "tool_call", command: "node check.mjs" },
      { kind: "tool_result", command: "node check.mjs", outcome: "failed" },
      { kind: "tool_call", path: "src/norway.ts", edits: true },
      { kind: "tool_result", path: "src/norway.ts", edits: true },
      { kind: "tool_result" },
      { text: "Norway has a file." },
    ]);
    expect(read.report.unknown).toEqual({});
  });
});

/** Made up: see `test/support/cursor.ts`. */
describe("cursor", () => {
  const file = { path: `${PLACE}/src/norway.ts` };
  const norway = new CursorTranscript()
    .asks("Add VAT for Norway", "Friday, Nov 20, 2026, 10:00 AM (UTC+1)")
    .uses("Write", { ...file, contents: "export const vat = 24;\n" })
    .uses("Shell", { command: "node check.mjs", description: "see" })
    .uses("StrReplace", { ...file, old_string: "24", new_string: "25" })
    .uses("Shell", { command: "node check.mjs", description: "see" })
    .uses("Shell", { command: "seq 1 4000", description: "see" })
    .says("Norway has a file of its own.")
    .ends()
    .asks("Now commit it", "Friday, Nov 20, 2026, 10:00 AM (UTC+1)")
    .uses("Shell", { command: 'git add -A && git commit -m "Add Norway"', description: "see" })
    .says("Committed.")
    .ends();

  function kept(text: string): string {
    const client = testFolder();
    const folder = join(client, "projects", cursorFolder(PLACE), "agent-transcripts", "c1");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "c1.jsonl"), text);
    return client;
  }

  it("tells the same, but for what tools answered: that is in none of its files", async () => {
    const read = await readAll(cursorReader, kept(norway.text));
    const asked = NORWAY.filter(({ kind }) => kind !== "tool_result");
    expect(story(read)).toEqual(asked);
    expect(new Set(read.events.map(({ session }) => session))).toEqual(new Set(["c1"]));
    // All of a turn has one time there, so each event is a millisecond after the one before.
    const times = read.events.slice(1).map(({ ts }) => Date.parse(ts ?? ""));
    expect(times).toEqual(times.map((_, at) => Date.parse("2026-11-20T09:00:00.000Z") + at));
    expect(read.report).toMatchObject({
      unknown: {},
      lines: 12,
      notRecorded: { before: 0, whileOff: 0, unplaced: 0 },
    });
  });

  it("tells nothing of a session whose requests name no time", async () => {
    const { events, report } = await readAll(
      cursorReader,
      kept(new CursorTranscript().asks("Hi").says("Hello.").text),
    );
    expect(events).toEqual([]);
    expect(report.notRecorded).toMatchObject({ unplaced: 2 });
  });
});

/** A part of the conversation of an unknown type. */
const STRANGE: Readonly<Record<string, object>> = {
  codex: { type: "response_item", payload: { type: "hologram" } },
  vscode: { type: "assistant.hologram", data: {} },
  others: { type: "hologram", role: "hologram", message: {}, content: "x" },
};

describe.each(READERS)("$name", (reader) => {
  it("reads on behind half a line and what it does not know", () => {
    for (const line of ['{"role":"user","mess', '{"type":"user","type', "[]", "\0"]) {
      expect(readJsonLine(line, reader)).toMatchObject([{ unknown: ["damaged"] }]);
    }
    const strange = JSON.stringify(STRANGE[reader.agent] ?? STRANGE.others);
    const [reading] = readJsonLine(strange, reader);
    expect([reading?.line?.says ?? [], reading?.unknown.length]).toEqual([[], 1]);
  });
});
