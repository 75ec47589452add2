import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { geminiReader } from "./gemini.ts";
import { readJsonLine } from "./json-lines.ts";
import { targetOf } from "./tool-targets.ts";
import type { Fields } from "./transcript.ts";

const readGeminiLine = (text: string) => readJsonLine(text, geminiReader);

const read = (...lines: object[]) => lines.flatMap((line) => readGeminiLine(JSON.stringify(line)));
const said = (...lines: object[]) => read(...lines).flatMap(({ line }) => line?.says ?? []);
const message = (type: string, content: unknown, more: object = {}) => ({
  id: "b8bf5e9f",
  timestamp: "2026-11-20T09:00:00.000Z",
  type,
  content,
  ...more,
});

it("a person asks, and what the client adds is left out", () => {
  expect(
    said(
      message("user", [{ text: "<session_context>\nToday" }, { text: "Fix the VAT" }]),
      message("user", "And this"),
      message("user", [{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }]),
      message("info", "Update available"),
      message("info", "Request cancelled."),
    ),
  ).toMatchObject([
    { kind: "request", text: "Fix the VAT" },
    { kind: "request", text: "And this" },
    { kind: "request", text: "", voice: "user", images: [{ type: "image/png", bytes: 8 }] },
    { kind: "interruption" },
  ]);
});

it("an object at the end of a torn line isn't a line", () => {
  const damaged = { unknown: ["damaged"], isConversation: false };
  const part = { type: "thought", content: "Looking" };
  for (const whole of [{ $set: { sessionId: "s1" } }, message("gemini", [part])]) {
    const line = JSON.stringify(whole);
    const torn = line.slice(0, line.indexOf("}") + 1);
    expect(torn).not.toBe(line);
    expect(readGeminiLine(torn)).toEqual([damaged]);
  }
});

it("a message that is written again with its calls keeps its id, and its results count once", () => {
  const response = {
    functionResponse: { id: "c1", name: "read_file", response: { error: "File not found: /p/x" } },
  };
  const call = {
    id: "c1",
    name: "read_file",
    args: { file_path: "/p/x" },
    result: [response],
    status: "error",
  };
  const readings = read(
    message("gemini", "", { thoughts: [] }),
    message("gemini", "Looking.", { toolCalls: [call], thoughts: [{ subject: "x" }] }),
    message("user", [response]),
  );
  expect(readings.flatMap(({ line }) => line?.says ?? [])).toMatchObject([
    { kind: "reply", text: "Looking." },
    { kind: "call", call: "c1", tool: "read_file", input: { file_path: "/p/x" } },
    { kind: "answer", call: "c1", text: "File not found: /p/x", isError: true },
  ]);
  expect(readings.flatMap(({ unknown }) => unknown)).toEqual([]);
});

it("a history that is written again is a repetition, unless a summary takes its place", () => {
  const history = [
    message("user", "Fix the VAT", { id: "m1" }),
    message("gemini", "Done.", { id: "m2" }),
  ];
  const lines = read({ $set: { messages: history } }, { $set: { lastUpdated: "x" } }).flatMap(
    ({ line }) => line ?? [],
  );
  expect(lines).toMatchObject([
    { id: "m1", isRepetition: true, says: [{ kind: "request", text: "Fix the VAT" }] },
    { id: "m2", isRepetition: true, says: [{ kind: "reply", text: "Done." }] },
  ]);
  const snapshot = message("user", [{ text: "<state_snapshot>\nVAT is fixed\n</state_snapshot>" }]);
  expect(said({ $set: { messages: [snapshot, ...history] } })).toEqual([
    { kind: "compaction" },
    { kind: "summary", text: "VAT is fixed" },
  ]);
  const later = message("user", "And Norway", { id: "m3", timestamp: "2026-11-20T09:05:00.000Z" });
  expect(said({ $set: { messages: [snapshot, ...history, later] } }).slice(2)).toMatchObject([
    { text: "And Norway" },
  ]);
});

