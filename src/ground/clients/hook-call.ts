/** A hook as a call of the connected server, of a tool that `tools/list` does not show: a message instead of a process. */
import { HOOK_TIMEOUT_SECONDS } from "./hook-event.ts";

/** The tool's name. A model that calls it by itself learns nothing new, and changes no lesson. */
export const HOOK_TOOL = "on_hook";

/** A value that a client can fill in, by its place in the payload of a process. */
export type HookField =
  | "agent_id"
  | "prompt"
  | "tool_name"
  | `tool_input.${"command" | "file_path" | "notebook_path"}`
  | "tool_response"
  | "error"
  | "stop_hook_active"
  | "transcript_path";

/** One hook of a hook file, which calls the server. @param more of the payload. @param fields of the event: Codex calls nothing where it lacks one. */
export function hookCall(
  server: string,
  event: string,
  fields: readonly HookField[],
  more: object = {},
): object {
  const filledIn = ["session_id", "cwd", ...fields].map((field) => [field, `\${${field}}`]);
  const input = { ...more, hook_event_name: event, ...Object.fromEntries(filledIn) };
  return { type: "mcp_tool", server, tool: HOOK_TOOL, input, timeout: HOOK_TIMEOUT_SECONDS };
}

/** The payload that a process would have got. */
export function payloadOfCall(
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const of = "tool_input.";
  const input = Object.entries(args).filter(([name]) => name.startsWith(of));
  return {
    ...args,
    tool_input: Object.fromEntries(input.map(([name, value]) => [name.slice(of.length), value])),
  };
}

/** Whether a hook of a hook file is such a call. */
export function isHookCall(hook: unknown): boolean {
  return typeof hook === "object" && hook !== null && "tool" in hook && hook.tool === HOOK_TOOL;
}
