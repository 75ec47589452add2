/** The hooks that clients start with a payload on standard input: for lessons, or for the session log. The exit status is always 0. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { claudeCodeProtocol } from "../../ground/clients/claude-code.ts";
import { type HookProtocol, Payload } from "../../ground/clients/hook-event.ts";
import { HOOK_PROTOCOLS, readPayload } from "../../ground/clients/hook-protocols.ts";
import { SESSION_HOOK } from "../../ground/clients/launch.ts";
import { parseJson, tryOr } from "../../ground/core/errors.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { answerStart, isStart } from "../../sessions/hooks/recorded-start.ts";
import { captureWithin, commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { answerPayload, captureAt } from "../hooks/answer-payload.ts";

/** The time limit of a lesson hook. When it's reached, the hook ends without an answer. */
const LONGEST_LESSON_HOOK_MS = 3_000;
/** The time limit of the session log's hook. At the end of a session, a client gives all hooks 1.5 s together. */
const LONGEST_SESSION_HOOK_MS = 1_400;
/** The time limit at the start of a session. A start may follow a compaction, which takes about a minute anyway. */
const LONGEST_START_MS = 4_000;
/** How long a start after a compaction waits for the transcript to be recorded. */
const CATCH_UP_MS = 2_000;

/** The client that sent the payload, and the folder in it. Undefined until the payload is read. */
let sender: HookProtocol | undefined;
let folder: string | undefined;

if (process.argv[2] === SESSION_HOOK) {
  void answerSessionHook();
} else {
  void answerLessonHook();
}

/** Prints one JSON text or nothing, and ends the process. `doctor` lists the errors, so they don't disturb the agent. */
async function answerLessonHook(): Promise<void> {
  setTimeout(() => print(silence()), LONGEST_LESSON_HOOK_MS).unref();
  let output: object | undefined;
  try {
    output = await lessonAnswer(await readInput());
  } catch (error) {
    noteError(`a hook failed: ${nameOfError(error)}`);
  }
  print(output ? JSON.stringify(output) : silence());
}

/** The output that the client expects if there is no answer. */
function silence(): string {
  return sender?.silence ? JSON.stringify(sender.silence) : "";
}

/** Prints a text and ends the process. */
function print(output: string): void {
  process.stdout.write(output, () => process.exit(0));
}

/** Reads standard input until it contains a complete payload or ends. A client may leave the pipe open. */
async function readInput(): Promise<string> {
  let input = "";
  for await (const piece of process.stdin.setEncoding("utf8")) {
    input += piece;
    if (isComplete(input)) {
      break;
    }
  }
  return withoutMark(input);
}

/** Whether a text is a complete JSON object. */
function isComplete(input: string): boolean {
  if (!input.slice(-2).includes("}")) {
    return false;
  }
  return parseJson(withoutMark(input)) !== undefined;
}

/** PowerShell writes a byte order mark first. */
function withoutMark(input: string): string {
  return input.replace(/^\uFEFF/, "");
}

async function lessonAnswer(input: string): Promise<object | undefined> {
  const payload: unknown = JSON.parse(input);
  const { client, folder: named, sent, problem } = readPayload(payload);
  sender = client;
  folder = named;
  if (problem !== undefined) {
    noteError(problem);
  }
  if (!sent) {
    return undefined;
  }
  const project = projectOf([sent.client], sent.event.folder);
  if (!existsSync(project.context.shared)) {
    return undefined;
  }
  await captureAt(sent, project, payload);
  return answerPayload(sent, project, process.env);
}

/** Finds the project of a hook. @param clients the clients whose workspace variables count. @param named the folder in the payload. */
function projectOf(clients: readonly HookProtocol[], named?: string): Project {
  const names = ["SENTINEL_PROJECT", ...clients.map(({ workspaceVariable }) => workspaceVariable)];
  const env: Record<string, string | undefined> = {};
  for (const name of names) {
    if (name !== undefined) {
      env[name] = process.env[name];
    }
  }
  return findProject({ env, cwd: named ?? process.cwd() });
}

/** Records an error in the payload's project, or in the current folder's if the payload is unreadable. Does nothing without a memory there. */
function noteError(what: string): void {
  const clients = sender ? [sender] : HOOK_PROTOCOLS;
  const project = tryOr(() => projectOf(clients, folder), undefined);
  if (project && existsSync(project.context.shared)) {
    noteHookError(project.context.local, what);
  }
}

/**
 * Starts a capture and passes the payload to it, and ends the process. At the start of a session it
 * prints the point where work stopped.
 */
async function answerSessionHook(): Promise<void> {
  const limit = endAfter(LONGEST_SESSION_HOOK_MS);
  try {
    const input = await text(process.stdin);
    const payload = new Payload(JSON.parse(input));
    const project = projectOf([claudeCodeProtocol], payload.text("cwd") || undefined);
    const script = process.argv[1] ?? "";
    const start = {
      program: commandLineIn(dirname(script)),
      folder: project.folder,
      payload: input,
    };
    if (isStart(payload)) {
      clearTimeout(limit);
      endAfter(LONGEST_START_MS);
      const catchUp = () => captureWithin(start, CATCH_UP_MS);
      const answer = await answerStart({ payload, project, script, env: process.env, catchUp });
      if (answer) {
        process.stdout.write(JSON.stringify(answer));
      }
    } else {
      await startCapture(start);
    }
  } catch {
    // A hook must not disturb the agent.
  }
  process.stdout.write("", () => process.exit(0));
}

function endAfter(ms: number): NodeJS.Timeout {
  return setTimeout(() => process.exit(0), ms).unref();
}
