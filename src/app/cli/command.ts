import type { DaemonSurroundings } from "../../daemon/terminal/daemon-command.ts";
import type { Add } from "../../ground/terminal/command.ts";
import type { LessonCommandContext } from "../../lessons/terminal/lesson-command.ts";
import type { SessionCommandContext } from "../../sessions/terminal/session-command.ts";

/** What a command works with that joins the wings. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {}

export type AddCommand = Add<CommandContext, DaemonSurroundings>;
