import type { Add } from "../../ground/terminal/command.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";

/** The context of commands that use both the lessons and the session log. */
export interface CommandContext extends LessonCommandContext, SessionCommandContext {}

export type AddCommand = Add<CommandContext>;
