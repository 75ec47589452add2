/** Calls of Codex that only the screen shows: those of a script that the model wrote, and failed ones of an MCP server. */
import { fieldsOf, listOf, partsOf, textOf, textsOf } from "./fields.ts";
import type { Fields, Said } from "./transcript.ts";

/** How the ids of calls begin that a script makes; those of the model are the conversation's own. */
const FROM_SCRIPT = /^exec-/;

/** A call and its answer; an answer alone, where the call is in the conversation; undefined for what is said there. */
export function nestedCall(item: Fields): readonly Said[] | undefined {
  const call = textOf(item.id);
  const made = madeBy(item);
  if (call === undefined || !made) return undefined;
  const { tool, input, text, details = {} } = made;
  const isError = item.status === "failed";
  const answer: Said = { kind: "answer", call, text, isError, images: [], details };
  if (FROM_SCRIPT.test(call)) return [{ kind: "call", call, tool, input }, answer];
  return item.type === "McpToolCall" && isError ? [answer] : undefined;
}

function madeBy(item: Fields) {
  switch (item.type) {
    case "CommandExecution": {
      const [input, details] = [
        { cmd: listOf(item.command).at(-1) },
        { exit_code: item.exit_code },
      ];
      return { tool: "exec_command", input, text: textOf(item.aggregated_output) ?? "", details };
    }
    case "FileChange": {
      const text = [item.stdout, item.stderr].flatMap((part) => textOf(part) ?? []).join("\n");
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
