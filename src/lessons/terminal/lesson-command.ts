import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { LessonStore } from "../store.ts";

/** What a command about lessons works with. */
export interface LessonCommandContext extends ProjectSurroundings {
  readonly lessons: LessonStore;
}

export type AddLessonCommand = Add<LessonCommandContext>;
