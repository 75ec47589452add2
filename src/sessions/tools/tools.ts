/** The tools about the session log. Each listed tool costs every session tokens, so they are listed where sessions are recorded. */
import { bind, type Tool } from "../../ground/tool/tool.ts";
import type { SessionAnswer, SessionToolContext } from "./context.ts";
import { buildAcb, getArtifact, queryDecisions, recordEvent } from "./definitions.ts";

const handlers = () => import("./handlers.ts");

export const SESSION_TOOLS: readonly Tool<SessionToolContext, SessionAnswer>[] = [
  bind(buildAcb, async () => ({ handle: (await handlers()).buildAcb })),
  bind(recordEvent, async () => ({ handle: (await handlers()).recordEvent })),
  bind(queryDecisions, async () => ({ handle: (await handlers()).queryDecisions })),
  bind(getArtifact, async () => ({ handle: (await handlers()).getArtifact })),
];
