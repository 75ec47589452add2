/**
 * Reads the rollouts of Codex, with lines of `{timestamp, type, payload}`. A message appears twice: as the model saw it (`response_item`), which
 * counts, and as the screen showed it (`event_msg`). Only the screen has the calls of scripts that the model wrote. Tested with version 0.169.0.
 */
import { tryOr } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { findCompressed, findRollouts } from "./codex-rollouts.ts";
import { meaningOf, PLAN } from "./codex-tools.ts";
import { fieldsOf, listOf, partsOf, textOf, textsIn, textsOf } from "./fields.ts";
import {
  leadingElements,
  noteOfDataUrl,
  replyOf,
  requestsOf,
  summaryParts,
  unknownPart,
  voiceOfText,
  withoutInjected,
} from "./parts.ts";
import type { Fields, Part, Said, Spoken, TranscriptLine, TranscriptReader } from "./transcript.ts";

/** Answers to calls. */
const OUTPUTS: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];
/** Thoughts, instructions of the client to the model, and encrypted messages between agents. */
const NOT_SAID: readonly unknown[] = [
  "additional_tools",
  "agent_message",
  "compaction",
  "compaction_trigger",
  "context_compaction",
  "ghost_snapshot",
  "reasoning",
  "tool_search_call",
  "tool_search_output",
];
/** Elements that the client adds to messages of the user. Newer versions have the source next to the text. */
const INJECTED: readonly unknown[] = [
  "INSTRUCTIONS",
  "agent_message_board_notification",
  "app-context",
  "apps_instructions",
  "codex_delegation",
  "codex_internal_context",
  "collaboration_mode",
  "environment_context",
  "extension_context",
  "goal_context",
  "heartbeat",
  "hook_prompt",
  "in-app-browser-context",
  "model_switch",
  "multi_agent_mode",
  "personality_spec",
  "plugins_instructions",
  "realtime_conversation",
  "recommended_plugins",
  "skill",
  "skills_instructions",
  "subagent_notification",
  "token_budget",
  "turn_aborted",
  "user_action",
  "user_instructions",
];
const PROJECT_RULES =
  /^\s*# AGENTS\.md instructions[^\n]*\n\s*<INSTRUCTIONS>[\s\S]*<\/INSTRUCTIONS>\s*/;
