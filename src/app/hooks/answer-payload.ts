/** Answers one payload of a hook, which came to a hook process or to the server. */
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
import { failureSignature } from "../../lessons/hooks/failure-signature.ts";
import { noteGiven } from "../../lessons/hooks/given-log.ts";
import { openMemoryFile } from "../../lessons/hooks/memory-file.ts";
import { mentions } from "../../lessons/hooks/mentions.ts";
import { respond } from "../../lessons/hooks/respond.ts";
import { newSession, withSession } from "../../lessons/hooks/session-changes.ts";
import {
  type FailedCommand,
  readSessions,
  type Session,
  updateSessions,
} from "../../lessons/hooks/session-file.ts";
import type { Response } from "../../lessons/hooks/situation.ts";
import type { SolvedFailure } from "../../lessons/hooks/solved-failures.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { whereItStopped } from "../../sessions/hooks/recorded-start.ts";

export interface Sent {
  readonly event: HookEvent;
  readonly client: HookProtocol;
}

/** The state of a running server. A hook process has to read the lessons itself. */
export interface FromServer {
  readonly lessons: ReturnType<typeof openMemoryFile>;
  readonly solved: readonly SolvedFailure[];
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

/** @returns the JSON for the client, or undefined. @param server absent in a hook process. */
export async function answerPayload(
  { event, client: speaker }: Sent,
  project: Project,
  env: NodeJS.ProcessEnv,
  server?: FromServer,
): Promise<object | undefined> {
  const { context } = project;
  const lessons = server?.lessons ?? openMemoryFile(context.memoryFile);
  const isOfChild = event.childAgent !== "" && OWN_OF_CHILD.includes(event.kind);
  const id = isOfChild ? `${event.session}/${event.childAgent}` : event.session;
  const now = Date.now();
  const file = event.kind === "prompt" ? speaker.goesOnAtPrompt : undefined;
  const goesOn =
    file !== undefined && logSpeaks(project.folder) && !logSpeaks(project.folder, file);
  const isFirst = goesOn && !(id in readSessions(context.local));
  const stopped = isFirst ? await whereItStopped(project, event.session, env) : undefined;
  const failed = event.kind === "failure" ? await signatureOf(event, project) : undefined;
  const addContext: HookProtocol["addContext"] = (text, to) =>
    speaker.addContext(present(stopped, text).join("\n\n"), to);
  const client = { ...speaker, addContext };
  const respondWith = (session: Session): Promise<Response> =>
    respond({
      event,
      client,
      project: project.folder,
      file: nameInProject(realFile(event.file), project.folder),
      mentions: (word) => mentions(context.memoryFile, word),
      session,
      read: () => lessons.read(),
      report: () => lessons.report(),
      readPolicy: () => readMemoryPolicy(context),
      holds: async () =>
        env.SENTINEL_HOLD === "on" || (await readMemoryPolicy(context)).values.hold,
      solved: server?.solved ?? [],
      failed,
      now,
      remind: env.SENTINEL_STOP_REMINDER !== "off",
    });
  if (!ALWAYS_NOTED.includes(event.kind)) {
    const before = readSessions(context.local)[id] ?? newSession(now);
    // Most calls change nothing, so they need neither the lock nor a write.
    if ((await respondWith(before)).session === before) return undefined;
  }
  return updateSessions(context.local, async (sessions) => {
    const { session: after, output, given } = await respondWith(sessions[id] ?? newSession(now));
    if (given) {
      const { ids, trigger, text } = given;
      noteGiven(context.local, {
        at: now,
        session: id,
        agent: speaker.name,
        event: event.kind,
        trigger,
        ids,
        tokens: estimateTokens(text),
      });
    }
    const isStart = event.kind === "session-start" && client.callsServer;
    const served = server !== undefined || (isStart ? after.served === true : after.served);
    const seen = { ...after, served, agent: speaker.name };
    return {
      sessions: withSession(sessions, id, seen, now),
      result: output ?? (stopped === undefined ? undefined : client.addContext("", event)),
    };
  });
}

/** The failure to remember. A child agent's failure isn't, because its parent logs. */
async function signatureOf(
  { command, output, childAgent }: HookEvent,
  project: Project,
): Promise<FailedCommand | undefined> {
  if (childAgent !== "") return undefined;
  const privacy = await privacyOf(project)();
  const words = tryOr(() => privacy.forStoring(), undefined);
  return words && failureSignature(command, output, words);
}

/** The real path of a file, to compare with the project's real path. */
function realFile(file: string): string {
  const folder = file === "" ? undefined : pathOnDisk(dirname(file));
  return folder === undefined ? file : join(canonicalPath(folder), basename(file));
}
