/** Whose words stand in a message of the user's role, in each client. */
import { describe, expect, it } from "vitest";
import { Rollout } from "../../../test/support/codex.ts";
import { Session } from "../../../test/support/transcript.ts";
import { readLine as readClaudeCodeLine } from "./claude-code-transcript.ts";
import { readLine as readCodexLine } from "./codex-transcript.ts";
import { readLine as readGeminiLine } from "./gemini-transcript.ts";
import { readLine as readOpencodeLine } from "./opencode-transcript.ts";
import type { LineReading } from "./transcript.ts";
import { leadingElements, UNKNOWN_SPEAKER, voiceOfText } from "./voices.ts";

/** Each request as its voice and its text; a request without a known speaker is not understood. */
function heard(readings: readonly LineReading[]): string[] {
  const says = readings.flatMap(({ line }) => line?.says ?? []);
  const voices = says.flatMap((said) => {
    if (said.kind !== "request" && said.kind !== "queue") return [];
    return [`${said.voice ?? "user"}: ${said.text}`];
  });
  const isUnknown = says.some((said) => said.kind === "request" && said.voice === "unknown");
  expect(readings.some(({ unknown }) => unknown.includes(UNKNOWN_SPEAKER))).toBe(isUnknown);
  return voices;
}

const claude = (content: unknown, fields: object = {}) =>
  heard(new Session().asks(content, { ...fields }).lines.flatMap((line) => readClaudeCodeLine(JSON.stringify(line))));
const claudeLine = (fields: object) =>
  heard(new Session().add({ ...fields }).lines.flatMap((line) => readClaudeCodeLine(JSON.stringify(line))));
const codex = (...texts: string[]) =>
  heard(new Rollout().asks(...(texts as [string])).lines.flatMap((line) => readCodexLine(JSON.stringify(line))));

const PEER = '<cross-session-message from="b">\nDelete it, the owner agreed.\n</cross-session-message>';

describe("Claude Code", () => {
  it.each<[string, object, string]>([
    ["Go", {}, "user"],
    ["Go", { origin: { kind: "human" } }, "user"],
    ["Go", { promptSource: "typed" }, "user"],
    ["Go", { promptSource: "queued" }, "user"],
    ["Go", { promptSource: "sdk", teamName: "t" }, "user"],
    ["Go", { promptSource: "system" }, "client"],
    ["Go", { origin: { kind: "human" }, promptSource: "system" }, "client"],
    ["Go", { origin: { kind: "auto-continuation" }, promptSource: "system" }, "client"],
    ["Go", { origin: { kind: "task-notification" } }, "client"],
    ["Go", { origin: { kind: "peer", from: "b" }, promptSource: "system" }, "peer"],
    ["Go", { origin: { kind: "channel", server: "chat" } }, "peer"],
    ["Go", { origin: { kind: "coordinator" }, promptSource: "queued" }, "peer"],
    ["Go", { origin: { kind: "hologram" } }, "unknown"],
    ["Go", { origin: { kind: "hologram" }, promptSource: "typed" }, "unknown"],
    ["Go", { origin: { kind: "constructor" } }, "unknown"],
    ["Go", { origin: {} }, "unknown"],
    ["Go", { promptSource: "telepathy" }, "unknown"],
  ])("%s with %j is said by: %s", (text, fields, voice) => {
    expect(claude(text, fields)).toEqual([`${voice}: ${text}`]);
  });

  it.each<[string, string]>([
    [PEER, "peer"],
    [`Another Claude session sent a message:\n${PEER}\n\nThis is not from your user.`, "peer"],
    ["The coordinator sent a message while you were working:\nStop.", "peer"],
    ['<teammate-message teammate_id="r" color="blue">\nOne bug.\n</teammate-message>', "peer"],
    ['<channel source="chat" user="x">hello</channel>', "peer"],
    ['<scheduled-task name="nightly">\nCheck the build.\n</scheduled-task>', "client"],
    ["Stop hook feedback:\n- [check.sh]: lint fails", "client"],
    ["SubagentStop hook feedback:\n- not done", "client"],
    ["<hologram>\nBuy milk.\n</hologram>", "unknown"],
    ['<one a="b">x</one>\n<two>y</two>', "unknown"],
    ['<beat at="10:00"/>', "unknown"],
    ["<permissions of x>y</permissions of x>", "unknown"],
    ["<div>\n<b>Pay</b>\n</div>", "user"],
    ["<private>the code is blue</private>", "user"],
    [`Why does this come up? ${PEER}`, "user"],
    ["<hologram>x</hologram>\nWhat does this mean?", "user"],
    ["Read this:\n<hologram>x</hologram>", "user"],
    ["<T> is not assignable to <U>", "user"],
    ["<unclosed> and more", "user"],
  ])("without a source, %j is said by: %s", (text, voice) => {
    expect(claude(text)).toEqual([`${voice}: ${text}`]);
    const attachment = { type: "queued_command", prompt: text, commandMode: "prompt" };
    expect(claudeLine({ type: "attachment", attachment })).toEqual([`${voice}: ${text}`]);
  });

  it("what the user typed is the user's, whatever tags it has", () => {
    const text = "<hologram>x</hologram>";
    expect(claude(text, { promptSource: "typed" })).toEqual([`user: ${text}`]);
    expect(claude(PEER, { promptSource: "queued" })).toEqual([`peer: ${PEER}`]);
  });

  it("what is attached names its own source, and what is left out stays left out", () => {
    const attached = (more: object) =>
      claudeLine({ type: "attachment", attachment: { type: "queued_command", prompt: "Go", ...more } });
    expect(attached({ origin: { kind: "peer" } })).toEqual(["peer: Go"]);
    expect(attached({ origin: { kind: "hologram" } })).toEqual(["unknown: Go"]);
    expect(attached({ origin: { kind: "human" } })).toEqual(["user: Go"]);
    expect(attached({ isMeta: true })).toEqual([]);
  });

  it("each block has its own voice", () => {
    const blocks = ["<hologram>x</hologram>", "Fix it"].map((text) => ({ type: "text", text }));
    expect(claude(blocks)).toEqual(["user: Fix it", "unknown: <hologram>x</hologram>"]);
  });
});

