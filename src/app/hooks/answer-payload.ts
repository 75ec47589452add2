/** Answers one payload of a hook, which came to a hook process or to the server. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type EventKind,
  type HookEvent,
  type HookProtocol,
  nameInProject,
} from "../../ground/clients/hook-event.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { canonicalPath, pathOnDisk } from "../../ground/files/paths.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { failedCommand } from "../../lessons/hooks/failed-command.ts";
import { noteGiven } from "../../lessons/hooks/given-log.ts";
import { isFollowUp, respond } from "../../lessons/hooks/respond.ts";
import {
  type FailedCommand,
  newSession,
  readSessions,
  updateSessions,
  withSession,
} from "../../lessons/hooks/session-file.ts";
import type { Situation } from "../../lessons/hooks/situation.ts";
import { LessonFile } from "../../lessons/jsonl/lesson-file.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { whereItStopped } from "../../sessions/hooks/recorded-start.ts";
import { commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { promptBefore } from "./prompt-before.ts";

export interface Sent {
  readonly event: HookEvent;
  readonly client: HookProtocol;
}

/** A child agent has its own list of given lessons at these events. Its edits and logs count for its parent. */
const OWN_OF_CHILD: readonly EventKind[] = [
  "before-command",
  "before-edit",
  "read",
  "result",
  "failure",
];

/** These events always change the session's state. */
const ALWAYS_NOTED: readonly EventKind[] = ["session-start", "prompt"];

/** Events that start a capture. `session-start` also captures sessions that ended without a report. */
const CAPTURED_AT: readonly EventKind[] = ["session-start", "stop", "session-end"];
/** Events that a client's transcripts lack. */
const OUTCOMES: readonly EventKind[] = ["failure", "result"];

/** Starts a capture, if sessions are recorded and the event is one after which there is something to record. */
export async function captureAt(
  { event: { kind }, client }: Sent,
  { folder }: Project,
  payload: unknown,
): Promise<void> {
  const hasEnded = client.startsCaptures && CAPTURED_AT.includes(kind);
  const isOutcome = client.reportsOutcomes && OUTCOMES.includes(kind);
  if (!(hasEnded || isOutcome) || !logSpeaks(folder)) {
    return;
  }
  const program = commandLineIn(import.meta.dirname);
  await startCapture({ program, folder, payload: JSON.stringify(payload) });
}

/** @returns the JSON for the client, or undefined. @param fromServer the lessons as a running server keeps them. A hook process has to read them itself. */
export async function answerPayload(
  sent: Sent,
  project: Project,
  env: NodeJS.ProcessEnv,
  fromServer?: LessonFile,
): Promise<object | undefined> {
  const { event, client: speaker } = sent;
  const { local } = project.context;
  const now = Date.now();
  const isOfChild = event.childAgent !== "" && OWN_OF_CHILD.includes(event.kind);
  const id = isOfChild ? `${event.session}/${event.childAgent}` : event.session;
  const isFirst = goesOn(sent, project) && !(id in readSessions(local));
  const stopped = isFirst ? await whereItStopped(project, event.session, env) : undefined;
  const addContext: HookProtocol["addContext"] = (text, to) =>
    speaker.addContext(present(stopped, text).join("\n\n"), to);
  const client = { ...speaker, addContext };
  const lessons = fromServer ?? new LessonFile(project.context.memoryFile);
  const situation = await situationOf({ event, client }, project, env, lessons);
  if (!ALWAYS_NOTED.includes(event.kind)) {
    const session = readSessions(local)[id] ?? newSession(now);
    // Most calls change nothing, so they need neither the lock nor a write.
    const response = await respond({ ...situation, session, now });
    if (response.session === session) {
      return undefined;
    }
  }
  return updateSessions(local, async (sessions) => {
    const session = sessions[id] ?? newSession(now);
    const { session: after, output, given } = await respond({ ...situation, session, now });
    if (given) {
      const { ids, trigger, text } = given;
      const tokens = estimateTokens(text);
      const { name: agent } = speaker;
      noteGiven(local, { at: now, session: id, agent, event: event.kind, trigger, ids, tokens });
    }
    const isStart = event.kind === "session-start" && client.callsServer;
    const served = fromServer !== undefined || (isStart ? after.served === true : after.served);
    const seen = { ...after, served, agent: speaker.name };
    const start = stopped === undefined ? undefined : client.addContext("", event);
    return { sessions: withSession(sessions, id, seen, now), result: output ?? start };
  });
}

/** Whether a prompt continues recorded work, for a client that gets no text at a session's start. */
function goesOn({ event, client }: Sent, { folder }: Project): boolean {
  const file = event.kind === "prompt" ? client.goesOnAtPrompt : undefined;
  return file !== undefined && logSpeaks(folder) && !logSpeaks(folder, file);
}

/** Returns the facts for a response, without the session's state. */
async function situationOf(
  { event, client }: Sent,
  project: Project,
  env: NodeJS.ProcessEnv,
  lessons: LessonFile,
): Promise<Omit<Situation, "session" | "now">> {
  const { context, folder } = project;
  const readPolicy = () => readMemoryPolicy(context);
  return {
    event,
    client,
    project: folder,
    file: nameInProject(realFile(event.file), folder),
    promptBefore: isFollowUp(event)
      ? promptBefore(event.transcript, client.name, event.prompt)
      : "",
    hasTriggers: () => tryOr(() => readFileSync(context.memoryFile).includes('"when"'), false),
    read: () => lessons.read(),
    report: () => lessons.report(),
    readPolicy,
    holds: async () => env.SENTINEL_HOLD === "on" || (await readPolicy()).values.hold,
    failed: event.kind === "failure" ? await signatureOf(event, project) : undefined,
    remind: env.SENTINEL_STOP_REMINDER !== "off",
  };
}

/** The failure to remember. A child agent's failure isn't, because its parent logs. */
async function signatureOf(
  { command, output, childAgent }: HookEvent,
  project: Project,
): Promise<FailedCommand | undefined> {
  if (childAgent !== "") {
    return undefined;
  }
  const privacy = await privacyOf(project)();
  const words = tryOr(() => privacy.forStoring(), undefined);
  return words && failedCommand(command, output, words);
}

/** The real path of a file, to compare with the project's real path. */
function realFile(file: string): string {
  const folder = file === "" ? undefined : pathOnDisk(dirname(file));
  return folder === undefined ? file : join(canonicalPath(folder), basename(file));
}
