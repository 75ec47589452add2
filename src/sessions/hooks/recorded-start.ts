/** What the hook of the session log says at the start of a session: to the person that it is recorded, to the model where work stopped. */
import { dirname } from "node:path";
import { claudeCodeProtocol, SESSION_START } from "../../ground/clients/claude-code.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { invocationIn, ownCommand, spellCommands } from "../../ground/terminal/shell.ts";
import { findLog } from "../consent/find-log.ts";
import { readLastCapture } from "../consent/last-capture.ts";
import { obstacleTo } from "../consent/obstacle.ts";
import type { Environment } from "../consent/places.ts";
import { goingOnText } from "./going-on-text.ts";
import { recordedNotice } from "./recorded-notice.ts";
import { captureWithin, commandLineIn } from "./start-capture.ts";

/** How long the first prompt of a session waits for what was not recorded yet. */
const CATCH_UP_MS = 1_500;

interface Started {
  readonly payload: Payload;
  readonly project: Project;
  /** Of the hook; absolute path. */
  readonly script: string;
  readonly env: Environment;
  /** Captures, for a bounded time: reads what is not recorded yet, and what a daemon has now. Resolves with whether that is all. */
  readonly catchUp: () => Promise<boolean>;
}

export const isStart = (payload: Payload): boolean =>
  payload.text("hook_event_name") === SESSION_START;

/** The JSON to print; undefined where nothing is recorded, or nothing is to be said. */
export async function answerStart({
  payload,
  project,
  script,
  env,
  catchUp,
}: Started): Promise<object | undefined> {
  const { status, record } = await findLog(project.folder, env);
  if (status !== "on" || !record) return undefined;
  const invocation = invocationIn(project.folder, commandLineIn(dirname(script)), env.PATH);
  const command = ownCommand(invocation);
  const source = payload.text("source");
  const obstacle = await obstacleTo(project, record.folder);
  const { daemon } = record.manifest;
  const notice = () => {
    const { failed } = readLastCapture(record.folder);
    const text = recordedNotice({ daemon, obstacle, failed });
    return { systemMessage: spellCommands(text, invocation) };
  };
  // A resumed session already has its conversation.
  if (source === "resume" || source === "fork") return notice();
  const session = payload.text("session_id");
  if (source === "compact") {
    const isRead = await catchUp();
    return added(
      await goingOnText({ project, record, session, command, compaction: { isRead } }),
      payload,
    );
  }
  // What others recorded, and what they removed, is at the daemon; here is what the last capture left.
  if (daemon) await catchUp();
  return {
    ...notice(),
    ...added(await goingOnText({ project, record, session, command }), payload),
  };
}

/** Where work stopped, for a client that runs no hook at a start; undefined where nothing is recorded. */
export async function whereItStopped(
  project: Project,
  session: string,
  env: Environment,
): Promise<string | undefined> {
  const { status, record } = await findLog(project.folder, env);
  if (status !== "on" || !record) return undefined;
  const { folder } = project;
  const program = commandLineIn(import.meta.dirname);
  await captureWithin({ program, folder, payload: "{}" }, CATCH_UP_MS);
  return goingOnText({
    project,
    record,
    session,
    command: ownCommand(invocationIn(folder, program, env.PATH)),
  });
}

function added(text: string | undefined, payload: Payload): object | undefined {
  const event = claudeCodeProtocol.read(payload);
  return text === undefined || !event ? undefined : claudeCodeProtocol.addContext(text, event);
}
