import type { Tool } from "./tool.ts";
import { compactMemory } from "./tools/lessons/compact-memory/definition.ts";
import { logMemory } from "./tools/lessons/log-memory/definition.ts";
import { searchMemory } from "./tools/lessons/search-memory/definition.ts";

/** All tools there are. Every one costs each session tokens, so there are three. */
export const TOOLS: readonly Tool[] = [searchMemory, logMemory, compactMemory];
