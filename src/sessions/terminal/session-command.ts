import type { OwnWords } from "../../ground/redaction/own-words.ts";
import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { EventStore } from "../store.ts";

/** What a command about the session log works with. */
export interface SessionCommandContext extends ProjectSurroundings {
  /** A bundle holds lessons too. */
  readonly lessons: LessonStore;
  /** Opens the events of a session log. @param folder the session log's. @param words what is never stored, where events are appended. */
  readonly openEvents: (folder: string, words?: OwnWords) => EventStore;
}

export type AddSessionCommand = Add<SessionCommandContext>;
