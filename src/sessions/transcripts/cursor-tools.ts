/** What the tools of Cursor work on. What came of a call stands in no transcript. */
import { known, textOf } from "./fields.ts";
import { patchedFiles } from "./patched-files.ts";
import type { Meaning, ToolAnswer, ToolCall, ToolTarget } from "./transcript.ts";

const EDIT_TOOLS: readonly string[] = ["Write", "StrReplace", "Delete", "EditNotebook"];
const FILE_TOOLS: readonly string[] = ["Read", ...EDIT_TOOLS];
const PATCH = "ApplyPatch";
const CHILD_AGENT = "Task";

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const [patched, ...otherPaths] = tool === PATCH ? patchedFiles(textOf(input.patch)) : [];
  if (patched !== undefined)
    return { path: patched, ...(otherPaths.length > 0 && { otherPaths }), edits: true, isSaidByAnswer: false };
  const path = FILE_TOOLS.includes(tool) ? (textOf(input.path) ?? textOf(input.target_notebook)) : undefined;
  const edits = EDIT_TOOLS.includes(tool) ? (true as const) : undefined;
  const childTask = tool === CHILD_AGENT ? textOf(input.prompt) : undefined;
  return { ...known({ path, edits, command: textOf(input.command), childTask }), isSaidByAnswer: false };
}

export const meaningOf = (_: ToolCall, { text }: ToolAnswer): Meaning => ({ text, isSaidElsewhere: false });
