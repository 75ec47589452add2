import type { Saved, SaveOptions } from "./changes/save.ts";
import type { JsonlLessonStore } from "./jsonl/store.ts";

export type { Saved, SaveOptions };

/** A store of lessons. Its class has the guarantees. */
export type LessonStore = Pick<JsonlLessonStore, keyof JsonlLessonStore>;
