import type { LessonStore } from "../lessons/store.ts";
import type { Add, ProjectSurroundings } from "./terminal/command.ts";

/** What a command about lessons works with. */
export interface LessonCommandContext extends ProjectSurroundings {
  readonly lessons: LessonStore;
}

export type AddLessonCommand = Add<LessonCommandContext>;
