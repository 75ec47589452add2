import type { DaemonSurroundings } from "./daemon-command.ts";
import type { LessonCommandContext } from "./lesson-command.ts";
import type { SessionCommandContext } from "./session-command.ts";
import type { Add } from "./terminal/command.ts";

/** What a command works with that joins the wings. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {}

export type AddCommand = Add<CommandContext, DaemonSurroundings>;
