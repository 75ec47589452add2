import { expect, it } from "vitest";
import { CursorTranscript } from "../../../test/support/cursor.ts";
import { cursorReader, timeInWords } from "./cursor.ts";
import { readJsonLine } from "./json-lines.ts";
import { targetOf } from "./tool-targets.ts";

const readCursorLine = (text: string) => readJsonLine(text, cursorReader);

const TIME = "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)";
const read = (transcript: CursorTranscript) =>
  transcript.lines.flatMap((line) => readCursorLine(JSON.stringify(line)));
const said = (transcript: CursorTranscript) =>
  read(transcript).flatMap(({ line }) => line?.says ?? []);
const made = () => new CursorTranscript();

it("a person asks, at a time; what the client adds is left out", () => {
  const readings = read(
    made()
      .asks("Fix the VAT", TIME)
      .add("user", [{ type: "text", text: "<user_info>\nOS: linux\n</user_info>" }])
      .add("user", "Asked of an older version"),
  );
  expect(readings.map(({ line }) => line?.says)).toEqual([
    [{ kind: "request", text: "Fix the VAT", voice: "user", images: [] }],
    undefined,
    [{ kind: "request", text: "Asked of an older version", voice: "user", images: [] }],
  ]);
  expect(readings[0]?.line).toMatchObject({ ts: "2026-07-21T10:11:00.000Z" });
  expect(readings[2]?.line).not.toHaveProperty("ts");
  expect(readings[1]?.unknown).toEqual([]);
});

it("a request that is only markup is the user's", () => {
  const text = "<my-widget>make this element blue</my-widget>";
  const readings = read(made().asks(text, TIME));
  expect(readings[0]?.line?.says).toMatchObject([{ kind: "request", text, voice: "user" }]);
  expect(readings[0]?.unknown).toEqual([]);
});

it("a time in a request is the person's own, but for the first one", () => {
  const pasted = `See <timestamp>${TIME}</timestamp>`;
  expect(read(made().add("user", pasted))[0]?.line).toMatchObject({ says: [{ text: pasted }] });
  expect(read(made().add("user", pasted))[0]?.line).not.toHaveProperty("ts");
});

it("a reminder of ours is nobody's request", () => {
  const reminder = "<sentinel-memory>\nYou changed vat.ts and logged nothing.\n</sentinel-memory>";
  expect(said(made().asks(reminder, TIME))).toEqual([]);
});

it("every line that is left of hidden thinking goes", () => {
  const text = "Looking.\n\n[REDACTED]\n\n[REDACTED]\nIt says [REDACTED] there.\n[REDACTED]";
  expect(said(made().add("assistant", [{ type: "text", text }]))).toEqual([
    { kind: "reply", text: expect.stringMatching(/^Looking\.\s+It says \[REDACTED\] there\.$/) },
  ]);
});

it("an agent speaks and calls; what is left of its thinking is not said", () => {
  const transcript = made()
    .says("Looking.")
    .add("assistant", [{ type: "text", text: "[REDACTED]" }])
    .add("assistant", [
      { type: "text", text: "Now both." },
      { type: "tool_use", name: "Shell", input: { command: "npm test" } },
      {
        type: "tool_use",
        name: "ApplyPatch",
        input: "*** Begin Patch\n*** Update File: a.ts\n*** End Patch",
      },
    ])
    .ends();
  expect(said(transcript)).toEqual([
    { kind: "reply", text: "Looking." },
    { kind: "reply", text: "Now both." },
    { kind: "call", call: "1", tool: "Shell", input: { command: "npm test" } },
    {
      kind: "call",
      call: "2",
      tool: "ApplyPatch",
      input: { patch: expect.stringContaining("a.ts") },
    },
  ]);
  expect(read(transcript).flatMap((reading) => reading.unknown)).toEqual([]);
});

it("a turn that its person stopped is an interruption; one that failed is not", () => {
  expect(said(made().ends("error", { error: "User aborted request" }))).toEqual([
    { kind: "interruption" },
  ]);
  expect(said(made().ends("aborted"))).toEqual([{ kind: "interruption" }]);
  expect(said(made().ends("error", { error: "Rate limit" }))).toEqual([]);
});

it("is lenient: what it does not know is counted by type, and welded lines are taken apart", () => {
  const strange = made()
    .add("assistant", [{ type: "hologram" }, { type: "text", text: "Still said." }])
    .add("user", [{ type: "tool_result", content: "ok" }])
    .add("critic", [{ type: "text", text: "?" }])
    .asks("When?", "yesterday");
  expect(read(strange).flatMap(({ unknown }) => unknown)).toEqual([
    "assistant/hologram",
    "user/tool_result",
    "critic",
    "user/timestamp",
  ]);
  expect(said(strange)).toMatchObject([{ text: "Still said." }, { text: "When?" }]);
  const [one, two] = made()
    .says("One.")
    .says("Two.")
    .lines.map((line) => JSON.stringify(line));
  expect(readCursorLine(`${one}${two}`).flatMap(({ line }) => line?.says)).toMatchObject([
    { text: "One." },
    { text: "Two." },
  ]);
  expect(readCursorLine('{"role":"assistant","mess')[0]).toMatchObject({
    unknown: ["damaged"],
    isConversation: false,
  });
});

it.each([
  ["Write", { path: "/p/a.ts", contents: "x" }, { path: "/p/a.ts", edits: true }],
  [
    "StrReplace",
    { path: "/p/a.ts", old_string: "x", new_string: "y" },
    { path: "/p/a.ts", edits: true },
  ],
  ["Read", { path: "/p/a.ts" }, { path: "/p/a.ts" }],
  ["Grep", { pattern: "vat", path: "/p" }, {}],
  ["Task", { prompt: "Count the files." }, { child_task: "Count the files." }],
  [
    "ApplyPatch",
    { patch: "*** Begin Patch\n*** Add File: a.ts\n*** Delete File: b.ts\n*** End Patch" },
    { path: "a.ts", other_paths: ["b.ts"], edits: true },
  ],
])("%s says what it works on", (tool, input, target) => {
  expect(targetOf({ call: "0", tool, input }, cursorReader)).toEqual({ ...target });
});

it.each([
  [TIME, "2026-07-21T10:11:00.000Z"],
  ["Sunday, Aug 2, 2026, 12:51 AM (UTC-7)", "2026-08-02T07:51:00.000Z"],
  ["Sunday, August 2, 2026, 12:05\u202fPM (UTC+5:30)", "2026-08-02T06:35:00.000Z"],
  ["Sunday, Aug 2, 2026, 3:51 AM (UTC)", "2026-08-02T03:51:00.000Z"],
  ["Sunday, Aug 2, 2026, 3:51 AM", undefined],
])("%s is %s", (words, time) => {
  expect(timeInWords(words)).toBe(time);
});
