import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { carriesDigest } from "../../lessons/hooks/digested.ts";
import { unloggedWork } from "../../lessons/hooks/unlogged-work.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { refreshDigest } from "../digest/digest.ts";
import type { Stores } from "../server/server.ts";

/** Opens a project's stores. This reads no files, because each store reads on its first call. */
export function openStores(project: Project): Stores {
  const { context } = project;
  const readPrivacy = privacyOf(project);
  return {
    lessons: new JsonlLessonStore(context.memoryFile, readPrivacy, () => digestAgain(project)),
    readPolicy: () => readMemoryPolicy(context),
    readPrivacy,
    unloggedWork: () => unloggedWork(context.local, Date.now()),
  };
}

/** Updates the digest, if it's on. The lesson is already saved, so a failure is ignored here and `check` reports it. */
async function digestAgain(project: Project): Promise<void> {
  if (!carriesDigest(project.folder)) return;
  await refreshDigest(project).catch(() => {});
}
