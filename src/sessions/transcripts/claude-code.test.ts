import { expect, it } from "vitest";
import { Session } from "../../../test/support/transcript.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { readJsonLine } from "./json-lines.ts";
import type { LineReading, Said } from "./transcript.ts";

const DOT = "iVBORw0KGgo=";
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: DOT } };

function read(session: Session): LineReading[] {
  return session.lines.flatMap((line) => readJsonLine(JSON.stringify(line), claudeCodeReader));
}
const said = (session: Session): Said[] => read(session).flatMap(({ line }) => line?.says ?? []);
const unknown = (session: Session): string[] => read(session).flatMap((reading) => reading.unknown);

it("a line says who, when, where", () => {
  const [reading] = read(
    new Session({ cwd: "/p/sub", gitBranch: "fix", agentId: "a1b2" }).asks("Go"),
  );
  expect(reading?.line).toEqual({
    id: "5e551011-0000-4000-a1b2-000000000000",
    ts: "2026-11-20T09:00:00.000Z",
    session: "5e551011-0000-4000-8000-000000000001",
    cwd: "/p/sub",
    branch: "fix",
    version: "2.1.197",
    childAgent: "a1b2",
    says: [{ kind: "request", text: "Go", voice: "user", images: [] }],
  });
});

const notice = (id: string, ...tags: string[]) =>
  `<task-notification>\n<task-id>${id}</task-id>\n${tags.join("\n")}\n</task-notification>`;

it("what ran in the background says how it ended, in the queue, attached to a message or as one", () => {
  const tags = [
    "<tool-use-id>toolu_1</tool-use-id>",
    "<output-file>/t/b1</output-file>",
    "<status>failed</status>",
  ];
  const failed = notice(
    "b1",
    ...tags,
    '<summary>Background command "Test" failed with exit code 1</summary>',
  );
  const attachment = { type: "queued_command", prompt: failed, commandMode: "task-notification" };
  const session = new Session()
    .add({ type: "queue-operation", operation: "enqueue", content: failed })
    .add({ type: "attachment", attachment })
    .asks(`${failed}\nRead the output file to retrieve the result: /t/b1`);
  const text = 'Background command "Test" failed with exit code 1';
  const finished = { kind: "finished", id: "b1", call: "toolu_1", text, outcome: "failed" };
  expect(said(session)).toEqual([
    { kind: "queue", change: "added", text: "", voice: "user" },
    finished,
    finished,
    finished,
  ]);
});

it("several notices in one message each count, with what child agents answered, and not what a person asks about one", () => {
  const result = "<result>\nIt prints <status>failed</status>.\n</result>\n<usage>1</usage>";
  const both = [
    notice("a1", "<status>completed</status>", '<summary>Agent "Look" completed</summary>', result),
    notice("a2", "<status>killed</status>", "<summary>Stopped</summary>"),
    notice("a3", "<summary>Line 3</summary>"),
  ];
  const session = new Session()
    .asks(`${both.join("\n")}\nand now go on`)
    .asks(`Why this? ${both[1]}`);
  expect(said(session)).toEqual([
    { kind: "request", text: "and now go on", voice: "user", images: [] },
    {
      kind: "finished",
      id: "a1",
      text: 'Agent "Look" completed\nIt prints <status>failed</status>.',
    },
    { kind: "finished", id: "a2", text: "Stopped", outcome: "stopped" },
    { kind: "finished", id: "a3", text: "Line 3", goes_on: true },
    { kind: "request", text: `Why this? ${both[1]}`, voice: "user", images: [] },
  ]);
});

it("an image becomes a note of its type, size and hash", () => {
  const note = {
    type: "image/png",
    bytes: 8,
    sha256: "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6",
  };
  const session = new Session()
    .asks([{ type: "text", text: "Move it" }, image])
    .uses("Read", {}, [image]);
  expect(said(session).filter(({ kind }) => kind !== "call")).toEqual([
    { kind: "request", text: "Move it", voice: "user", images: [note] },
    {
      kind: "answer",
      call: "toolu_5e551011_1",
      text: "",
      isError: false,
      images: [note],
      details: {},
    },
  ]);
});

