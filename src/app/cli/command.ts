import type { DaemonSurroundings } from "../../daemon/terminal/daemon-command.ts";
import type { Add } from "../../ground/terminal/command.ts";
import type { LessonCommandContext } from "../../lessons/terminal/lesson-command.ts";
import type { SessionCommandContext } from "../../sessions/terminal/session-command.ts";

/** The context of a command that joins the wings. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {}

export type AddCommand = Add<CommandContext, DaemonSurroundings>;
