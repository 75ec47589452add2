/** The tools of the server, by feature. `test/policy/tools.test.ts` checks the rules for all of them. */
import type { Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../../lessons/answers/answer.ts";
import { LESSON_TOOLS, type LessonToolContext } from "../../lessons/tools/handlers.ts";
import type { SessionAnswer, SessionToolContext } from "../../sessions/tools/recording.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";

export interface ServerContext extends LessonToolContext, SessionToolContext {}

export type ServerTool = Tool<ServerContext, Answer | SessionAnswer>;

export const TOOLSETS: Readonly<Record<"lessons" | "sessions", readonly ServerTool[]>> = {
  lessons: LESSON_TOOLS,
  sessions: SESSION_TOOLS,
};
