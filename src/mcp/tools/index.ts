import type { Tool } from "../tool.ts";
import { compactMemory } from "./compact-memory.ts";
import { logMemory } from "./log-memory.ts";
import { searchMemory } from "./search-memory.ts";

/** All tools there are. Every one costs each session tokens, so there are three. */
export const TOOLS: readonly Tool[] = [searchMemory, logMemory, compactMemory];
