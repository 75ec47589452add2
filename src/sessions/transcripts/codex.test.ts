import { expect, it } from "vitest";
import { Rollout } from "../../../test/support/codex.ts";
import { codexReader } from "./codex.ts";
import { readJsonLine } from "./json-lines.ts";

const readCodexLine = (text: string) => readJsonLine(text, codexReader);

const read = (rollout: Rollout) =>
  rollout.lines.flatMap((line) => readCodexLine(JSON.stringify(line)));
const said = (rollout: Rollout) => read(rollout).flatMap(({ line }) => line?.says ?? []);

it("what the client adds to a request is left out, by its words or by what it says itself", () => {
  const rollout = new Rollout()
    .asks(
      "Fix it",
      "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>",
      "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nBe brief\n</INSTRUCTIONS>",
    )
    .asks("<turn_aborted>\nThe user interrupted\n</turn_aborted>")
    .item({
      type: "message",
      role: "user",
      content: ["Added", "Asked"].map((text) => ({ type: "input_text", text })),
      internal_chat_message_metadata_passthrough: {
        content_item_metadata: [
          { provenance: { type: "harness" } },
          { provenance: { type: "user" } },
        ],
      },
    })
    .item({
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "You are" }],
    })
    .asks(
      "<user_shell_command>\n<command>\ngit status\n</command>\n<result>\nclean\n</result>\n</user_shell_command>",
    );
  expect(said(rollout)).toMatchObject([
    { text: "Fix it" },
    { text: "Asked" },
    { text: "! git status" },
  ]);
});

it("an image is a note, without the frame that the client puts around it", () => {
  const content = [
    { type: "input_text", text: '<image name=[Image #1] path="/p/dot.png">' },
    { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
    { type: "input_text", text: "</image>" },
    { type: "input_text", text: "What is this?" },
  ];
  expect(said(new Rollout().item({ type: "message", role: "user", content }))).toEqual([
    {
      kind: "request",
      text: "What is this?",
      voice: "user",
      images: [{ type: "image/png", bytes: 8, sha256: expect.stringMatching(/^4c4b6a3b/) }],
    },
  ]);
});

it("a turn that the person stopped is an interruption", () => {
  const rollout = new Rollout()
    .event({ type: "turn_aborted", reason: "interrupted" })
    .event({ type: "turn_aborted", reason: "replaced" });
  expect(said(rollout)).toEqual([{ kind: "interruption" }]);
});

it("what a script of the model did is taken from what the screen showed, and nothing else of that is", () => {
  const command = {
    type: "CommandExecution",
    command: ["/bin/bash", "-lc", "npm test"],
    aggregated_output: "1 failed",
  };
  const rollout = new Rollout()
    .completed({ ...command, id: "call_of_a_model_00000001", status: "failed", exit_code: 1 })
    .completed({ ...command, id: "exec-2c159526", status: "failed", exit_code: 1 })
    .completed({
      type: "FileChange",
      id: "exec-226a7ee1",
      status: "completed",
      changes: { "/p/a.ts": {} },
      stdout: "M",
    })
    .completed({
      type: "McpToolCall",
      id: "exec-3",
      server: "s",
      tool: "t",
      status: "failed",
      error: { message: "no" },
    });
  expect(said(rollout)).toMatchObject([
    { kind: "call", call: "exec-2c159526", tool: "exec_command", input: { cmd: "npm test" } },
    {
      kind: "answer",
      call: "exec-2c159526",
      text: "1 failed",
      isError: true,
      details: { exit_code: 1 },
    },
    { kind: "call", tool: "apply_patch", input: { changes: { "/p/a.ts": {} } } },
    { kind: "answer", isError: false, text: "M" },
    { kind: "call", tool: "mcp__s__t" },
    { kind: "answer", isError: true, text: "no" },
  ]);
});

it("a call of an MCP server that failed is told before its answer, which says nothing of that", () => {
  const call = {
    type: "McpToolCall",
    server: "s",
    tool: "t",
    result: { content: [{ type: "text", text: "no" }] },
  };
  const rollout = new Rollout()
    .completed({ ...call, id: "call_of_a_model_00000001", status: "failed" })
    .uses("t", {}, [{ type: "input_text", text: "no" }], { namespace: "mcp__s" });
  const answers = read(rollout).flatMap(({ line }) =>
    line?.says.some(({ kind }) => kind === "answer") ? [line] : [],
  );
  expect(answers).toMatchObject([{ says: [{ isError: true }] }, { says: [{ isError: false }] }]);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(said(rollout)).toContainEqual({
    kind: "call",
    call: "call_of_a_model_00000001",
    tool: "mcp__s__t",
    input: {},
  });
});

it("ids that a provider counts in each session are not taken for the same", () => {
  const [one, other] = ["Hello", "Good day"].map((text) => {
    const content = [{ type: "output_text", text }];
    return read(
      new Rollout().item({ type: "message", role: "assistant", id: "msg_1", content }),
    ).at(-1)?.line?.id;
  });
  expect(one).not.toBe(other);
});

it("unknown types and forms are named, and count only where they are conversation", () => {
  const rollout = new Rollout()
    .add("hologram", { x: 1 })
    .item({ type: "telepathy" })
    .item({ type: "message", role: "assistant", content: [{ type: "smell" }] })
    .event({ type: "sound" });
  const readings = read(rollout).slice(1);
  expect(readings.map(({ unknown }) => unknown)).toEqual([
    [],
    ["response_item/telepathy"],
    ["assistant/smell"],
    [],
  ]);
  expect(readings.map(({ isConversation }) => isConversation)).toEqual([false, true, true, false]);
});

it("a search of the web is a call with what was searched, or the page that was opened, and how it ended", () => {
  const rollout = new Rollout()
    .item({
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query: "vat", queries: ["vat"] },
    })
    .item({
      type: "web_search_call",
      id: "ws_1",
      status: "failed",
      action: { type: "open_page", url: "https://a.test" },
    })
    .item({ type: "web_search_call", status: "completed" })
    .item({ type: "image_search_call", status: "completed" });
  expect(said(rollout)).toMatchObject([
    {
      kind: "call",
      tool: "web_search",
      input: { type: "search", query: "vat", queries: ["vat"], status: "completed" },
    },
    {
      kind: "call",
      call: "ws_1",
      tool: "web_search",
      input: { url: "https://a.test", status: "failed" },
    },
    { kind: "call", tool: "web_search", input: { status: "completed" } },
  ]);
  expect(read(rollout).flatMap(({ unknown }) => unknown)).toEqual([
    "response_item/image_search_call",
  ]);
});

it("what an editor adds to a request is taken off it", () => {
  const setup =
    "# Context from my IDE setup:\n\n## Active file: src/vat.ts\n\n## Open tabs:\n- vat.ts: src/vat.ts\n\n";
  const rollout = new Rollout()
    .asks(
      `${setup}## My request for Codex:\nFix the VAT\n\n## My request for Codex:\nis a heading here`,
    )
    .asks(`${setup}## My request:\nGo on`)
    .asks(setup)
    .asks("What does\n# Context from my IDE setup:\nmean?");
  expect(said(rollout)).toMatchObject([
    { text: "Fix the VAT\n\n## My request for Codex:\nis a heading here" },
    { text: "Go on" },
    { text: "What does\n# Context from my IDE setup:\nmean?" },
  ]);
});
