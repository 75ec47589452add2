/** The tools about lessons. Each listed tool costs every session tokens. */

import { bind, type Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../answers/answer.ts";
import { compactMemory } from "./compact-memory/definition.ts";
import { handle as handleCompaction } from "./compact-memory/handler.ts";
import type { LessonToolContext } from "./context.ts";
import { logMemory } from "./log-memory/definition.ts";
import { handle as handleLog } from "./log-memory/handler.ts";
import { searchMemory } from "./search-memory/definition.ts";
import { handle as handleSearch } from "./search-memory/handler.ts";

export const LESSON_TOOLS: readonly Tool<LessonToolContext, Answer>[] = [
  bind(searchMemory, handleSearch),
  bind(logMemory, handleLog),
  bind(compactMemory, handleCompaction),
];
