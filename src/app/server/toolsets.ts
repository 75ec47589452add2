/** The tools of all wings; `test/policy/tools.test.ts` says what every tool must do. */
import type { Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../../lessons/answers/answer.ts";
import type { LessonToolContext } from "../../lessons/tools/context.ts";
import { LESSON_TOOLS } from "../../lessons/tools/tools.ts";
import type { SessionAnswer, SessionToolContext } from "../../sessions/tools/context.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";

export interface ServerContext extends LessonToolContext, SessionToolContext {}

export type ServerTool = Tool<ServerContext, Answer | SessionAnswer>;

/** The sets by name. */
export const TOOLSETS = { lessons: LESSON_TOOLS, sessions: SESSION_TOOLS } as const;

export const ALL_TOOLS: readonly ServerTool[] = Object.values(TOOLSETS).flat();

/** The tools that a server lists. */
export function listedTools(isRecorded: boolean): readonly ServerTool[] {
  return isRecorded ? ALL_TOOLS : TOOLSETS.lessons;
}

/** Whether answers of a tool come with notes on the memory's file. */
export function isLessonTool(tool: ServerTool): boolean {
  const lessons: readonly ServerTool[] = TOOLSETS.lessons;
  return lessons.includes(tool);
}
