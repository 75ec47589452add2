/** Answers the session log's hook at the start of a session: a notice for the user, and the last state of work for the model. */
import { dirname } from "node:path";
import { claudeCodeProtocol, SESSION_START } from "../../ground/clients/claude-code.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { invocationIn, ownCommand, spellCommands } from "../../ground/terminal/shell.ts";
import { isFirstNotice } from "../consent/change-log.ts";
import { type FoundLog, findLog } from "../consent/find-log.ts";
import { readLastCapture } from "../consent/last-capture.ts";
import { isOn } from "../consent/manifest.ts";
import { obstacleTo } from "../consent/obstacle.ts";
import type { Environment } from "../consent/places.ts";
import { goingOnText } from "./going-on-text.ts";
import { recordedNotice } from "./recorded-notice.ts";
import { captureWithin, commandLineIn } from "./start-capture.ts";

/** The longest wait of a first prompt for a capture. */
const CATCH_UP_MS = 1_500;

interface Started {
  readonly payload: Payload;
  readonly project: Project;
  /** The hook's absolute path. */
  readonly script: string;
  readonly env: Environment;
  /** Captures for a limited time, including changes on a daemon. Resolves to whether the capture finished. */
  readonly catchUp: () => Promise<boolean>;
}

export const isStart = (payload: Payload): boolean =>
  payload.text("hook_event_name") === SESSION_START;

/** The JSON to print. Undefined if nothing is recorded or there is nothing to show. */
export async function answerStart({
  payload,
  project,
  script,
  env,
  catchUp,
}: Started): Promise<object | undefined> {
  const found = await findLog(project.folder, env);
  const invocation = invocationIn(project.folder, commandLineIn(dirname(script)), env.PATH);
  const moved = await movedNotice(found);
  if (moved !== undefined) return { systemMessage: spellCommands(moved, invocation) };
  const { status, record } = found;
  if (status !== "on" || !record) return undefined;
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
  // Other people's changes are on the daemon. The local copy is as old as the last capture.
  if (daemon) await catchUp();
  return {
    ...notice(),
    ...added(await goingOnText({ project, record, session, command }), payload),
  };
}

/** The last state of work, for clients without a start hook. Undefined if nothing is recorded. */
export async function whereItStopped(
  project: Project,
  session: string,
  env: Environment,
): Promise<string | undefined> {
  const found = await findLog(project.folder, env);
  const { folder } = project;
  const program = commandLineIn(import.meta.dirname);
  const invocation = invocationIn(folder, program, env.PATH);
  const moved = await movedNotice(found);
  if (moved !== undefined) return spellCommands(moved, invocation);
  const { status, record } = found;
  if (status !== "on" || !record) return undefined;
  await captureWithin({ program, folder, payload: "{}" }, CATCH_UP_MS);
  return goingOnText({
    project,
    record,
    session,
    command: ownCommand(invocation),
  });
}

/** Says once that a project was moved, so recording is off. Undefined if it wasn't, or if recording was off before. */
async function movedNotice({ status, record, home, problems }: FoundLog) {
  const problem = problems.at(-1);
  if (status !== "moved" || !record || !problem || !isOn(record.manifest)) return undefined;
  return (await isFirstNotice(record, home.path))
    ? `${problem.what} Run ${problem.fix}.`
    : undefined;
}

function added(text: string | undefined, payload: Payload): object | undefined {
  const event = claudeCodeProtocol.read(payload);
  return text === undefined || !event ? undefined : claudeCodeProtocol.addContext(text, event);
}
