/**
 * What an agent tells its hooks, read leniently into one form. Which payload says what was measured for Claude Code and is
 * documented for Cursor; an unknown one is no event.
 */
import { isAbsolute, relative } from "node:path";

type Client = "claude" | "cursor";

export interface HookEvent {
  readonly client: Client;
  /** The event's name as the client spells it. */
  readonly name: string;
  readonly kind: "session-start" | "prompt" | "edit" | "log" | "stop" | "compaction";
  /** What tells one conversation from another. */
  readonly session: string;
  /** Where to look for the project. */
  readonly folder: string | undefined;
  /** What the user asked. */
  readonly prompt: string;
  /** The file that was edited, as the client names it. */
  readonly file: string;
  /** Whether the context has just been compacted. */
  readonly afterCompaction: boolean;
  /** Whether a hook is the reason that the agent goes on. */
  readonly causedByHook: boolean;
}

const KINDS: Readonly<Record<string, HookEvent["kind"]>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  Stop: "stop",
  PreCompact: "compaction",
  sessionStart: "session-start",
  afterFileEdit: "edit",
  stop: "stop",
  preCompact: "compaction",
};

const LOG_TOOL = /(?:^|__|[:.])log_memory$/;
const EDIT_TOOLS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** Reads a payload; undefined when it is none of ours to answer. */
export function readEvent(payload: unknown): HookEvent | undefined {
  const field = reader(payload);
  const name = field("hook_event_name");
  const session = field("session_id") || field("conversation_id");
  if (name === "" || session === "") return undefined;
  const input = reader(get(payload, "tool_input"));
  const kind = KINDS[name] ?? kindOfTool(name, field("tool_name"));
  if (!kind) return undefined;
  // Cursor says how a turn ended; one that its user stopped, or that failed, is not to go on because of us.
  if (kind === "stop" && !["", "completed"].includes(field("status"))) return undefined;
  return {
    client: field("cursor_version") !== "" ? "cursor" : "claude",
    name,
    kind,
    session,
    folder: firstRoot(payload) ?? (field("cwd") || undefined),
    prompt: field("prompt"),
    file: field("file_path") || input("file_path") || input("notebook_path"),
    afterCompaction: field("source") === "compact",
    causedByHook: get(payload, "stop_hook_active") === true || Number(get(payload, "loop_count") ?? 0) > 0,
  };
}

/** A file by its name in the project; undefined for one outside of it. */
export function nameInProject(file: string, project: string): string | undefined {
  const name = isAbsolute(file) ? relative(project, file) : file;
  return name === "" || name.startsWith("..") || isAbsolute(name) ? undefined : name;
}

function kindOfTool(name: string, tool: string): HookEvent["kind"] | undefined {
  if (name !== "PostToolUse" && name !== "afterMCPExecution") return undefined;
  if (LOG_TOOL.test(tool)) return "log";
  return EDIT_TOOLS.has(tool) ? "edit" : undefined;
}

function firstRoot(payload: unknown): string | undefined {
  const roots = get(payload, "workspace_roots");
  return Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : undefined;
}

function reader(object: unknown): (name: string) => string {
  return (name) => {
    const value = get(object, name);
    return typeof value === "string" ? value : "";
  };
}

function get(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null ? (object as Record<string, unknown>)[name] : undefined;
}
