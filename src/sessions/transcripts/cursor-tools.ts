/** What the tools of Cursor work on. What came of a call stands in no transcript. */
import { known, textOf } from "./fields.ts";
import { patchedFiles } from "./patched-files.ts";
import type { Meaning, ToolAnswer, ToolCall, ToolTarget } from "./transcript.ts";

const EDIT_TOOLS: readonly string[] = ["Write", "StrReplace", "Delete", "EditNotebook"];
const FILE_TOOLS: readonly string[] = ["Read", ...EDIT_TOOLS];
const PATCH = "ApplyPatch";
const CHILD_AGENT = "Task";

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const [patched, ...others] = tool === PATCH ? patchedFiles(textOf(input.patch)) : [];
  const named = FILE_TOOLS.includes(tool) ? (textOf(input.path) ?? textOf(input.target_notebook)) : undefined;
  return known({
    path: patched ?? named,
    otherPaths: others.length > 0 ? others : undefined,
    edits: patched !== undefined || EDIT_TOOLS.includes(tool) || undefined,
    command: textOf(input.command),
    childTask: tool === CHILD_AGENT ? textOf(input.prompt) : undefined,
  });
}

export const meaningOf = (_: ToolCall, { text }: ToolAnswer): Meaning => ({ text });
