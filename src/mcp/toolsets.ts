/**
 * The registry: every tool there is, in the set it belongs to. A new tool is a folder `tools/SET/NAME/` with a definition and a
 * handler, and a line here; `test/policy/tools.test.ts` says what every tool must do. Each listed tool costs every session tokens.
 */
import { bind, type Tool } from "./tool.ts";
import { compactMemory } from "./tools/lessons/compact-memory/definition.ts";
import { logMemory } from "./tools/lessons/log-memory/definition.ts";
import { searchMemory } from "./tools/lessons/search-memory/definition.ts";

/** The sets by name. @internal */
export const TOOLSETS = {
  lessons: [
    bind(searchMemory, () => import("./tools/lessons/search-memory/handler.ts")),
    bind(logMemory, () => import("./tools/lessons/log-memory/handler.ts")),
    bind(compactMemory, () => import("./tools/lessons/compact-memory/handler.ts")),
  ],
} as const satisfies Readonly<Record<string, readonly Tool[]>>;

/** The set that a server lists. */
export const DEFAULT_TOOLSET: readonly Tool[] = TOOLSETS.lessons;
