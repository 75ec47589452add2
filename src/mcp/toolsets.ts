/**
 * The registry: every tool there is, in the set it belongs to. A new tool is a folder `tools/SET/NAME/` with a definition and a
 * handler, and a line here; `test/policy/tools.test.ts` says what every tool must do. Each listed tool costs every session tokens.
 */
import { bind, type Tool } from "./tool.ts";
import { buildAcb } from "./tools/context/build-acb/definition.ts";
import { getArtifact } from "./tools/context/get-artifact/definition.ts";
import { queryDecisions } from "./tools/context/query-decisions/definition.ts";
import { recordEvent } from "./tools/context/record-event/definition.ts";
import { compactMemory } from "./tools/lessons/compact-memory/definition.ts";
import { logMemory } from "./tools/lessons/log-memory/definition.ts";
import { searchMemory } from "./tools/lessons/search-memory/definition.ts";

const lessons = () => import("./tools/lessons/handlers.ts");
const context = () => import("./tools/context/handlers.ts");

/** The sets by name. */
export const TOOLSETS = {
  lessons: [
    bind(searchMemory, async () => (await lessons()).searchMemory),
    bind(logMemory, async () => (await lessons()).logMemory),
    bind(compactMemory, async () => (await lessons()).compactMemory),
  ],
  context: [
    bind(buildAcb, async () => (await context()).buildAcb),
    bind(recordEvent, async () => (await context()).recordEvent),
    bind(queryDecisions, async () => (await context()).queryDecisions),
    bind(getArtifact, async () => (await context()).getArtifact),
  ],
} as const satisfies Readonly<Record<string, readonly Tool[]>>;

export const ALL_TOOLS: readonly Tool[] = Object.values(TOOLSETS).flat();

/** The tools that a server lists. */
export function listedTools(isRecorded: boolean): readonly Tool[] {
  return isRecorded ? ALL_TOOLS : ALL_TOOLS.filter(({ definition }) => definition.about === "memory");
}
