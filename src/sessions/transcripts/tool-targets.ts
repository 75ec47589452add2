/** The targets of tool calls, and of shell commands that show or patch files. The clients' names for tools and fields differ, but none has two meanings. */
import { isAbsolute, join } from "node:path";
import { EDIT_TOOLS as CLAUDE_CODE_EDITS } from "../../ground/clients/claude-code.ts";
import { fieldsOf, listOf, textOf, textsIn } from "./fields.ts";
import type { Fields, ToolCall, ToolTarget, TranscriptReader } from "./transcript.ts";

const EDIT_TOOLS: readonly unknown[] = [
  ...CLAUDE_CODE_EDITS,
  // Gemini CLI
  "replace",
  "write_file",
  // opencode
  "edit",
  "multiedit",
  "write",
  // Cursor
  "Delete",
  "EditNotebook",
  "StrReplace",
  // VS Code
  "create_file",
  "edit_notebook_file",
  "insert_edit_into_file",
  "multi_replace_string_in_file",
  "replace_string_in_file",
];
/** The `path` of other tools may be a folder to search. */
const TOOLS_WITH_PATH: readonly unknown[] = [
  "Delete",
  "LS",
  "Read",
  "StrReplace",
  "Write",
  "view_image",
];
const PATCH_TOOLS: readonly unknown[] = ["ApplyPatch", "apply_patch"];
const CHILD_AGENT_TOOLS: readonly unknown[] = ["Agent", "Task", "runSubagent"];

/** The files, command or child task of a call, from its input. */
export function targetOf(
  { tool, input }: ToolCall,
  { hasFilesInCommands }: Pick<TranscriptReader, "hasFilesInCommands">,
): ToolTarget {
  const command = commandIn(input);
  const inCommand = hasFilesInCommands ? command : undefined;
  const isPatch = PATCH_TOOLS.includes(tool);
  const patch = isPatch ? (textOf(input.patch) ?? textOf(input.input)) : inCommand;
  const changed = isPatch ? Object.keys(fieldsOf(input.changes)) : [];
  const patched = [...changed, ...patchedFiles(patch)];
  const files = new Set([...patched, ...namedFiles(tool, input)]);
  const [path = shownBy(inCommand, input), ...others] = files;
  const isChildAgent = CHILD_AGENT_TOOLS.includes(tool);
  return {
    path,
    other_paths: others.length > 0 ? others : undefined,
    edits: patched.length > 0 || EDIT_TOOLS.includes(tool) || undefined,
    command,
    child_task: isChildAgent ? (textOf(input.description) ?? textOf(input.prompt)) : undefined,
  };
}

/** A command line. Older versions of Codex pass a list that begins with the shell. */
export function commandIn({ cmd, command }: Fields): string | undefined {
  const given = cmd ?? command;
  return Array.isArray(given) ? textOf(given.at(-1)) : textOf(given);
}

function namedFiles(tool: string, input: Fields): string[] {
  const replaced = listOf(input.replacements).map((one) => fieldsOf(one).filePath);
  return textsIn([
    input.file_path,
    input.notebook_path,
    input.absolute_path,
    input.filePath,
    input.target_notebook,
    TOOLS_WITH_PATH.includes(tool) ? input.path : undefined,
    ...replaced,
  ]);
}

/** The file that a command shows. It may run in another folder than the turn. */
function shownBy(command: string | undefined, { workdir }: Fields): string | undefined {
  const file = shownFile(command);
  const folder = textOf(workdir);
  return file === undefined || folder === undefined || isAbsolute(file) ? file : join(folder, file);
}

/** The lines that `sed -n` prints, such as "1,200p". */
const LINES = "(?:\\d+|\\$)(?:,(?:\\d+|\\$))?p";
/** A program that prints a file, with its flags. After a pipe, it only changes how the file looks. */
const SHOWING = `(?:cat|head|nl|tail|sed -n '?${LINES}'?)(?: +(?:-[a-z]+|-?\\d+))*`;
const COMMAND = new RegExp(
  `^\\s*${SHOWING} +(?:(["'])(?<quoted>.+)\\1|(?<plain>\\S+))(?: *\\| *${SHOWING})*\\s*$`,
);
/** Flags, and signs of more than one program or more than one file. */
const NO_FILE = /^-|^\d+$|[;&<>$`*?(){}[\]|'"\n]/;

/** The one file that a command shows, unchanged. Undefined for any other command. @internal */
export function shownFile(command = ""): string | undefined {
  const { quoted, plain } = COMMAND.exec(command)?.groups ?? {};
  const file = quoted ?? plain;
  return file === undefined || NO_FILE.test(file) ? undefined : file;
}

const PATCH = "*** Begin Patch";
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

/** The files of a patch, in its order. Empty for any other text. */
function patchedFiles(text: string | undefined): string[] {
  if (!text?.includes(PATCH)) {
    return [];
  }
  return [...text.matchAll(PATCHED)].map(([, named, moved]) => (named ?? moved ?? "").trim());
}
