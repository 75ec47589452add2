/**
 * A session of the data as Codex would have written it: it reads and looks through its shell, changes files with patches, and keeps one
 * list of tasks. Calls of tools that it does not have keep their names, like those of an MCP server.
 */
import { Rollout } from "../test/support/codex.ts";
import { CodexPlan } from "./codex-plan.ts";
import type { Line } from "./coding-sessions.ts";

type Input = Readonly<Record<string, unknown>>;

const INTERRUPTED = /^\[Request interrupted by user/;
const REFUSED = /^The user doesn't want to/;
/** Claude Code makes none of several calls where one of them fails; Codex has nothing like it. */
const NEVER_MADE = /^<tool_use_error>Sibling tool call errored/;
const EXIT_CODE = /^Exit code (\d+)\n?/;
const ERROR_TAG = /^<tool_use_error>([\s\S]*?)<\/tool_use_error>$/;
/** Claude Code shows a file with the numbers of its lines. */
const LINE_NUMBERS = /^ *\d+→/gm;
const PATCH = "apply_patch";

/** @param lines of one session, in their order. @param cwd where it worked. */
export function asCodex(lines: readonly Line[], cwd: string): Rollout {
  const id = lines[0]?.session ?? "";
  const rollout = new Rollout({ id, session_id: id, cwd, at: lines[0]?.ts });
  const calls = new Map(
    lines.flatMap((line) => (line.kind === "tool_use" && line.id ? [[line.id, line]] : [])),
  );
  const neverMade = new Set(
    lines.flatMap(({ kind, id, text = "" }) =>
      kind === "tool_result" && NEVER_MADE.test(text) ? [id] : [],
    ),
  );
  const plan = new CodexPlan(lines);
  for (const line of lines) {
    const { id = "", kind, text = "" } = line;
    rollout.at(line.ts);
    if (kind === "user" && INTERRUPTED.test(text))
      rollout.event({ type: "turn_aborted", reason: "interrupted" });
    else if (kind === "user") rollout.turn(undefined, cwd).asks(text);
    else if (kind === "assistant") rollout.says(text);
    else if (kind === "compact_summary") rollout.add("compacted", { message: text });
    else if (neverMade.has(line.id)) continue;
    else if (kind === "tool_use") {
      const [name, input] = plan.after(line) ?? callOf(line, cwd);
      rollout.calls(id, name, input);
    } else if (kind === "tool_result") {
      const call = calls.get(id);
      rollout.answers(
        id,
        call ? answerTo(call, line, cwd) : text,
        call !== undefined && isPatch(call),
      );
    }
  }
  return rollout;
}

function callOf({ tool = "", input = {} }: Line, cwd: string): [string, Input | string] {
  const path = shown(input.file_path ?? input.path ?? "", cwd);
  switch (tool) {
    case "Bash":
      return ["exec_command", { cmd: input.command }];
    case "Read":
      return ["exec_command", { cmd: readingOf(path, input) }];
    case "Grep":
      return ["exec_command", { cmd: `rg -n ${inQuotes(input.pattern)} ${path}`.trim() }];
    case "Glob":
      return ["exec_command", { cmd: `rg --files -g ${inQuotes(input.pattern)} ${path}`.trim() }];
    case "Skill":
      return ["exec_command", { cmd: `cat ~/.codex/skills/${input.skill}/SKILL.md` }];
    case "Edit":
      return [
        PATCH,
        patch(`Update File: ${path}`, [
          "@@",
          ...marked("-", input.old_string),
          ...marked("+", input.new_string),
        ]),
      ];
    case "Write":
      return [PATCH, patch(`Add File: ${path}`, marked("+", input.content))];
    case "Task":
      return ["spawn_agent", { message: input.prompt }];
    default:
      return [tool, input];
  }
}

function answerTo(call: Line, { text = "", error = false, id }: Line, cwd: string): string {
  const said = ERROR_TAG.exec(text)?.[1] ?? text;
  const [name, input] = callOf(call, cwd);
  if (name === "spawn_agent" && !error) return JSON.stringify({ agent_id: id, result: said });
  if (name === PATCH && error)
    return `apply_patch verification failed: Failed to find expected lines: ${said}`;
  if (name === PATCH)
    return framed(0, `Success. Updated the following files:\nM ${shown(call.file ?? "", cwd)}`);
  if (name !== "exec_command") return said;
  const { cmd } = input as Input;
  if (REFUSED.test(said)) return `exec_command failed for \`${cmd}\`: Rejected("rejected by user")`;
  const code = error ? Number(EXIT_CODE.exec(said)?.[1] ?? 1) : 0;
  return framed(code, said.replace(EXIT_CODE, "").replaceAll(LINE_NUMBERS, ""));
}

function isPatch({ tool }: Line): boolean {
  return tool === "Edit" || tool === "Write";
}

function readingOf(path: string, { offset, limit }: Input): string {
  const from = Number(offset ?? 1);
  if (offset === undefined && limit === undefined) return `cat ${path}`;
  return `sed -n '${from},${limit === undefined ? "$" : from + Number(limit) - 1}p' ${path}`;
}

function patch(head: string, lines: readonly string[]): string {
  return ["*** Begin Patch", `*** ${head}`, ...lines, "*** End Patch"].join("\n");
}

function marked(mark: string, text: unknown): string[] {
  return String(text)
    .split("\n")
    .map((line) => mark + line);
}

function framed(code: number, output: string): string {
  return `Chunk ID: 000000\nWall time: 0.1000 seconds\nProcess exited with code ${code}\nOutput:\n${output}`;
}

function inQuotes(text: unknown): string {
  return `'${String(text).replaceAll("'", "'\\''")}'`;
}

/** As a model names a file in its working directory. */
function shown(path: unknown, cwd: string): string {
  const text = String(path);
  return text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text;
}
