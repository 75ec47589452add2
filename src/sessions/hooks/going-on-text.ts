/** Reads the events that resuming needs and formats them. */
import type { Project } from "../../ground/project/find-project.ts";
import { branchOf } from "../../ground/project/git.ts";
import { AFTER_COMPACTION, SHOWN } from "../../lessons/hooks/limits.ts";
import { logTokens, readMemoryPolicy } from "../../lessons/policy.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import { readBriefs } from "../files/briefs.ts";
import { afterCompaction } from "../resume/notes/after-compaction.ts";
import { whereWeStopped } from "../resume/notes/where-we-stopped.ts";

interface GoingOn {
  readonly project: Project;
  readonly record: ProjectLog;
  readonly session: string;
  /** The command that starts the command line here. */
  readonly command: string;
  /** Set if the session continues after a compaction. `isRead` is whether its transcript was read to the end. */
  readonly compaction?: { readonly isRead: boolean };
}

/** Undefined if there is nothing to show. */
export async function goingOnText({
  project,
  record,
  session,
  command,
  compaction,
}: GoingOn): Promise<string | undefined> {
  const now = Date.now();
  const { events } = await readBriefs(record.folder, "recent", now);
  if (compaction)
    return afterCompaction(events, { session, command, ...compaction }, AFTER_COMPACTION);
  const [branch, { values }] = await Promise.all([
    branchOf(project.folder),
    readMemoryPolicy(project.context),
  ]);
  const start = { session, branch, now, command };
  return whereWeStopped(events, start, { ...SHOWN, tokens: logTokens(values) });
}
