/** The tools about the session log. Each listed tool costs every session tokens, so they are listed where sessions are recorded. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import { buildAcb } from "./build-acb/definition.ts";
import type { SessionAnswer, SessionToolContext } from "./context.ts";
import { getArtifact } from "./get-artifact/definition.ts";
import { queryDecisions } from "./query-decisions/definition.ts";
import { recordEvent } from "./record-event/definition.ts";

const handlers = () => import("./handlers.ts");

export const SESSION_TOOLS: readonly Tool<SessionToolContext, SessionAnswer>[] = [
  bind(buildAcb, async () => (await handlers()).buildAcb),
  bind(recordEvent, async () => (await handlers()).recordEvent),
  bind(queryDecisions, async () => (await handlers()).queryDecisions),
  bind(getArtifact, async () => (await handlers()).getArtifact),
];
