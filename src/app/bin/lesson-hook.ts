/** The lesson hook. It reads a payload, prints one JSON text or nothing, and exits with status 0. `doctor` lists its errors, so they don't disturb the agent. */
import { existsSync } from "node:fs";
import type { EventKind, HookProtocol } from "../../ground/clients/hook-event.ts";
import { HOOK_PROTOCOLS, readPayload } from "../../ground/clients/hook-protocols.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { mentions } from "../../lessons/hooks/mentions.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { answerPayload } from "../hooks/answer-payload.ts";

/** The time limit of a hook. When it's reached, the hook ends without an answer. */
const LONGEST_RUN_MS = 3_000;

/** Events that start a capture. `session-start` also captures sessions that ended without a report. */
const CAPTURED_AT: readonly EventKind[] = ["session-start", "stop", "session-end"];
/** Events that a client's transcripts lack. */
const OUTCOMES: readonly EventKind[] = ["failure", "outcome"];
/** Events that only need a lesson with a matching trigger, and have no other effect. */
const AT_ACTION: readonly EventKind[] = ["before-command", "before-edit", "read", "result"];

/** The client that sent the payload, and the folder in it. Undefined until the payload is read. */
let sender: HookProtocol | undefined;
let folder: string | undefined;

/** Answers the payload on standard input, and ends the process. */
export async function answerLessonHook(): Promise<void> {
  setTimeout(() => print(silence()), LONGEST_RUN_MS).unref();
  const output = await readInput()
    .then(answer)
    .catch((error: unknown) => noteError(`a hook failed: ${nameOfError(error)}`));
  print(output ? JSON.stringify(output) : silence());
}

/** The output that the client expects if there is no answer. */
const silence = (): string => (sender?.silence ? JSON.stringify(sender.silence) : "");

/** Prints a text and ends the process. */
function print(text: string): void {
  process.stdout.write(text, () => process.exit(0));
}

/** Reads standard input until it contains a complete payload or ends. A client may leave the pipe open. */
async function readInput(): Promise<string> {
  let input = "";
  for await (const piece of process.stdin.setEncoding("utf8")) {
    input += piece;
    if (isWhole(input)) break;
  }
  return withoutMark(input);
}

/** Whether a text is a complete JSON object. */
const isWhole = (text: string): boolean =>
  text.slice(-2).includes("}") && tryOr(() => JSON.parse(withoutMark(text)) !== undefined, false);

/** PowerShell writes a byte order mark first. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

async function answer(input: string): Promise<object | undefined> {
  const payload: unknown = JSON.parse(input);
  const read = readPayload(payload);
  sender = read.client;
  folder = read.folder;
  if (read.problem !== undefined) return noteError(read.problem);
  const { sent } = read;
  if (!sent) return undefined;
  const { event, client } = sent;
  const project = projectOf([client], event.folder);
  if (!existsSync(project.context.shared)) return undefined;
  if (isCaptured(event.kind, client) && logSpeaks(project.folder)) {
    await startCapture({
      program: commandLineIn(import.meta.dirname),
      folder: project.folder,
      payload: input,
    });
  }
  if (event.kind === "outcome") return undefined;
  if (AT_ACTION.includes(event.kind) && !mentions(project.context.memoryFile, '"when"'))
    return undefined;
  return answerPayload(sent, project, process.env);
}

function isCaptured(kind: EventKind, client: HookProtocol): boolean {
  if (client.reportsOutcomes && OUTCOMES.includes(kind)) return true;
  return client.startsCaptures === true && CAPTURED_AT.includes(kind);
}

/** Finds the project of a hook. @param clients the clients whose workspace variables count. @param folder the folder in the payload. */
export function projectOf(clients: readonly HookProtocol[], folder?: string): Project {
  const names = ["SENTINEL_PROJECT", ...clients.map(({ workspaceVariable }) => workspaceVariable)];
  const env: Record<string, string | undefined> = {};
  for (const name of names) if (name !== undefined) env[name] = process.env[name];
  return findProject({ env, cwd: folder ?? process.cwd() });
}

/** Records an error in the payload's project, or in the current folder's if the payload is unreadable. Does nothing without a memory there. */
function noteError(what: string): undefined {
  const clients = sender ? [sender] : HOOK_PROTOCOLS;
  const project = tryOr(() => projectOf(clients, folder), undefined);
  if (project && existsSync(project.context.shared)) noteHookError(project.context.local, what);
  return undefined;
}
