/** The hook of the lessons: payload in, one JSON text or nothing out, status 0. Errors are silent, so that no hook disturbs the agent. */
import { existsSync, read, writeSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { claudeCodeProtocol } from "../../ground/clients/claude-code.ts";
import type { EventKind, HookProtocol } from "../../ground/clients/hook-event.ts";
import { readEvent, senderOf, whyUnreadable } from "../../ground/clients/hook-protocols.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { mentions } from "../../lessons/hooks/mentions.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { answerPayload } from "../hooks/answer-payload.ts";

/** The longest a hook may take; after it, the hook ends without an answer. */
const LONGEST_RUN_MS = 3_000;

/** As much as a pipe holds at once. */
const READ_BYTES = 65_536;

/** A start captures what was left where no end was reported. */
const CAPTURED_AT: readonly EventKind[] = ["session-start", "stop", "session-end"];
/** What a client's hooks report because its transcripts don't. */
const OUTCOMES: readonly EventKind[] = ["failure", "outcome"];
/** Events that only a lesson with a trigger answers, and that change nothing else. */
const AT_ACTION: readonly EventKind[] = ["before-command", "before-edit", "read", "result"];

let isReading = true;
/** What is printed where there is nothing to say. */
let silence = "";

/** Answers the payload on standard input, and ends the process. */
export async function answerLessonHook(): Promise<void> {
  // An exit waits for a reading, which a client can keep waiting for ever.
  setTimeout(() => {
    if (isReading) process.kill(process.pid, "SIGKILL");
    print(silence);
  }, LONGEST_RUN_MS).unref();
  // Most events get no answer, and then opening the output is time lost.
  const output = await readInput()
    .then(answer)
    .catch((error: unknown) => noteError(`a hook failed: ${nameOfError(error)}`));
  print(output ? JSON.stringify(output) : silence);
}

/** Prints a text, and ends the process. */
function print(text: string): void {
  let left = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
    process.exit(0);
  } catch {
    // A pipe that is full for now: a stream waits for it.
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
  // A pipe that does not wait looks as if it had ended.
  return textOf(Buffer.concat([input, await buffer(process.stdin)]));
}

/** The next piece of standard input; an empty one at its end, and where nothing can be read. */
function readPiece(): Promise<Buffer> {
  const piece = Buffer.alloc(READ_BYTES);
  return new Promise((done) =>
    read(0, piece, (_error, bytes = 0) => done(piece.subarray(0, bytes))),
  );
}

/** Whether bytes are all of a JSON object. A long one is parsed only once it looks complete. */
function isWhole(bytes: Buffer): boolean {
  return (
    bytes.subarray(-2).includes("}") && tryOr(() => JSON.parse(textOf(bytes)) !== undefined, false)
  );
}

/** PowerShell writes a byte order mark before what it pipes. */
const textOf = (bytes: Buffer): string => bytes.toString().replace(/^\uFEFF/, "");

async function answer(input: string): Promise<object | undefined> {
  const payload: unknown = JSON.parse(input);
  const sender = senderOf(payload);
  if (sender?.silence) silence = JSON.stringify(sender.silence);
  const sent = readEvent(payload);
  if (!sent) {
    const why = whyUnreadable(payload);
    return why === undefined ? undefined : noteError(why);
  }
  const { event, client } = sent;
  const project = projectOf(client, event.folder);
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

/** The project that a client's hook is about. @param folder as the payload names it. */
function projectOf({ workspaceVariable }: Partial<HookProtocol>, folder?: string): Project {
  const { env } = process;
  const hints = workspaceVariable ? { [workspaceVariable]: env[workspaceVariable] } : {};
  return findProject({
    env: { SENTINEL_PROJECT: env.SENTINEL_PROJECT, ...hints },
    cwd: folder ?? process.cwd(),
  });
}

/** Lists an error where a project with a memory is; the agent goes on without an answer. */
function noteError(what: string): undefined {
  const project = tryOr(() => projectOf(claudeCodeProtocol), undefined);
  if (project && existsSync(project.context.shared)) noteHookError(project.context.local, what);
  return undefined;
}
