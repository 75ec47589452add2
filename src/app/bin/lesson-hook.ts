/** The lesson hook: a payload in, one JSON text or nothing out, status 0. Errors are only listed for `doctor`, so that they don't disturb the agent. */
import { existsSync, read, writeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { EventKind, HookProtocol } from "../../ground/clients/hook-event.ts";
import {
  folderIn,
  HOOK_PROTOCOLS,
  readEvent,
  senderOf,
  whyUnreadable,
} from "../../ground/clients/hook-protocols.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { mentions } from "../../lessons/hooks/mentions.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { answerPayload } from "../hooks/answer-payload.ts";

/** The longest run of a hook. After it, the hook ends without an answer. */
const LONGEST_RUN_MS = 3_000;

/** The capacity of a pipe. */
const READ_BYTES = 65_536;

/** A start captures the sessions that ended without a report. */
const CAPTURED_AT: readonly EventKind[] = ["session-start", "stop", "session-end"];
/** Events that a client's transcripts lack. */
const OUTCOMES: readonly EventKind[] = ["failure", "outcome"];
/** Events that only a lesson with a trigger answers, and that change nothing else. */
const AT_ACTION: readonly EventKind[] = ["before-command", "before-edit", "read", "result"];

let isReading = true;
/** The client that sent the payload, and the folder in it. Undefined until they are known. */
let sender: HookProtocol | undefined;
let folder: string | undefined;

/** Answers the payload on standard input, and ends the process. */
export async function answerLessonHook(): Promise<void> {
  // An exit waits for a pending read, which may never end.
  setTimeout(() => {
    if (isReading) process.kill(process.pid, "SIGKILL");
    print(silence());
  }, LONGEST_RUN_MS).unref();
  const output = await readInput()
    .then(answer)
    .catch((error: unknown) => noteError(`a hook failed: ${nameOfError(error)}`));
  print(output ? JSON.stringify(output) : silence());
}

/** The output for the client without an answer. */
const silence = (): string => (sender?.silence ? JSON.stringify(sender.silence) : "");

/** Prints a text, and ends the process. */
function print(text: string): void {
  // Opening `process.stdout` takes longer.
  let left = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
    process.exit(0);
  } catch {
    // The pipe is full: a stream waits for it.
    process.stdout.write(left, () => process.exit(0));
  }
}

/** Standard input until it is a whole payload, or until its end: a client may leave the pipe open. */
async function readInput(): Promise<string> {
  let input = Buffer.alloc(0);
  for (let hasMore = true; hasMore && !isWhole(input); ) {
    const piece = await readPiece();
    input = Buffer.concat([input, piece]);
    hasMore = piece.length > 0;
  }
  isReading = false;
  if (isWhole(input)) return textOf(input);
  // A pipe that doesn't block looks as if it had ended.
  return textOf(Buffer.concat([input, await buffer(process.stdin)]));
}

/** The next piece of standard input, empty at its end or if it can't be read. */
function readPiece(): Promise<Buffer> {
  const piece = Buffer.alloc(READ_BYTES);
  return new Promise((done) =>
    read(0, piece, (_error, bytes = 0) => done(piece.subarray(0, bytes))),
  );
}

/** Whether bytes are a complete JSON object. */
function isWhole(bytes: Buffer): boolean {
  return (
    bytes.subarray(-2).includes("}") && tryOr(() => JSON.parse(textOf(bytes)) !== undefined, false)
  );
}

/** PowerShell pipes a byte-order mark first. */
const textOf = (bytes: Buffer): string => bytes.toString().replace(/^\uFEFF/, "");

async function answer(input: string): Promise<object | undefined> {
  const payload: unknown = JSON.parse(input);
  sender = senderOf(payload);
  folder = folderIn(payload);
  const sent = readEvent(payload);
  if (!sent) {
    const why = whyUnreadable(payload);
    return why === undefined ? undefined : noteError(why);
  }
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

/** The project of a hook. @param clients those whose workspace variables count. @param folder from the payload. */
function projectOf(clients: readonly HookProtocol[], folder?: string): Project {
  const names = ["SENTINEL_PROJECT", ...clients.map(({ workspaceVariable }) => workspaceVariable)];
  const env: Record<string, string | undefined> = {};
  for (const name of names) if (name !== undefined) env[name] = process.env[name];
  return findProject({ env, cwd: folder ?? process.cwd() });
}

/** Lists an error in the project of the payload, or around this process if that is unreadable. Needs a memory there. */
function noteError(what: string): undefined {
  const clients = sender ? [sender] : HOOK_PROTOCOLS;
  const project = tryOr(() => projectOf(clients, folder), undefined);
  if (project && existsSync(project.context.shared)) noteHookError(project.context.local, what);
  return undefined;
}
