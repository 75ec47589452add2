/** The tools about lessons. Each listed tool costs every session tokens. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../answers/answer.ts";
import type { LessonToolContext } from "./context.ts";
import * as tool from "./definitions.ts";
import * as handle from "./handlers.ts";

export const LESSON_TOOLS: readonly Tool<LessonToolContext, Answer>[] = [
  bind(tool.searchMemory, handle.searchMemory),
  bind(tool.logMemory, handle.logMemory),
  bind(tool.compactMemory, handle.compactMemory),
];
