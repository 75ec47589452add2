import { expect, it } from "vitest";
import { readJsonLine } from "./json-lines.ts";
import { opencodeReader, spoolLines } from "./opencode.ts";
import { targetOf } from "./tool-targets.ts";
import type { Fields } from "./transcript.ts";

const readOpencodeLine = (text: string) => readJsonLine(text, opencodeReader);

const SESSION = {
  id: "ses_dfde57ae9ffeiLIXYqeySniJug",
  directory: "/p",
  version: "1.18.33",
  time: { created: 1_000 },
};
const message = (role: string, parts: object[], more: object = {}) => ({
  info: { id: `msg_${role}`, role, time: { created: 2_000 }, ...more },
  parts,
});
const tool = (state: object) => ({ type: "tool", callID: "toolu_1", tool: "bash", state });

const always = () => true;

/** What the reader makes of messages that were handed over. */
function read(messages: object[], session: object = SESSION) {
  const [opening, ...lines] = spoolLines({ session, messages }, (fields) => fields, always).flatMap(
    (line) => readOpencodeLine(line),
  );
  return { opening, lines, says: lines.flatMap(({ line }) => line?.says ?? []) };
}

it("a session opens with its id, in a form that is not taken for a secret, and where it is", () => {
  expect(read([message("user", [])]).opening?.line).toMatchObject({
    session: "ses_dfde57ae9ffe-iLIXYqeySniJug",
    cwd: "/p",
    ts: "1970-01-01T00:00:01.000Z",
    says: [{ kind: "opening" }],
  });
  const child = { ...SESSION, id: "ses_dfde549bdffe7HY8MBYSvWeEYT", parentID: SESSION.id };
  expect(read([message("user", [])], child).opening?.line).toMatchObject({
    session: "ses_dfde57ae9ffe-iLIXYqeySniJug",
    childAgent: "ses_dfde549bdffe-7HY8MBYSvWeEYT",
  });
});

it("what is handed over is redacted, but for ids, names and times", () => {
  const redact = (fields: Fields, speech: string) =>
    Object.fromEntries(Object.keys(fields).map((key) => [key, `${speech} gone`]));
  const call = tool({
    status: "error",
    input: { token: "x" },
    error: "x",
    metadata: { secret: "x" },
    title: "x",
  });
  const parts = [
    { type: "text", text: "x", metadata: "x" },
    call,
    { type: "file", mime: "image/png", url: "data:x" },
  ];
  const lines = spoolLines(
    { session: { ...SESSION, title: "x" }, messages: [message("user", parts)] },
    redact,
    always,
  );
  expect(lines.join("\n")).not.toMatch(/"x"|data:x/);
  expect(JSON.parse(lines[1] ?? "").parts).toMatchObject([
    { type: "text", text: "message gone" },
    { callID: "toolu_1", input: "tool gone", error: "tool gone" },
    { type: "file" },
  ]);
});

it("what was said while nothing was to be recorded does not come into the spool", () => {
  const messages = [message("user", []), message("assistant", [], { time: { created: 3_000 } })];
  const sent = { session: SESSION, messages };
  const late = spoolLines(
    sent,
    (fields) => fields,
    (at, session) => at > 2_500 && session.startsWith("ses_dfde57ae9ffe-"),
  );
  expect(late.map((line) => JSON.parse(line).role)).toEqual([undefined, "assistant"]);
  expect(
    spoolLines(
      sent,
      (fields) => fields,
      () => false,
    ),
  ).toEqual([]);
});

it("an object at the end of a torn line isn't a line, but a whole line after it is", () => {
  const session = { ...SESSION, id: "ses_dfde549bdffe7HY8MBYSvWeEYT", parentID: SESSION.id };
  const [, line = ""] = spoolLines(
    { session, messages: [message("user", [{ type: "text", text: "Go" }])] },
    (fields) => fields,
    always,
  );
  const torn = line.slice(0, -"]}".length);
  expect(torn).toMatch(/\{"type":"text","text":"Go"\}$/);
  const damaged = { unknown: ["damaged"], isConversation: false };
  expect(readOpencodeLine(torn)).toEqual([damaged]);
  expect(readOpencodeLine(torn + line)).toMatchObject([
    damaged,
    { line: { says: [{ kind: "request", text: "Go" }] } },
  ]);
});

it("tools for files and tasks are what they are for every client", () => {
  expect(
    targetOf({ call: "c", tool: "edit", input: { filePath: "/p/a.ts" } }, opencodeReader),
  ).toMatchObject({
    edits: true,
  });
  const call = {
    call: "c",
    tool: "todowrite",
    input: { todos: [{ content: "Test", status: "completed" }] },
  };
  expect(
    opencodeReader.meaningOf(call, { call: "c", text: "", isError: false, images: [], details: {} })
      .tasks,
  ).toEqual([{ task: "Test", title: "Test", status: "done" }]);
});
