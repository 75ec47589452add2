/** The stores of a project, as the server and the command line open them. */

import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf, type ReadPrivacy } from "../../ground/project/privacy.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { type MemoryPolicy, readMemoryPolicy } from "../../lessons/policy.ts";
import type { LessonStore } from "../../lessons/store.ts";

export interface Stores {
  readonly lessons: LessonStore;
  /** The project's policy for its memory, read now. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
  /** What must not be stored, read now. */
  readonly readPrivacy: ReadPrivacy;
}

/** The stores of a project. Opening touches no file; a store reads with its first call. */
export function openStores(project: Project): Stores {
  const { context } = project;
  const readPrivacy = privacyOf(project);
  return {
    lessons: new JsonlLessonStore(context.memoryFile, readPrivacy),
    readPolicy: () => readMemoryPolicy(context),
    readPrivacy,
  };
}