/** Notes that an editor or the app adds before a request, and the heading above the request itself. */
const SETUP = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):[ \t]*(?:\r?\n|$)/;
const AFTER_SETUP = /^## My request(?: for [A-Z]\w*)?:[ \t]*(?:\r?\n|$)/m;
/** The entries below the first heading, each `## name: path`, if there is no heading above the request. */
const ENTRIES =
  /^[^\n]*\n(?:\s*## (?:Open tabs:\s*\n(?:- [^\n]*(?:\n|$))*|[^\n]+: [^\n]*[/\\.][^\n]*(?:\n|$)))+/;
/** Other kinds of notes are recognized by both headings. */
const OTHER_SETUP = /^\s*# [^\n]+:[ \t]*\r?\n[\s\S]*?^## My request for [A-Z]\w*:/m;
/** Words that the user said to a voice model. */
const SPOKEN =
  /^\s*<realtime_delegation>\s*<input>([\s\S]*?)<\/input>\s*<\/realtime_delegation>\s*$/;
/** Sources of content that is not the user's. For `unknown` content, only its text shows that. */
const SOURCES: readonly unknown[] = [
  "developer_instructions",
  "skills",
  "agents_md",
  "harness",
  "tool",
];
const UNTOLD: readonly unknown[] = [undefined, "unknown", "user_configured"];
const IMAGE_FRAME = /^<\/?image\b[^>]*>$/;
const SHELL =
  /^\s*<user_shell_command>\s*<command>\s*([\s\S]*?)\s*<\/command>[\s\S]*<\/user_shell_command>\s*$/;
/** The client's text before the agent's summary. */
const BEFORE_SUMMARY = /^Another language model started[\s\S]*?own analysis:\s*/;
/** Some providers count ids within a session. Only long ones are unique. */
const SHORTEST_ID = 20;
/** A UUID of version 7. */
const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const codexReader: TranscriptReader = {
  agent: "codex",
  name: "Codex",
  revision: 4,
  find: findRollouts,
  findCompressed,
  markOf: claudeCodeReader.markOf,
  /** The answer with a summary comes before the `compacted` line, which contains it too. */
  read(fields) {
    const type = textOf(fields.type) ?? "untyped";
    const payload = fieldsOf(fields.payload);
    const isSummary = fieldsOf(fields.metadata).compaction_output === true;
    const place = placeIn(type, payload);
    return {
      parts: isSummary ? [] : partsIn(type, payload),
      line: { id: idIn(payload), ts: textOf(fields.timestamp), ...place },
      isConversation: type === "response_item" || type === "compacted",
      isPlace: place !== undefined,
    };
  },
  taskTools: [PLAN],
  hasFilesInCommands: true,
  meaningOf,
};

/** The first line has the session of the transcript, and each turn has its folder. */
function placeIn(type: string, payload: Fields): Partial<TranscriptLine> | undefined {
  const cwd = textOf(payload.cwd);
  if (type === "turn_context" || payload.type === "task_started") {
    return { cwd, turn: timedId(payload.turn_id) };
  }
  if (type !== "session_meta") {
    return undefined;
  }
  const id = textOf(payload.id);
  const isChildAgent =
    payload.thread_source === "subagent" || fieldsOf(payload.source).subagent !== undefined;
  const whose = isChildAgent ? { childAgent: id } : { parent: textOf(payload.forked_from_id) };
  const branch = textOf(fieldsOf(payload.git).branch);
  const opens = { id: timedId(id), ...whose, version: textOf(payload.cli_version) };
  return { opens, session: textOf(payload.session_id) ?? id, cwd, branch };
}

/** An id that begins with its time. Undefined for those of early versions. */
const timedId = (id: unknown): string | undefined =>
  typeof id === "string" && TIMED_ID.test(id) ? id : undefined;

/** A session that continues another one repeats its items, with the same ids. */
function idIn(payload: Fields): string | undefined {
  const ids = [payload.call_id, fieldsOf(payload.item).id, payload.id];
  return ids.find((id): id is string => typeof id === "string" && id.length >= SHORTEST_ID);
}

function partsIn(type: string, payload: Fields): readonly Part[] {
  if (type === "response_item") {
    return itemIn(payload);
  }
  if (type === "event_msg") {
    return eventIn(payload);
  }
  if (type === "compacted") {
    const summary = (textOf(payload.message) ?? "").replace(BEFORE_SUMMARY, "").trim();
    return summary === "" ? [{ kind: "compaction" }] : summaryParts(summary);
  }
  return [];
}

function eventIn({ type, reason, item }: Fields): readonly Part[] {
  if (type === "turn_aborted" && reason === "interrupted") {
    return [{ kind: "interruption" }];
  }
  return type === "item_completed" ? nestedCall(fieldsOf(item)) : [];
}

function itemIn(payload: Fields): readonly Part[] {
  const type = textOf(payload.type) ?? "untyped";
  if (type === "message") {
    return messageIn(payload);
  }
  const call = textOf(payload.call_id);
  if (OUTPUTS.includes(type) && call) {
    return answerIn(call, payload.output);
  }
  const made = callIn(type, payload);
  if (made) {
    return [made];
  }
  return NOT_SAID.includes(type) ? [] : [unknownPart(`response_item/${type}`)];
}

function callIn(type: string, payload: Fields): Said | undefined {
  // The provider searched. The call has no id in most transcripts, and no answer.
  if (type === "web_search_call") {
    const input = { ...fieldsOf(payload.action), status: textOf(payload.status) };
    return { kind: "call", call: textOf(payload.id) ?? type, tool: "web_search", input };
  }
  const call = textOf(payload.call_id);
  if (call === undefined) {
    return undefined;
  }
  if (type === "local_shell_call") {
    return { kind: "call", call, tool: "shell", input: fieldsOf(payload.action) };
  }
  const name = textOf(payload.name);
  if (name === undefined) {
    return undefined;
  }
  if (type === "custom_tool_call") {
    return { kind: "call", call, tool: name, input: { input: payload.input } };
  }
  if (type !== "function_call") {
    return undefined;
  }
  const namespace = textOf(payload.namespace);
  const tool = namespace?.startsWith("mcp__") ? `${namespace}__${name}` : name;
  return { kind: "call", call, tool, input: argumentsIn(payload.arguments) };
}

const argumentsIn = (value: unknown): Fields =>
  tryOr(() => fieldsOf(JSON.parse(String(value))), { arguments: value });

function messageIn({
  role,
  content,
  internal_chat_message_metadata_passthrough: beside,
}: Fields): readonly Part[] {
  const parts = partsOf(content);
  if (role !== "assistant" && role !== "user") {
    return [];
  }
  if (parts.length === 0) {
    return [unknownPart(role)];
  }
  if (role === "assistant") {
    return parts.flatMap(({ type, text }) =>
      type === "output_text" ? replyOf(text) : [unknownPart(`assistant/${type}`)],
    );
  }
  const sources = listOf(fieldsOf(beside).content_item_metadata).map(
    (one) => fieldsOf(fieldsOf(one).provenance).type,
  );
  return requestIn(parts, sources);
}

/** @param sources of each part, if the client gives them. */
function requestIn(parts: readonly Fields[], sources: readonly unknown[]): readonly Part[] {
  const said = parts
    .map((part, index) => ({ part, source: sources[index] }))
    .filter(({ source }) => !SOURCES.includes(source));
  const { images, unknown } = inputIn(
    said.map(({ part }) => part),
    "user",
  );
  const texts: Spoken[] = [];
  for (const { part, source } of said) {
    const text = part.type === "input_text" ? textOf(part.text) : undefined;
    if (text !== undefined) {
      texts.push(voicedText(text, source));
    }
  }
  const typed = texts.filter(({ text }) => text.trim() !== "");
  return [...requestsOf(typed, images), ...unknown];
}

/** The speaker and text of a part, without the client's additions. Blank if there is nothing else. */
function voicedText(part: string, source: unknown): Spoken {
  if (IMAGE_FRAME.test(part)) {
    return { text: "", voice: "user" };
  }
  const shell = SHELL.exec(part)?.[1];
  if (shell !== undefined) {
    return { text: `! ${shell}`, voice: "user" };
  }
  const spoken = SPOKEN.exec(part)?.[1];
  if (spoken !== undefined) {
    return { text: spoken.trim(), voice: "user" };
  }
  if (source === "user") {
    return { text: typedIn(part), voice: "user" };
  }
  if (!UNTOLD.includes(source)) {
    return { text: part, voice: "unknown" };
  }
  const ofUser = part.replace(PROJECT_RULES, "");
  const { names, rest } = leadingElements(ofUser, (name) => INJECTED.includes(name));
  const text = withoutInjected(typedIn(names.length > 0 ? rest : ofUser));
  return { text, voice: voiceOfText(text) };
}

/** The user's own words below the notes of an editor or the app. */
function typedIn(part: string): string {
  const heading = AFTER_SETUP.exec(part);
  const isSetup = SETUP.test(part) || heading?.index === 0 || OTHER_SETUP.test(part);
  if (!isSetup) {
    return part;
  }
  return heading
    ? part.slice(heading.index + heading[0].length)
    : part.trimStart().replace(ENTRIES, "").trim();
}

function answerIn(call: string, output: unknown): readonly Part[] {
  const parts =
    typeof output === "string" ? [{ type: "input_text", text: output }] : partsOf(output);
  const { texts, images, unknown } = inputIn(parts, "answer");
  const text = texts.map((part) => part.replace(/\n$/, "")).join("\n");
  return [{ kind: "answer", call, text, isError: false, images, details: {} }, ...unknown];
}

/** The parts of the model's input. */
function inputIn(parts: readonly Fields[], where: string) {
  const urls = textsIn(parts.map(({ image_url }) => image_url));
  const images = present(...urls.map(noteOfDataUrl));
  const others = parts.filter(({ type }) => type !== "input_text" && type !== "input_image");
  return {
    texts: textsOf(parts, "input_text"),
    images,
    unknown: others.map(({ type }) => unknownPart(`${where}/${type}`)),
  };
}

/** The prefix of the ids of calls by a script. The model's own calls are in the conversation too. */
const FROM_SCRIPT = /^exec-/;

interface MadeCall {
  readonly tool: string;
  readonly input: Fields;
  readonly text: string;
  readonly details?: Fields;
}

/** A call and its answer, or only the answer if the call is in the conversation. Empty if both are there. */
function nestedCall(item: Fields): readonly Said[] {
  const call = textOf(item.id);
  const made = madeBy(item);
  if (call === undefined || !made) {
    return [];
  }
  const { tool, input, text, details = {} } = made;
  const isError = item.status === "failed";
  const answer: Said = { kind: "answer", call, text, isError, images: [], details };
  if (FROM_SCRIPT.test(call)) {
    return [{ kind: "call", call, tool, input }, answer];
  }
  return item.type === "McpToolCall" && isError ? [answer] : [];
}

/** The call of a script or an MCP server, as the screen shows it. */
function madeBy(item: Fields): MadeCall | undefined {
  switch (item.type) {
    case "CommandExecution": {
      const input = { cmd: listOf(item.command).at(-1) };
      const details = { exit_code: item.exit_code };
      return { tool: "exec_command", input, text: textOf(item.aggregated_output) ?? "", details };
    }
    case "FileChange": {
      const text = textsIn([item.stdout, item.stderr]).join("\n");
      return { tool: "apply_patch", input: { changes: item.changes }, text };
    }
    case "McpToolCall": {
      const texts = textsOf(partsOf(fieldsOf(item.result).content));
      const text = texts.join("\n") || (textOf(fieldsOf(item.error).message) ?? "");
      return { tool: `mcp__${item.server}__${item.tool}`, input: fieldsOf(item.arguments), text };
    }
    default:
      return undefined;
  }
}
