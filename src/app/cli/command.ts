import type { DaemonSurroundings } from "../../daemon/terminal/surroundings.ts";
import type { Add } from "../../ground/terminal/command.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import type { Viewer } from "../viewer/viewer.ts";

/** The context of a command that joins the wings. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {
  /** The viewer's bundle is loaded for the one command that needs it. */
  readonly loadViewer: () => Promise<Viewer>;
}

export type AddCommand = Add<CommandContext, DaemonSurroundings>;
