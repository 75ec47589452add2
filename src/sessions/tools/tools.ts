/** The tools about the session log. Each listed tool costs every session tokens, so they are listed where sessions are recorded. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import type { SessionAnswer, SessionToolContext } from "./context.ts";
import * as tool from "./definitions.ts";
import * as handle from "./handlers.ts";

export const SESSION_TOOLS: readonly Tool<SessionToolContext, SessionAnswer>[] = [
  bind(tool.buildAcb, handle.buildAcb),
  bind(tool.recordEvent, handle.recordEvent),
  bind(tool.queryDecisions, handle.queryDecisions),
  bind(tool.getArtifact, handle.getArtifact),
];
