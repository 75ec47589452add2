import { JsonlLessonStore } from "../lessons/jsonl/store.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Project } from "../project/find-project.ts";

export interface Stores {
  readonly lessons: LessonStore;
}

/** The stores of a project. Opening touches no file; a store reads with its first call. */
export function openStores({ memoryFile }: Project): Stores {
  return { lessons: new JsonlLessonStore(memoryFile) };
}
