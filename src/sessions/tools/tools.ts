/** The tools about the session log. Each listed tool costs every session tokens, so they are listed where sessions are recorded. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import { buildAcb } from "./build-acb/definition.ts";
import { handle as handleBundle } from "./build-acb/handler.ts";
import type { SessionAnswer, SessionToolContext } from "./context.ts";
import { getArtifact } from "./get-artifact/definition.ts";
import { handle as handleArtifact } from "./get-artifact/handler.ts";
import { queryDecisions } from "./query-decisions/definition.ts";
import { handle as handleDecisions } from "./query-decisions/handler.ts";
import { recordEvent } from "./record-event/definition.ts";
import { handle as handleRecord } from "./record-event/handler.ts";

export const SESSION_TOOLS: readonly Tool<SessionToolContext, SessionAnswer>[] = [
  bind(buildAcb, handleBundle),
  bind(recordEvent, handleRecord),
  bind(queryDecisions, handleDecisions),
  bind(getArtifact, handleArtifact),
];
