/**
 * MCP over Streamable HTTP, for agents without a clone: the tools about the session log. Each call has a server and a transport of its own, and
 * nothing is kept for a session, so any daemon answers any call.
 */
import "../../ground/tool/schemas.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { explain } from "../../ground/tool/explain.ts";
import { listingOf } from "../../ground/tool/tool.ts";
import type { EventStore } from "../../sessions/store.ts";
import { RECORDED_ELSEWHERE } from "../../sessions/tools/instructions.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";
import { type Caller, mustHaveScope } from "./caller.ts";
import { recordingOf } from "./caller-recording.ts";

const LISTED = SESSION_TOOLS.map(({ definition }) => listingOf(definition));

/** What an unforeseen error says may be what somebody recorded: the log of the daemon has where it happened. */
const NOWHERE = (): void => undefined;

/** Whom a server is for, and what it answers from. */
interface Served {
  readonly caller: Caller;
  readonly store: EventStore;
  /** As the client calls itself. */
  readonly client: string;
  readonly version: string;
  /** Takes what a tool failed with: its answer says it, and not to the operator. */
  readonly onFailure: (error: unknown) => void;
}

export type ServerFor = (served: Served) => Server;

export interface McpCall extends Omit<Served, "client"> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
}

export async function answerMcp({ request, response, body, ...served }: McpCall, serverFor: ServerFor): Promise<void> {
  const server = serverFor({ ...served, client: clientOf(request) });
  // Without a generator of sessions there are none.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once("close", () => void server.close());
  await server.connect(transport as never);
  await transport.handleRequest(request, response, body);
}

/** A server with the tools about the session log. */
export const contextServer: ServerFor = ({ caller, store, client, version, onFailure }) => {
  const server = new Server(
    { name: "sentinel-memory", version },
    { capabilities: { tools: {} }, instructions: RECORDED_ELSEWHERE },
  );
  const budget = budgetFor(client);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const tool = SESSION_TOOLS.find(({ definition }) => definition.name === params.name);
      if (!tool) throw unknownTool();
      if (tool.definition.kind !== "read") mustHaveScope(caller, "write");
      const { run } = tool.prepare(params.arguments ?? {});
      const record = async () => recordingOf(store, caller, agentNamed(client));
      return textOf((await run({ record, budget, bundleBudget: bundleBudgetFor(client), signal })).text);
    } catch (error) {
      onFailure(error);
      return { ...textOf(explain(error, NOWHERE)), isError: true };
    }
  });
  return server;
};

/** No call names its client but in this header, because nothing is kept of `initialize`. */
const clientOf = ({ headers }: IncomingMessage): string => (headers["user-agent"] ?? "").split("/", 1)[0] ?? "";

const textOf = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

function unknownTool(): SentinelError {
  const names = LISTED.map(({ name }) => name).join(", ");
  return new SentinelError("unknown_tool", "There is no such tool here.", `Use one of: ${names}.`);
}
