/** Finds mistakes that make Cursor silently ignore a whole file, including our part. */
import { tryOr } from "../../ground/core/errors.ts";
import { isObject } from "../../lessons/format/lesson.ts";
import { valueAt } from "../setup/edits/json.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { type Context, type Finding, warning } from "./finding.ts";

const HOOKS = ".cursor/hooks.json";
const SERVERS = ".cursor/mcp.json";

/** The events that @cursor/sdk 1.0.32 supports. */
const EVENTS: readonly string[] = [
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
];

type Fields = Readonly<Record<string, unknown>>;

export function checkCursorFiles({ files }: Context): Finding[] {
  const hooks = propertyOf(files, HOOKS, "hooks");
  const version = propertyOf(files, HOOKS, "version");
  const servers = propertyOf(files, SERVERS, "mcpServers");
  return [...checkHooks(hooks, version), ...checkEntries(servers)];
}

/** Returns a property of a JSON file. Undefined if the file can't be read, which another check reports. */
function propertyOf(files: ProjectFiles, path: string, name: string): unknown {
  return tryOr(() => valueAt(files.read(path) ?? "", [name]), undefined);
}

function checkHooks(hooks: unknown, version: unknown): Finding[] {
  if (!isObject(hooks)) return [];
  const found: Finding[] = [];
  const report = (reason: string, fix: string) => {
    const what = `Cursor runs no hook of the file${reason}`;
    found.push({ ...warning("cursor_hooks_ignored", what, fix), file: HOOKS });
  };
  if (typeof version !== "number") report(", because it has no version", 'Add "version": 1 to it');
  for (const event of Object.keys(hooks))
    if (!EVENTS.includes(event))
      report(`, unless it is new enough to know the event ${event}`, "Remove the event");
  for (const command of commandsIn(hooks))
    if (command.includes("//"))
      report(
        `, because it takes // for a comment: ${command}`,
        "Put the command into a script, and start the script",
      );
  return found;
}

const commandsIn = (hooks: Fields): string[] =>
  Object.values(hooks)
    .flat()
    .map((hook) => Object(hook).command)
    .filter((command) => typeof command === "string");

function checkEntries(servers: unknown): Finding[] {
  if (!isObject(servers)) return [];
  const found: Finding[] = [];
  for (const [name, entry] of Object.entries(servers)) {
    const reason = isObject(entry) ? whyRefused(entry) : "is not an object";
    if (reason === undefined) continue;
    const what = `Cursor starts no server of the file, because the entry ${name} ${reason}`;
    const fix = "Correct or remove that entry";
    found.push({ ...warning("cursor_servers_ignored", what, fix), file: SERVERS });
  }
  return found;
}

function whyRefused({ command, url, args = [], env = {} }: Fields): string | undefined {
  if (typeof command !== "string" && typeof url !== "string") return "has neither command nor url";
  if (!Array.isArray(args) || !args.every(isText)) return "has args that are not all texts";
  if (!isObject(env) || !Object.values(env).every(isText))
    return "has an env whose values are not all texts";
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === "string";