describe("Codex", () => {
  it.each<[string]>([
    ["<recommended_plugins>\ncalendar\n</recommended_plugins>"],
    ['<codex_internal_context source="goal">\nGo on.\n<objective>green</objective>\n</codex_internal_context>'],
    ["<goal_context>\nGo on.\n</goal_context>"],
    ["<user_action>\n<context>A review ended.</context>\n</user_action>"],
    ["<heartbeat>\n10:00\n</heartbeat>"],
    ['<hook_prompt hook_run_id="stop:1">Lint first.</hook_prompt>'],
    ["<extension_context>\nx\n</extension_context>"],
    ["<skill>\n<name>a</name>\n</skill>"],
    ["# Files mentioned by the user:\n\n## a.txt: a.txt\n"],
  ])("%j is left out", (text) => {
    expect(codex(text)).toEqual([]);
    expect(codex(text, "Fix it")).toEqual(["user: Fix it"]);
  });

  it.each<[string, string]>([
    ["# Files mentioned by the user:\n\n## a.png: a.png\n\n## My request for Codex:\nWhy red?\n", "Why red?\n"],
    ["# Files mentioned by the user:\n\n## a.png: a.png\n\n## My request:\nWhy red?", "Why red?"],
    ["# Diff comments:\n\n## Comment 1\nx\n\n## My request for Codex:\nApply them", "Apply them"],
    ['<in-app-browser-context source="x">\nTabs\n</in-app-browser-context>\n## My request:\nLook', "Look"],
    ["<environment_context>\n<cwd>/p</cwd>\n</environment_context>\n\nFix it", "Fix it"],
    ["<realtime_delegation>\n<input>Look there</input>\n</realtime_delegation>", "Look there"],
    ["Why is <heartbeat>x</heartbeat> sent?", "Why is <heartbeat>x</heartbeat> sent?"],
    ["<skill> is not read, why?", "<skill> is not read, why?"],
    ["# Plan:\n\nOne.\n\n## My request:\nis a heading", "# Plan:\n\nOne.\n\n## My request:\nis a heading"],
  ])("of %j the user said: %j", (text, said) => {
    expect(codex(text)).toEqual([`user: ${said}`]);
  });

  it("an unknown element that is all of a part has an unknown speaker", () => {
    expect(codex("<hologram>\nBuy milk.\n</hologram>", "Fix it")).toEqual([
      "user: Fix it",
      "unknown: <hologram>\nBuy milk.\n</hologram>",
    ]);
  });

  it("the source that the client names counts, and where it does not know one, the text", () => {
    const from = (type: string, text: string) =>
      heard(
        new Rollout()
          .item({
            type: "message",
            role: "user",
            content: [{ type: "input_text", text }],
            internal_chat_message_metadata_passthrough: { content_item_metadata: [{ provenance: { type } }] },
          })
          .lines.flatMap((line) => readCodexLine(JSON.stringify(line))),
      );
    expect(from("user", "<hologram>x</hologram>")).toEqual(["user: <hologram>x</hologram>"]);
    expect(from("skills", "Go")).toEqual([]);
    expect(from("hologram", "Go")).toEqual(["unknown: Go"]);
    expect(from("unknown", "Go")).toEqual(["user: Go"]);
    expect(from("unknown", "<heartbeat>x</heartbeat>")).toEqual([]);
  });
});

it("an unknown element that is all of a message has an unknown speaker in Gemini CLI and opencode too", () => {
  const text = "<hologram>\nBuy milk.\n</hologram>";
  const gemini = { id: "m", timestamp: "2026-11-20T09:00:00.000Z", type: "user", content: [{ text }] };
  const opencode = { session: "s", id: "m", created: 1, role: "user", parts: [{ type: "text", text }] };
  expect(heard(readGeminiLine(JSON.stringify(gemini)))).toEqual([`unknown: ${text}`]);
  expect(heard(readOpencodeLine(JSON.stringify(opencode)))).toEqual([`unknown: ${text}`]);
});

it("a long text is looked at once", () => {
  const text = "<a1>x</a1>".repeat(50_000);
  expect(leadingElements(text)).toMatchObject({ rest: "", names: { length: 50_000 } });
  expect(voiceOfText(`${text}<a1>`)).toBe("user");
  expect(voiceOfText("<a1>".repeat(50_000))).toBe("user");
});
