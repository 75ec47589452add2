/** The product as an agent meets it: a memory file, the text of its hooks, and calls of its tools. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));
const HOOK = fileURLToPath(new URL("../../dist/server/hook.cjs", import.meta.url));

/** The memories of this run, removed when it ends. */
const memories = mkdtempSync(join(tmpdir(), "evaluate-memories-"));
process.once("exit", () => rmSync(memories, { recursive: true, force: true }));

/** Writes a memory with these lessons and returns its file. `path` is optional in a lesson. */
export function memoryOf(lessons) {
  const folder = mkdtempSync(join(memories, "memory-"));
  mkdirSync(join(folder, ".context"));
  const calls = lessons.map(({ topic, missing, lesson, path }) => ({
    name: "log_memory",
    arguments: {
      topic,
      missing_context: missing,
      lesson,
      when: path === undefined ? "none" : `path: ${path}`,
    },
  }));
  callTools(folder, calls);
  return memoryIn(folder);
}

/** Puts a copy of a memory into a project. */
export function installMemory(file, project) {
  mkdirSync(join(project, ".context"), { recursive: true });
  copyFileSync(file, memoryIn(project));
}

/** What the hook adds for this event, "" if nothing. */
export function hookText(project, payload) {
  const input = JSON.stringify({ session_id: project, cwd: project, ...payload });
  const { stdout } = spawnSync(process.execPath, [HOOK], { input, cwd: project, encoding: "utf8" });
  if (stdout.trim() === "") {
    return "";
  }
  return JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? "";
}

/** The texts that the server's tools answer to these calls. */
export function callTools(project, calls) {
  const client = { name: "evaluate", version: "1" };
  const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client };
  const messages = [
    { jsonrpc: "2.0", id: "start", method: "initialize", params: handshake },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...calls.map((params, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params })),
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { stdout } = spawnSync(process.execPath, [CLI, "--project", project], {
    input,
    cwd: project,
    encoding: "utf8",
  });
  const answers = new Map();
  for (const line of stdout.trim().split("\n")) {
    const answer = JSON.parse(line);
    answers.set(answer.id, answer);
  }
  return calls.map((_, id) => textOfAnswer(answers.get(id)));
}

function textOfAnswer(answer) {
  if (answer?.result === undefined) {
    return `The call failed: ${JSON.stringify(answer?.error)}`;
  }
  return answer.result.content.map(({ text }) => text).join("\n");
}

function memoryIn(project) {
  return join(project, ".context", "memory_log.jsonl");
}
