import type { DaemonSurroundings } from "../../daemon/terminal/surroundings.ts";
import type { Add } from "../../ground/terminal/command.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import type { Viewer } from "../viewer/viewer.ts";

/** The context of commands that use both the lessons and the session log. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {
  /** Loads the viewer's bundle, which only `view` needs. */
  readonly loadViewer: () => Promise<Viewer>;
}

export type AddCommand = Add<CommandContext, DaemonSurroundings>;
