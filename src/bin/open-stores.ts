/** The stores of a project, as the server and the command line open them. */
import { JsonlLessonStore } from "../lessons/jsonl/store.ts";
import { type MemoryPolicy, readMemoryPolicy } from "../lessons/policy.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Project } from "../project/find-project.ts";

export interface Stores {
  readonly lessons: LessonStore;
  /** The project's policy for its memory, read now. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
}

/** The stores of a project. Opening touches no file; a store reads with its first call. */
export function openStores({ context }: Project): Stores {
  return { lessons: new JsonlLessonStore(context.memoryFile), readPolicy: () => readMemoryPolicy(context) };
}
