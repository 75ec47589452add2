/** A hook that calls a tool of the connected server instead of starting a process. `tools/list` doesn't include the tool. */
import { HOOK_TIMEOUT_SECONDS } from "./hook-event.ts";

/** The tool's name. If a model calls it directly, it gets no new information and changes no lesson. */
export const HOOK_TOOL = "on_hook";

/** The path of a value in the hook payload that the client can fill in. */
export type HookField =
  | "agent_id"
  | "prompt"
  | "tool_name"
  | `tool_input.${"command" | "file_path" | "notebook_path"}`
  | "tool_response"
  | `tool_response.${"stdout" | "stderr"}`
  | "error"
  | "stop_hook_active"
  | "transcript_path";

/** Builds a hook entry that calls the server. @param more fixed payload values. @param fields that the event has. Codex skips the call if one is missing. */
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

/** Converts a call's arguments to the payload that a hook process would get. */
export function payloadOfCall(
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const payload: Record<string, unknown> = {
    ...args,
    tool_input: fieldsBelow("tool_input.", args),
  };
  const response = fieldsBelow("tool_response.", args);
  if (Object.keys(response).length > 0) {
    payload.tool_response = response;
  }
  return payload;
}

function fieldsBelow(path: string, args: Readonly<Record<string, unknown>>): object {
  const below = Object.entries(args).filter(([name]) => name.startsWith(path));
  return Object.fromEntries(below.map(([name, value]) => [name.slice(path.length), value]));
}

/** Whether an entry of a hook file calls the server. */
export function isHookCall(hook: unknown): boolean {
  return typeof hook === "object" && hook !== null && "tool" in hook && hook.tool === HOOK_TOOL;
}
