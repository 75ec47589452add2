/** Reads what is needed to go on, and puts it into words. */

import { afterCompaction } from "../active-context/going-on/after-compaction.ts";
import { whereWeStopped } from "../active-context/going-on/where-we-stopped.ts";
import { readRecent, readStart } from "../events/jsonl/recent-file.ts";
import { readMemoryPolicy, recordTokens } from "../lessons/policy.ts";
import type { Project } from "../project/find-project.ts";
import { branchOf } from "../project/git.ts";
import type { ProjectRecord } from "../project/record/find-record.ts";
import { AFTER_COMPACTION, SHOWN } from "./limits.ts";

interface GoingOn {
  readonly project: Project;
  readonly record: ProjectRecord;
  readonly session: string;
  /** What starts the command line there. */
  readonly command: string;
  /** Where the session goes on after a compaction: whether its transcript was read to the end. */
  readonly compaction?: { readonly isRead: boolean };
}

/** Undefined where there is nothing to say. */
export async function goingOnText({
  project,
  record,
  session,
  command,
  compaction,
}: GoingOn): Promise<string | undefined> {
  const now = Date.now();
  const { folder } = record;
  if (compaction)
    return afterCompaction(await readRecent(folder, now), { session, command, ...compaction }, AFTER_COMPACTION);
  const events = await readStart(folder, now);
  const [branch, { values }] = await Promise.all([branchOf(project.folder), readMemoryPolicy(project.context)]);
  return whereWeStopped(events, { session, branch, now, command }, { ...SHOWN, tokens: recordTokens(values) });
}