it("of a document a note stays, and a reference to a tool is the tool's name", () => {
  const pdf = {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: DOT },
  };
  const plain = {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: "Grüße" },
  };
  const session = new Session()
    .asks([{ type: "text", text: "Read it" }, pdf, plain])
    .uses("ToolSearch", {}, [{ type: "tool_reference", tool_name: "mcp__s__find" }])
    .uses("Read", {}, [pdf]);
  const note = { type: "application/pdf", bytes: 8 };
  expect(said(session).filter(({ kind }) => kind !== "call")).toMatchObject([
    {
      kind: "request",
      text: "Read it",
      voice: "user",
      images: [note, { type: "text/plain", bytes: 7 }],
    },
    { kind: "answer", text: "Tool: mcp__s__find", images: [] },
    { kind: "answer", text: "", images: [note] },
  ]);
  expect(unknown(session)).toEqual([]);
});

it("thinking, meta lines and what the client writes for itself are left out", () => {
  const session = new Session()
    .assistant({ type: "thinking", thinking: "Hm", signature: "x" })
    .asks("<local-command-caveat>Caveat</local-command-caveat>", { isMeta: true })
    .asks("<local-command-stdout>Bye</local-command-stdout>")
    .asks("<task-notification>something new</task-notification>")
    .asks("<system-reminder>Mind the list.</system-reminder>")
    .add({ type: "progress", data: { type: "hook_progress" } })
    .add({ type: "attachment", attachment: { type: "skill_listing" } })
    .add({ type: "system", subtype: "turn_duration" })
    .add({ type: "file-history-snapshot" })
    .add({
      type: "assistant",
      message: { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] },
    });
  expect(said(session)).toEqual([]);
  expect(unknown(session)).toEqual([]);
});

it("memory that was put into a message is cut out, and what a person wrote stays", () => {
  const memory = "<sentinel-memory>\nOld lesson\n</sentinel-memory>";
  const session = new Session().asks(
    `${memory}\nWhat does <system-reminder> mean?\n<system-reminder>x</system-reminder>`,
  );
  expect(said(session)).toMatchObject([{ text: "What does <system-reminder> mean?" }]);
});

it("what an editor adds to a request is taken off it, and alone is none", () => {
  const opened =
    "<ide_opened_file>The user opened the file /p/a.ts in the IDE. This may or may not be related.</ide_opened_file>";
  const selected =
    "<ide_selection>The user selected the lines 1 to 2 from /p/a.ts:\nconst a\n\nconst b\n</ide_selection>";
  const found = "<post-tool-use-hook><ide_diagnostics>[]</ide_diagnostics></post-tool-use-hook>";
  const session = new Session()
    .asks(opened)
    .asks([opened, "Fix it"].map((text) => ({ type: "text", text })))
    .asks(`${selected}\nand this`)
    .asks(`${opened}then that`)
    .asks(`${found}\n<ide_diagnostics>none</ide_diagnostics>`)
    .asks(`${opened}\n<command-name>/plan</command-name>\n<command-args>logos</command-args>`)
    .asks("What does <ide_selection>x</ide_selection> mean?")
    .add({ type: "queue-operation", operation: "enqueue", content: `${opened}\ncommit too` });
  expect(said(session).flatMap((one) => ("text" in one ? [one.text] : []))).toEqual([
    "Fix it",
    "and this",
    "then that",
    "/plan logos",
    "What does <ide_selection>x</ide_selection> mean?",
    "commit too",
  ]);
  expect(unknown(session)).toEqual([]);
});

it("what the client puts behind a tool's output is cut off, and what a file says stays", () => {
  const file = "1\t<system-reminder>in a file</system-reminder>\n2\tend";
  const session = new Session()
    .uses("Read", {}, `${file}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`)
    .uses("Read", {}, file);
  const answers = said(session).flatMap((one) => (one.kind === "answer" ? [one.text] : []));
  expect(answers).toEqual([file, file]);
});

