/** Cursor: its configuration, rules, hooks and hook payloads. */
import { parseJson } from "../core/errors.ts";
import { CLOSE, OPEN } from "../core/text.ts";
import { platformPath } from "../files/paths.ts";
import {
  CLAUDE_CODE_EVENTS,
  LOG_TOOL,
  patchedFile,
  readClaudeCodePayload,
  readFields,
} from "./claude-code.ts";
import type { Client, HookTable } from "./client.ts";
import {
  type EventKind,
  type EventTable,
  eventKind,
  HOOK_TIMEOUT_SECONDS,
  type HookEvent,
  type HookProtocol,
  Payload,
  type ToolNames,
} from "./hook-event.ts";
import { answeringHook } from "./launch.ts";

/** The events that run our hook. beforeSubmitPrompt is omitted because it can't add context for the model. */
const EVENTS: EventTable = {
  sessionStart: "session-start",
  preToolUse: "before-tool",
  postToolUse: "read",
  postToolUseFailure: "failure",
  afterFileEdit: "edit",
  afterMCPExecution: "log",
  stop: "stop",
  sessionEnd: "session-end",
};

const SHELL_TOOL = "Shell";
const READ_TOOL = "Read";
const TOOLS: ToolNames = {
  shell: SHELL_TOOL,
  read: READ_TOOL,
  // Agents of the SDK only write and delete whole files.
  edits: ["Write", "Delete", "StrReplace", "ApplyPatch", "EditNotebook"],
  log: LOG_TOOL,
};
/** The tools for which each event runs our hook. */
const MATCHERS: Readonly<Record<string, string>> = {
  preToolUse: `^(${[SHELL_TOOL, ...TOOLS.edits].join("|")})$`,
  postToolUse: `^(${READ_TOOL}|${SHELL_TOOL})$`,
  postToolUseFailure: `^${SHELL_TOOL}$`,
};
/** Cursor ignores a hook's answer to these events. */
const SILENT_EVENTS: readonly string[] = ["afterFileEdit", "afterMCPExecution", "sessionEnd"];

export const cursorProtocol: HookProtocol = {
  name: "Cursor",
  events: Object.keys(EVENTS),
  sent: (payload) => payload.text("cursor_version") !== "",
  instructions: "AGENTS.md",
  read(payload) {
    const event = readOwnEvent(payload) ?? readClaudeCodePayload(payload, CLAUDE_CODE_EVENTS);
    if (!event) {
      return undefined;
    }
    // Don't continue a turn that failed or that the user stopped.
    if (event.kind === "stop" && !["", "completed"].includes(payload.text("status"))) {
      return undefined;
    }
    return {
      ...event,
      session: event.session || payload.text("conversation_id"),
      folder: platformPath(payload.inner("workspace_roots").text("0")) || event.folder,
      causedByHook: event.causedByHook || Number(payload.get("loop_count") ?? 0) > 0,
    };
  },
  startsCaptures: true,
  reportsOutcomes: true,
  dropsStart: true,
  silence: {},
  addContext: (text, { name }) =>
    SILENT_EVENTS.includes(name) ? undefined : { additional_context: text },
  // The SDK shows the model `user_message`. The app shows it `agent_message`.
  hold: (reason) => ({ permission: "deny", user_message: reason, agent_message: reason }),
  // The transcript stores this as a user message. The marks exclude it from the session log.
  goOn: (reason) => ({ followup_message: [OPEN, reason, CLOSE].join("\n") }),
};

export const cursor: Client = {
  id: "cursor",
  name: "Cursor",
  clientName: /^cursor(?:-vscode)?$/i,
  signs: [".cursor", ".cursorrules"],
  server: {
    files: [".cursor/mcp.json"],
    format: "json",
    key: "mcpServers",
    // Cursor starts servers in the home folder, ignores cwd, and expands the argument. Other hosts that read this file may pass the
    // argument on unexpanded. They start the server in cwd, and not all of them would expand a variable in it.
    entry: ({ inWorkspace: { command, args } }) => ({ command, args, cwd: "." }),
  },
  rules: "AGENTS.md",
  hooks: {
    path: ".cursor/hooks.json",
    table: cursorHooks,
    frame: { version: 1 },
    protocol: cursorProtocol,
  },
  // Cursor writes a longer result to a file and gives the model only the path.
  budget: { characters: 36_000, bytes: 39_500, tokens: 9_700 },
  workspaceVariable: "WORKSPACE_FOLDER_PATHS",
  asks: "open Settings, MCP (newer versions: Customize, MCPs), and switch sentinel-memory on.",
};

function cursorHooks(command: string): HookTable {
  const hook = { command: answeringHook(command), timeout: HOOK_TIMEOUT_SECONDS };
  return Object.fromEntries(
    Object.keys(EVENTS).map((event) => [
      event,
      event in MATCHERS ? { matcher: MATCHERS[event], ...hook } : hook,
    ]),
  );
}

/** Reads an event of .cursor/hooks.json. Cursor also runs the hooks of .claude/settings.json. */
function readOwnEvent(payload: Payload): HookEvent | undefined {
  const name = payload.text("hook_event_name");
  const kind = ownKind(name, payload);
  if (kind === undefined) {
    return undefined;
  }
  const event = readFields(payload, name, kind);
  return {
    ...event,
    file: payload.text("file_path") || event.file || fileOf(payload),
    output: payload.text("error_message") || outputOf(payload),
  };
}

function ownKind(name: string, payload: Payload): EventKind | undefined {
  const tool = payload.text("tool_name");
  const listed = EVENTS[name];
  switch (listed) {
    case "read":
      if (tool === SHELL_TOOL) {
        return "result";
      }
      return tool === READ_TOOL ? listed : undefined;
    case "failure":
      // A call that was denied permission didn't run, so it isn't a failure.
      return tool === SHELL_TOOL && payload.text("failure_type") !== "permission_denied"
        ? listed
        : undefined;
    case "log":
      return LOG_TOOL.test(tool) && hasSucceeded(payload) ? listed : undefined;
    default:
      return eventKind(listed, tool, TOOLS);
  }
}

/** Returns the output of a command that didn't fail. */
const outputOf = (payload: Payload): string => jsonIn(payload.text("tool_output")).text("output");

const jsonIn = (text: string): Payload => new Payload(parseJson(text));

/** Whether an MCP tool call returned a result that isn't an error. */
function hasSucceeded(payload: Payload): boolean {
  const result = jsonIn(payload.text("result_json"));
  const content = result.get("content");
  return Array.isArray(content) && content.length > 0 && result.get("isError") !== true;
}

/** Returns the file of a tool call in the app. The model chooses the field names there. */
function fileOf(payload: Payload): string {
  const input = payload.inner("tool_input");
  const patch = input.text("patch") || payload.text("tool_input");
  return input.text("path") || input.text("target_notebook") || patchedFile(patch);
}
