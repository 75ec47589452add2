/**
 * What a client makes of the files that init wrote: it starts the server of its entry, and runs the lines of its hooks in a
 * shell, in the folder and with the payload that were measured for Claude Code and are documented for Cursor.
 */

import type { Place, Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { UNHURRIED } from "../support/unhurried.ts";
import { callServer } from "./ask-server.ts";

type Payload = Readonly<Record<string, unknown>>;

export class CursorAgent {
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Cursor starts servers in the home folder, and expands the workspace in the arguments. */
  async call(tool: string, input: Record<string, unknown>): Promise<string> {
    const { command, args } = JSON.parse(await this.#project.read(".cursor/mcp.json")).mcpServers[
      "sentinel-memory"
    ];
    const expanded = args.map((arg: string) =>
      arg.replace("${workspaceFolder}", () => this.#project.folder),
    );
    const home = { cwd: this.#project.path(".."), env: this.#project.env };
    const answer = await callServer({ command, args: expanded }, home, tool, input);
    await this.tells("afterMCPExecution", { tool_name: tool, tool_input: JSON.stringify(input) });
    return answer;
  }

  /** What the hooks of an event tell the model. */
  async tells(event: string, more: Payload = {}): Promise<string> {
    const { hooks } = JSON.parse(await this.#project.read(".cursor/hooks.json"));
    const { folder, env } = this.#project;
    const payload = {
      conversation_id: "c",
      workspace_roots: [folder],
      cursor_version: "2.0",
      hook_event_name: event,
    };
    const output = await runLines(hooks[event], { ...payload, ...more }, { cwd: folder, env });
    return output?.additional_context ?? output?.followup_message ?? "";
  }
}

export class ClaudeAgent {
  readonly #project: Project;
  readonly #place: Place;

  /** @param below where in the project it is started. */
  constructor(project: Project, below: string) {
    this.#project = project;
    const cwd = project.path(below);
    this.#place = { cwd, env: { ...project.env, CLAUDECODE: "1", CLAUDE_PROJECT_DIR: cwd } };
  }

  async call(tool: string, input: Record<string, unknown>): Promise<string> {
    const entry = JSON.parse(await this.#project.read(".mcp.json")).mcpServers["sentinel-memory"];
    const answer = await callServer(entry, this.#place, tool, input);
    await this.tells("PostToolUse", {
      tool_name: `mcp__sentinel-memory__${tool}`,
      tool_input: input,
    });
    return answer;
  }

  async write(path: string, text: string): Promise<void> {
    await this.#project.write(path, text);
    const input = { file_path: this.#project.path(path), content: text };
    await this.tells("PostToolUse", { tool_name: "Write", tool_input: input });
  }

  /** What the hooks of an event tell the model. */
  async tells(event: string, more: Payload = {}): Promise<string> {
    const groups: Group[] = JSON.parse(await this.#project.read(".claude/settings.json")).hooks[
      event
    ];
    const matching = groups.filter(({ matcher = "" }) =>
      new RegExp(matcher).test(String(more.tool_name ?? "")),
    );
    const payload = {
      session_id: "s",
      transcript_path: "",
      cwd: this.#place.cwd,
      hook_event_name: event,
    };
    const all = { ...payload, ...more };
    const hooks = matching.flatMap((group) => group.hooks);
    // It has hooks from the folder that it was started in.
    const { cwd, env } = this.#place;
    const place = { cwd, env: { ...env, CLAUDE_PROJECT_DIR: this.#project.folder } };
    const output = (await runLines(hooks, all, place)) ?? (await this.#callServer(hooks, all));
    return output?.hookSpecificOutput?.additionalContext ?? output?.reason ?? "";
  }

  /** Hooks that call the server. */
  async #callServer(hooks: readonly Line[], payload: Payload): Promise<Output | undefined> {
    const entry = JSON.parse(await this.#project.read(".mcp.json")).mcpServers["sentinel-memory"];
    let output: Output | undefined;
    for (const { tool, input = {} } of hooks) {
      const text = tool && (await callServer(entry, this.#place, tool, filledIn(input, payload)));
      if (text) {
        output = JSON.parse(text);
      }
    }
    return output;
  }
}

/** Fills an event's values into the input of a call, as Claude Code does; what the event does not have is empty. */
function filledIn(
  input: Readonly<Record<string, string>>,
  payload: Payload,
): Record<string, string> {
  const found = (path: string) =>
    path
      .split(".")
      .reduce<unknown>((value, name) => (value as Payload | undefined)?.[name], payload);
  return Object.fromEntries(
    Object.entries(input).map(([name, text]) => [
      name,
      text.replace(/^\$\{(.+)\}$/, (_, path) => String(found(path) ?? "")),
    ]),
  );
}

interface Line {
  readonly command?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, string>>;
}

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Line[];
}

interface Output {
  readonly hookSpecificOutput?: { readonly additionalContext: string };
  readonly reason?: string;
  readonly additional_context?: string;
  readonly followup_message?: string;
}

async function runLines(
  lines: readonly Line[],
  payload: Payload,
  place: Place,
): Promise<Output | undefined> {
  let output: Output | undefined;
  for (const { command } of lines) {
    if (command === undefined) {
      continue;
    }
    const stdin = JSON.stringify(payload);
    const unhurried = { ...place, env: { ...place.env, ...UNHURRIED }, stdin };
    const { exit, stdout, stderr } = await runProcess("sh", ["-c", command], unhurried);
    if (exit !== 0 || stderr !== "") {
      throw new Error(`${command}: ${exit} ${stderr}`);
    }
    if (stdout !== "") {
      output = JSON.parse(stdout);
    }
  }
  return output;
}