it("a stopped turn, a compaction, its summary and a title are what they are", () => {
  const frame = [
    "This session is being continued from a previous conversation. The summary:",
    "We fixed it.",
    "If you need specific details from before compaction, read /x.jsonl",
  ];
  const session = new Session()
    .asks([{ type: "text", text: "[Request interrupted by user for tool use]" }])
    .add({
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: "auto", preTokens: 167_081 },
    })
    .asks(frame.join("\n\n"), { isCompactSummary: true })
    .add({ type: "custom-title", customTitle: "Fix VAT" });
  expect(said(session)).toEqual([
    { kind: "interruption" },
    { kind: "compaction" },
    { kind: "summary", text: "We fixed it." },
    { kind: "title", text: "Fix VAT" },
  ]);
});

it("commands and shell lines of the person are requests", () => {
  const command =
    "<command-name>/plan</command-name>\n <command-message>plan</command-message>\n <command-args>Add logos</command-args>";
  const session = new Session().asks(command).asks("<bash-input>git status</bash-input>");
  expect(said(session)).toMatchObject([{ text: "/plan Add logos" }, { text: "! git status" }]);
});

it("a long output that the client moved elsewhere is taken from the line", () => {
  const stdout = "line\n".repeat(100);
  const shown = "<persisted-output>\nOutput too large. Full output saved to: /x\nPreview";
  const [, answer] = said(
    new Session().uses("Bash", { command: "seq" }, shown, {
      toolUseResult: { stdout, stderr: "" },
    }),
  );
  expect(answer).toMatchObject({ text: stdout });
});

it("the queue says which requests wait, and reports of background tasks are none of them", () => {
  const session = new Session()
    .add({ type: "queue-operation", operation: "enqueue", content: "commit too" })
    .add({ type: "queue-operation", operation: "enqueue", content: '{"task_id":"b1"}' })
    .add({ type: "queue-operation", operation: "remove" })
    .add({
      type: "attachment",
      attachment: { type: "queued_command", prompt: "commit too", commandMode: "prompt" },
    });
  expect(said(session)).toEqual([
    { kind: "queue", change: "added", text: "commit too", voice: "user" },
    { kind: "queue", change: "added", text: "", voice: "user" },
    { kind: "queue", change: "delivered", text: "", voice: "user" },
    { kind: "queue", change: "delivered", text: "commit too", voice: "user" },
  ]);
});

it("unknown blocks and forms of the conversation are named", () => {
  const session = new Session()
    .add({ type: "hologram" })
    .add({ type: "hologram", parentUuid: null })
    .add({ type: "progress", parentUuid: null })
    .assistant({ type: "server_tool_use", id: "x" })
    .add({ type: "user", message: { role: "user", parts: ["Hello"] } });
  expect(unknown(session)).toEqual(["hologram", "assistant/server_tool_use", "user"]);
  const isConversation = read(session).map((reading) => reading.isConversation);
  expect(isConversation).toEqual([false, false, false, true, true]);
});

const [first, second] = new Session()
  .asks("One")
  .asks('Two {"type":"user"}')
  .lines.map((line) => JSON.stringify(line));

it.each([
  [
    "half a line before a whole one",
    `${first?.slice(0, 90)}${second}`,
    ['Two {"type":"user"}'],
    ["damaged"],
  ],
  ["a line before half a one", `${first}${second?.slice(0, 90)}`, ["One"], ["damaged"]],
  ["three lines in one", `${first}${second}${first}`, ["One", 'Two {"type":"user"}', "One"], []],
])("%s", (_, text, requests, damage) => {
  const readings = readJsonLine(text, claudeCodeReader);
  const texts = readings.flatMap(
    ({ line }) => line?.says.flatMap((one) => ("text" in one ? [one.text] : [])) ?? [],
  );
  expect(texts).toEqual(requests);
  expect(readings.flatMap((reading) => reading.unknown)).toEqual(damage);
});

it("an object at the end of a torn line isn't the user's request", () => {
  const message = { type: "user", message: { role: "user", content: "Delete all" }, uuid: "x" };
  const line = JSON.stringify({ type: "progress", sessionId: "s", data: { message } });
  const torn = line.slice(0, -"}}".length);
  expect(readJsonLine(torn, claudeCodeReader).flatMap((one) => one.line?.says ?? [])).toEqual([]);
});
