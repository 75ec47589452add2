import { SentinelError } from "../../ground/core/errors.ts";
import { type FoundRecord, findRecord, obstacleIn, type ProjectRecord } from "../consent/find-record.ts";
import type { SessionCommandContext } from "./session-command.ts";

/** The project's record; notes on standard error what the person should know of it. */
export async function lookForRecord({ project, env, terminal }: SessionCommandContext): Promise<FoundRecord> {
  const found = await findRecord(project.folder, env);
  for (const problem of found.problems) terminal.note(withFix(problem));
  return found;
}

/** A problem of the record and its fix, as text for people. */
export function withFix({ what, fix }: FoundRecord["problems"][number]): string {
  return `${what}\nfix: ${fix}`;
}

/** The project's record, where one can be begun or gone on with. @throws SentinelError `not_recorded` where nobody can say what there is. */
export async function lookForUsable(context: SessionCommandContext): Promise<FoundRecord> {
  const found = await findRecord(context.project.folder, context.env);
  return found.status === "unclear" ? recorded(context) : lookForRecord(context);
}

export interface Recorded extends FoundRecord {
  readonly record: ProjectRecord;
}

/** The record with what is known of it. @throws SentinelError `not_recorded`, with why, where there is none that can be read. */
export async function recorded({ project, env, terminal }: SessionCommandContext): Promise<Recorded> {
  const found = await findRecord(project.folder, env);
  const { record } = found;
  const obstacle = obstacleIn(found);
  for (const problem of found.problems) if (problem !== obstacle) terminal.note(withFix(problem));
  if (record) return { ...found, record };
  if (obstacle) throw new SentinelError("not_recorded", obstacle.what, obstacle.fix);
  throw new SentinelError(
    "not_recorded",
    `There is no record of ${project.folder}.`,
    "sentinel-memory record on starts one; sentinel-memory record list shows all of this machine.",
  );
}

/** @throws SentinelError `not_recorded` where there is none. */
export async function openRecord(context: SessionCommandContext): Promise<ProjectRecord> {
  return (await recorded(context)).record;
}
