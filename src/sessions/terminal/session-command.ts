import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { CaptureParts } from "../capture/capture-here.ts";

/** What a command about the session log works with. */
export interface SessionCommandContext extends ProjectSurroundings, CaptureParts {
  /** A bundle holds lessons too. */
  readonly lessons: LessonStore;
}

export type AddSessionCommand = Add<SessionCommandContext>;
