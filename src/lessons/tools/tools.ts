/** The tools about lessons. Each listed tool costs every session tokens. */

import { bind, type Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../answers/answer.ts";
import { compactMemory } from "./compact-memory/definition.ts";
import type { LessonToolContext } from "./context.ts";
import { logMemory } from "./log-memory/definition.ts";
import { searchMemory } from "./search-memory/definition.ts";

const handlers = () => import("./handlers.ts");

export const LESSON_TOOLS: readonly Tool<LessonToolContext, Answer>[] = [
  bind(searchMemory, async () => (await handlers()).searchMemory),
  bind(logMemory, async () => (await handlers()).logMemory),
  bind(compactMemory, async () => (await handlers()).compactMemory),
];
