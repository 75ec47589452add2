import { JsonlEventStore } from "../events/jsonl/store.ts";
import { eventRedactor } from "../events/redactor.ts";
import type { EventStore } from "../events/store.ts";
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

/** The events of a record, in its folder. Opening touches no file. */
export function openEvents(folder: string): EventStore {
  return new JsonlEventStore({ folder, redactor: eventRedactor(), now: Date.now });
}
