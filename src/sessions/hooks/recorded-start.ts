/** Answers the session log's hook at the start of a session: a notice for the user, and the last state of work for the model. */
import { dirname } from "node:path";
import { claudeCodeProtocol, SESSION_START } from "../../ground/clients/claude-code.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import type { Problem } from "../../ground/core/errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { branchOf } from "../../ground/project/git.ts";
import { invocationIn, ownCommand, spellCommands } from "../../ground/terminal/shell.ts";
import { AFTER_COMPACTION, SHOWN } from "../../lessons/hooks/limits.ts";
import { logTokens, readMemoryPolicy } from "../../lessons/policy.ts";
import { isFirstNotice } from "../consent/change-log.ts";
import { type FoundLog, findLog, isOn, type ProjectLog } from "../consent/find-log.ts";
import { readLastCapture } from "../consent/last-capture.ts";
import { obstacleTo } from "../consent/obstacle.ts";
import type { Environment } from "../consent/places.ts";
import { readBriefs } from "../files/briefs.ts";
import { afterCompaction, whereWeStopped } from "../resume/notes/notes.ts";
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
  if (moved !== undefined) {
    return { systemMessage: spellCommands(moved, invocation) };
  }
  const { status, record } = found;
  if (status !== "on" || !record) {
    return undefined;
  }
  const command = ownCommand(invocation);
  const source = payload.text("source");
  const obstacle = await obstacleTo(project, record.folder);
  const { daemon } = record.manifest;
  const notice = () => ({
    systemMessage: spellCommands(recordedNotice(record, obstacle), invocation),
  });
  // A resumed session already has its conversation.
  if (source === "resume" || source === "fork") {
    return notice();
  }
  const goingOn = { project, record, session: payload.text("session_id"), command };
  if (source === "compact") {
    const compaction = { isRead: await catchUp() };
    return added(await goingOnText({ ...goingOn, compaction }), payload);
  }
  // Other people's changes are on the daemon. The local copy is as old as the last capture.
  if (daemon) {
    await catchUp();
  }
  return { ...notice(), ...added(await goingOnText(goingOn), payload) };
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
  if (moved !== undefined) {
    return spellCommands(moved, invocation);
  }
  const { status, record } = found;
  if (status !== "on" || !record) {
    return undefined;
  }
  await captureWithin({ program, folder, payload: "{}" }, CATCH_UP_MS);
  return goingOnText({ project, record, session, command: ownCommand(invocation) });
}

/** Says once that a project was moved, so recording is off. Undefined if it wasn't, or if recording was off before. */
async function movedNotice({ status, record, home, problems }: FoundLog) {
  const problem = problems.at(-1);
  if (status !== "moved" || !record || !problem || !isOn(record.manifest)) {
    return undefined;
  }
  const isFirst = await isFirstNotice(record, home.path);
  return isFirst ? `${problem.what} Run ${problem.fix}.` : undefined;
}

/** The hook adapts the commands to this installation. @param obstacle to the next capture. */
function recordedNotice(
  { folder, manifest: { daemon } }: ProjectLog,
  obstacle: Problem | undefined,
): string {
  if (obstacle) {
    return `Sentinel Memory does not record this session, though recording is on. ${obstacle.what} ${obstacle.fix}`;
  }
  const where = daemon ? `at ${daemon.url}, channel ${daemon.channel}` : "on this machine only";
  const { failed } = readLastCapture(folder);
  const trouble = failed
    ? ` But the last capture failed, and nothing new is recorded until one succeeds. ${failed.what} ${failed.fix}`
    : "";
  return `Sentinel Memory records this session, ${where}. sentinel-memory sessions skip leaves it out, sentinel-memory sessions off ends it.${trouble}`;
}

interface GoingOn {
  readonly project: Project;
  readonly record: ProjectLog;
  readonly session: string;
  /** The command that starts the command line here. */
  readonly command: string;
  /** Set if the session continues after a compaction. `isRead` is whether its transcript was read to the end. */
  readonly compaction?: { readonly isRead: boolean };
}

/** Reads the events that resuming needs and formats them. Undefined if there is nothing to show. */
async function goingOnText({
  project,
  record,
  session,
  command,
  compaction,
}: GoingOn): Promise<string | undefined> {
  const now = Date.now();
  const events = await readBriefs(record.folder, "recent", now);
  if (compaction) {
    return afterCompaction(events, { session, command, ...compaction }, AFTER_COMPACTION);
  }
  const [branch, { values }] = await Promise.all([
    branchOf(project.folder),
    readMemoryPolicy(project.context),
  ]);
  const start = { session, branch, now, command };
  return whereWeStopped(events, start, { ...SHOWN, tokens: logTokens(values) });
}

function added(text: string | undefined, payload: Payload): object | undefined {
  const event = claudeCodeProtocol.read(payload);
  return text === undefined || !event ? undefined : claudeCodeProtocol.addContext(text, event);
}
