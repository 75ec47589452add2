/** Finds mistakes that make Cursor silently ignore a whole file, including our part. */
import * as z from "zod";
import { tryOr } from "../../ground/core/errors.ts";
import { valueAt } from "../setup/edits/json.ts";
import { type Context, type Finding, warning } from "./finding.ts";

/** The events that @cursor/sdk 1.0.32 supports. */
const EVENTS = [
  "afterAgentResponse",
  "afterAgentThought",
  "afterFileEdit",
  "afterMCPExecution",
  "afterShellExecution",
  "afterTabFileEdit",
  "beforeMCPExecution",
  "beforeReadFile",
  "beforeShellExecution",
  "beforeSubmitPrompt",
  "beforeTabFileRead",
  "postToolUse",
  "postToolUseFailure",
  "preCompact",
  "preToolUse",
  "sessionEnd",
  "sessionStart",
  "stop",
  "subagentStart",
  "subagentStop",
  "workspaceOpen",
] as const;

const COMMAND = z
  .string()
  .refine(
    (command) => !command.includes("//"),
    "Cursor takes // for a comment, so put the command into a script",
  );

const HOOKS = z.object({
  version: z.number(),
  hooks: z
    .partialRecord(z.enum(EVENTS), z.array(z.object({ command: COMMAND.optional() })))
    .optional(),
});

const ENTRY = z
  .object({
    command: z.string().optional(),
    url: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  })
  .refine(
    ({ command, url }) => command !== undefined || url !== undefined,
    "it has neither command nor url",
  );

const SERVERS = z.object({ mcpServers: z.record(z.string(), ENTRY).optional() });

const FILES = [
  { file: ".cursor/hooks.json", id: "cursor_hooks_ignored", form: HOOKS },
  { file: ".cursor/mcp.json", id: "cursor_servers_ignored", form: SERVERS },
];

export function checkCursorFiles({ files }: Context): Finding[] {
  const found: Finding[] = [];
  for (const { file, id, form } of FILES) {
    // Another check reports a file that can't be read.
    const value = tryOr(() => valueAt(files.read(file) ?? "", []), undefined);
    const issues = value === undefined ? [] : (form.safeParse(value).error?.issues ?? []);
    for (const { path, message } of issues) {
      const what = `Cursor ignores the whole file, because of ${path.join(".")}: ${message}`;
      found.push({ ...warning(id, what, "Correct or remove it"), file });
    }
  }
  return found;
}
