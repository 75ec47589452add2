import { SentinelError } from "../core/errors.ts";
import { type FoundRecord, findRecord, type ProjectRecord } from "../project/record/find-record.ts";
import type { CommandContext } from "./command.ts";

/** The project's record; notes on standard error what the person should know of it. */
export async function lookForRecord({ project, env, terminal }: CommandContext): Promise<FoundRecord> {
  const found = await findRecord(project.folder, env);
  for (const problem of found.problems) terminal.note(withFix(problem));
  return found;
}

/** A problem of the record and its fix, as text for people. */
export function withFix({ what, fix }: FoundRecord["problems"][number]): string {
  return `${what}\nfix: ${fix}`;
}

/** @throws SentinelError `not_recorded` where there is none. */
export async function openRecord(context: CommandContext): Promise<ProjectRecord> {
  return mustHaveRecord(await lookForRecord(context), context);
}

/** @throws SentinelError `not_recorded` where there is none. */
export function mustHaveRecord({ record }: FoundRecord, { project }: CommandContext): ProjectRecord {
  if (record) return record;
  throw new SentinelError(
    "not_recorded",
    `There is no record of ${project.folder}.`,
    "sentinel-memory record on starts one; sentinel-memory record list shows all of this machine.",
  );
}
