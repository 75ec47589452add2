import type { Problem } from "../../ground/core/errors.ts";
import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { CaptureParts } from "../capture/capture.ts";
import {
  type FoundLog,
  findLog,
  notRecorded,
  obstacleIn,
  type ProjectLog,
} from "../consent/find-log.ts";
import type { EventStore } from "../store.ts";

/** The context of commands about the session log. */
export interface SessionCommandContext extends ProjectSurroundings, CaptureParts {
  /** A bundle contains lessons too. */
  readonly lessons: LessonStore;
}

export type AddSessionCommand = Add<SessionCommandContext>;

/** The project's session log. Prints problems to standard error. */
export async function lookForLog(context: SessionCommandContext): Promise<FoundLog> {
  const found = await findLog(context.project.folder, context.env);
  tellProblems(context, found.problems);
  return found;
}

function tellProblems({ terminal }: SessionCommandContext, problems: readonly Problem[]): void {
  for (const problem of problems) {
    terminal.note(withFix(problem));
  }
}

/** Formats a problem and its fix. */
export const withFix = ({ what, fix }: Problem): string => `${what}\nfix: ${fix}`;

/** The project's session log, if it can be started or used. @throws SentinelError `not_recorded` if its state is unclear, or after a move. */
export async function lookForUsable(context: SessionCommandContext): Promise<FoundLog> {
  const found = await findLog(context.project.folder, context.env);
  const obstacle = obstacleIn(found);
  if (obstacle && found.status !== "copy") {
    throw notRecorded(obstacle);
  }
  tellProblems(context, found.problems);
  return found;
}

/** A session log that can be read. */
export interface Recorded extends FoundLog {
  readonly record: ProjectLog;
}

/** The readable session log and its state. @throws SentinelError `not_recorded` or `old_format` with the reason if it can't be read. */
export async function recorded(context: SessionCommandContext): Promise<Recorded> {
  const { project, env } = context;
  const found = await findLog(project.folder, env);
  const obstacle = obstacleIn(found);
  tellProblems(
    context,
    found.problems.filter((problem) => problem !== obstacle),
  );
  return { ...found, record: mustHaveLog(found, project.folder) };
}

/** Returns the log that was found. @param folder the project's. @throws SentinelError `not_recorded` or `old_format` with the reason if no log was found. */
export function mustHaveLog(found: FoundLog, folder: string): ProjectLog {
  if (found.record) {
    return found.record;
  }
  const fix =
    "sentinel-memory sessions on starts one; sentinel-memory sessions list --projects shows all of this machine.";
  throw notRecorded(obstacleIn(found) ?? { what: `There is no session log of ${folder}.`, fix });
}

export interface OpenLog extends ProjectLog {
  readonly store: EventStore;
}

/** The session log with its event store. @throws SentinelError `not_recorded` if the project has no session log. */
export async function openLog(context: SessionCommandContext): Promise<OpenLog> {
  const { record } = await recorded(context);
  return { ...record, store: context.openEvents(record.folder) };
}