it("a request that names the tag of a summary stays a request", () => {
  const [tag, asked] = [
    "<state_snapshot>x</state_snapshot>",
    "Why do I see <state_snapshot>x</state_snapshot>?",
  ];
  const history = [
    message("user", asked, { id: "m1" }),
    message("gemini", `It is ${tag}`, { id: "m2" }),
  ];
  expect(said(...history)).toMatchObject([{ text: asked }, { kind: "reply" }]);
  expect(said({ $set: { messages: history } })).toMatchObject([{ text: asked }, { kind: "reply" }]);
  expect(said(message("user", tag, { displayContent: `${tag} why?` }))).toMatchObject([
    { text: `${tag} why?` },
  ]);
});

it("a message that holds nothing but what a program added is no request, and is understood", () => {
  const [reading] = read(message("user", "<sentinel-memory>\nOld lesson\n</sentinel-memory>"));
  expect(reading).toEqual({ unknown: [], isConversation: true });
});

it("of a request that names files the user's words count, and what the client shows of them before all", () => {
  const [marker, end] = ["--- Content from referenced files ---", "--- End of content ---"];
  const parts = [
    "explain @src/pay.ts",
    `\n${marker}`,
    "\nContent from @src/pay.ts:\n",
    "const a = 1;",
    `\n${end}`,
  ];
  const content = parts.map((text) => ({ text }));
  const image = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
  expect(
    said(
      message("user", content, { displayContent: [{ text: "explain @src/pay.ts please" }] }),
      message("user", content, { displayContent: "as a text" }),
      message("user", [...content, image]),
      message("user", parts.join("")),
      message("user", `why does ${marker} stand here?`),
    ),
  ).toMatchObject([
    { text: "explain @src/pay.ts please" },
    { text: "as a text" },
    { text: "explain @src/pay.ts", images: [{ type: "image/png" }] },
    { text: "explain @src/pay.ts" },
    { text: `why does ${marker} stand here?` },
  ]);
});

it("what was taken back was said all the same", () => {
  const [reading] = read({ $rewindTo: "b8bf5e9f" });
  expect(reading).toEqual({ unknown: [], isConversation: false });
});

function meaning(tool: string, input: Fields, text: string, details: Fields = {}) {
  const isError = details.status === "error" || details.status === "cancelled";
  return geminiReader.meaningOf(
    { call: "c", tool, input },
    { call: "c", text, isError, images: [], details },
  );
}

it("tasks and accepted plans are what they are for every client", () => {
  const todos = [{ description: "Test", status: "in_progress" }];
  expect(meaning("write_todos", { todos }, "ok").tasks).toEqual([
    { task: "Test", title: "Test", status: "doing" },
  ]);
  expect(
    meaning("exit_plan_mode", { plan_filename: "vat.md" }, "Plan approved. Go on.").decisions,
  ).toEqual([{ decision: "Plan accepted: vat.md", alternatives: [] }]);
  expect(
    targetOf({ call: "c", tool: "replace", input: { file_path: "/p/a.ts" } }, geminiReader),
  ).toMatchObject({
    edits: true,
  });
});

it("chats are found by the folder that the client wrote down, or by its hash; child agents name their session", async () => {
  const client = testFolder();
  const keep = (path: string, text = "") => {
    mkdirSync(join(client, "tmp", path, ".."), { recursive: true });
    writeFileSync(join(client, "tmp", path), text);
  };
  keep("app/.project_root", "/p/app");
  keep("app/chats/session-1.jsonl");
  keep("app/chats/parent/child.jsonl");
  keep("other/.project_root", "/q");
  keep("other/chats/session-2.jsonl");
  const hash = createHash("sha256").update("/p/early").digest("hex");
  keep(`${hash}/chats/session-3.jsonl`);
  const paths = await geminiReader.find(client, ["/p/app"]);
  expect(paths).toEqual([
    join(client, "tmp/app/chats/session-1.jsonl"),
    join(client, "tmp/app/chats/parent/child.jsonl"),
  ]);
  expect(await geminiReader.find(client, ["/p/early"])).toEqual([
    join(client, "tmp", hash, "chats/session-3.jsonl"),
  ]);
  expect(await geminiReader.frameOf?.(paths[0] ?? "", ["/p/app"], {})).toEqual({ cwd: "/p/app" });
  expect(await geminiReader.frameOf?.(paths[1] ?? "", ["/p/app"], {})).toEqual({
    session: "parent",
    cwd: "/p/app",
  });
});
