import { expect, it } from "vitest";
import { readAll, story } from "../../../test/clients/read-recorded.ts";
import { PLACE } from "../../../test/clients/recordings.ts";
import { jsonLinesIn } from "../../ground/files/read-files.ts";
import { readJsonLine } from "./json-lines.ts";
import { targetOf } from "./tool-targets.ts";
import { vscodeReader } from "./vscode.ts";

const RECORDED = "test/clients/recordings/vscode/turn";
const reader = {
  ...vscodeReader,
  find: (folder: string) => jsonLinesIn(folder),
  frameOf: async () => ({ session: "2becf836-2f9a-4720-a2b7-18aa3440259a", cwd: PLACE }),
};

it("tells what happened in a turn that VS Code wrote down", async () => {
  const read = await readAll(reader, RECORDED);
  const command = "npm publish --dry-run";
  const path = "src/norway.ts";
  expect(story(read)).toEqual([
    { kind: "session", by: "agent", event: "start", refs: 0 },
    { kind: "message", by: "human", text: "Work on billing and VAT", refs: 0 },
    { kind: "tool_call", by: "agent", command, refs: 0 },
    { kind: "tool_result", by: "tool", command, text: "", refs: 1 },
    { kind: "tool_call", by: "agent", path, edits: true, refs: 0 },
    { kind: "tool_result", by: "tool", path, edits: true, refs: 1 },
    { kind: "message", by: "agent", text: "Norway has a file.", refs: 0 },
    { kind: "message", by: "agent", text: "Nothing to add.", refs: 0 },
  ]);
  expect(new Set(read.events.map(({ agent }) => agent))).toEqual(new Set(["vscode"]));
  expect(read.report.unknown).toEqual({});
});

const event = (type: string, data: object) =>
  readJsonLine(
    JSON.stringify({ type, data, id: "1", timestamp: "2026-11-29T20:21:49.197Z" }),
    vscodeReader,
  );

it("names what it does not know, and leaves out thoughts and frames", () => {
  expect(event("user.voice", {})[0]).toMatchObject({
    unknown: ["user.voice"],
    isConversation: true,
  });
  expect(event("user.message", {})[0]?.unknown).toEqual(["user.message"]);
  expect(event("assistant.message", { content: "", toolRequests: [{}] })[0]?.unknown).toEqual([
    "assistant/toolRequest",
  ]);
  const thought = event("assistant.message", {
    content: "Yes.",
    reasoningText: "Hm.",
    toolRequests: [],
  });
  expect(thought[0]).toMatchObject({
    line: { says: [{ kind: "reply", text: "Yes." }] },
    unknown: [],
  });
  expect(event("assistant.turn_end", { turnId: "0" })[0]).toEqual({
    unknown: [],
    isConversation: false,
  });
});

it("takes a request that is only markup for the user's", () => {
  const content = "<my-widget>make this element blue</my-widget>";
  expect(event("user.message", { content })).toMatchObject([
    { line: { says: [{ kind: "request", text: content, voice: "user" }] }, unknown: [] },
  ]);
});

it("tells a call that failed, without knowing of what", () => {
  const [reading] = event("tool.execution_complete", { toolCallId: "c", success: false });
  expect(reading?.line?.says).toMatchObject([
    { kind: "answer", call: "c", isError: true, text: "" },
  ]);
  const answer = { call: "c", text: "", isError: true, images: [], details: {} };
  const call = { call: "c", tool: "run_in_terminal", input: {} };
  expect(vscodeReader.meaningOf(call, answer)).toEqual({ text: "", outcome: "failed" });
});

it("tells the files of calls that change several", () => {
  const target = (tool: string, input: object) =>
    targetOf({ call: "c", tool, input: { ...input } }, vscodeReader);
  const replacements = [{ filePath: "/a.ts" }, { filePath: "/b.ts" }, { filePath: "/a.ts" }];
  const several = { path: "/a.ts", other_paths: ["/b.ts"], edits: true };
  expect(target("multi_replace_string_in_file", { replacements })).toEqual(several);
  const patch = "*** Begin Patch\n*** Update File: /a.ts\n*** Add File: /b.ts\n*** End Patch";
  expect(target("apply_patch", { input: patch })).toEqual(several);
  expect(target("read_file", { filePath: "/a.ts" })).toEqual({ path: "/a.ts" });
  expect(target("runSubagent", { prompt: "Count the files." })).toEqual({
    child_task: "Count the files.",
  });
});
