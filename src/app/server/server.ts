/** The MCP server: the SDK's server with a handler for each supported method. */
import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type InitializeRequest,
  InitializeRequestSchema,
  type InitializeResult,
  LATEST_PROTOCOL_VERSION,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import packageJson from "../../../package.json" with { type: "json" };
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import { clientNamed } from "../../ground/clients/clients.ts";
import { HOOK_TOOL } from "../../ground/clients/hook-call.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { clientOf } from "../../ground/tool/eras.ts";
import { listingOf, type ToolResult } from "../../ground/tool/tool.ts";
import type { MemoryPolicy } from "../../lessons/policy.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { Conversation } from "../../lessons/tools/conversation.ts";
import { INSTRUCTIONS } from "../../lessons/tools/instructions.ts";
import { RECORDED } from "../../sessions/tools/instructions.ts";
import type { OpenRecording } from "../../sessions/tools/recording.ts";
import { callTool } from "./call-tool.ts";
import type { openHookCalls } from "./hook-tool.ts";
import { openedOnce } from "./opened-once.ts";
import { listPrompts, promptText } from "./prompts.ts";
import { type ServerContext, type ServerTool, TOOLSETS } from "./toolsets.ts";

/** How long `initialize` may wait for lessons. */
const PATIENCE_MS = 100;

const CAPABILITIES = { tools: {}, prompts: {} };
/** The name and version that the server reports. */
export const SERVER_INFO = {
  name: SERVER_NAME,
  title: "Sentinel Memory",
  version: packageJson.version,
};

export interface Stores {
  readonly lessons: LessonStore;
  readonly readPolicy: () => Promise<MemoryPolicy>;
  readonly readPrivacy: ReadPrivacy;
  readonly unloggedWork: ServerContext["unloggedWork"];
}

export interface ServerParts {
  /** Whether the project has a session log. If it does, clients see more tools. */
  readonly isRecorded: () => boolean;
  /** Reads the lessons to add to the instructions of a client without hooks. If this is late or fails, the instructions lack them. */
  readonly readOpening: () => Promise<string>;
  /** Returns the project's store and its current policy. Rejects with a SentinelError if there is no project. */
  readonly openStores: () => Promise<Stores>;
  /** @param startedAt start of this server, in ms since 1970. @throws SentinelError if there is no project. */
  readonly openRecordings: (startedAt: number) => Promise<OpenRecording>;
  /** Opens the handler for calls that clients make as hooks. Called on the first such call. */
  readonly openHooks: () => ReturnType<typeof openHookCalls>;
  /** Formats our commands in errors and notes so that this user can run them. */
  readonly spelt: Spell;
  /** The most bytes in an answer. Overrides the limit known for the client. */
  readonly outputBudgetBytes?: number | undefined;
}

/** Creates a server that is ready to connect. It reads no files before the first message. */
export function createServer(parts: ServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES });
  const call = toolCalls(parts);
  // The client's name from `initialize`.
  let greeted: string | undefined;
  server.setRequestHandler(InitializeRequestSchema, ({ params }) => {
    greeted = params.clientInfo.name;
    return welcome(params, parts);
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolsFor(parts).map(({ definition }) => listingOf(definition)),
  }));
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const { name, arguments: args = {} } = request.params;
    return call(name, args, { client: clientOf(request) ?? greeted, signal });
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const text = promptText(params.name, params.arguments ?? {});
    if (text === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${params.name}".`);
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  return server;
}

/** Returns the tools that a client sees. */
function toolsFor({ isRecorded }: Pick<ServerParts, "isRecorded">): readonly ServerTool[] {
  return isRecorded() ? [...TOOLSETS.lessons, ...TOOLSETS.sessions] : TOOLSETS.lessons;
}

async function welcome(
  { protocolVersion, clientInfo }: InitializeRequest["params"],
  parts: ServerParts,
): Promise<InitializeResult> {
  const isKnown = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: await instructionsFor(clientInfo.name, parts),
  };
}

/** Returns the instructions. They mention the session log's tools if those are listed, and include a few lessons if no hook delivers them. @param client its name from `initialize`. */
async function instructionsFor(
  client: string,
  { isRecorded, readOpening }: ServerParts,
): Promise<string> {
  const loop = isRecorded() ? `${INSTRUCTIONS}\n${RECORDED}` : INSTRUCTIONS;
  const hooks = clientNamed(client)?.hooks;
  if (hooks && !hooks.needsTrust && !hooks.protocol.dropsStart) return loop;
  const late = sleep(PATIENCE_MS, "", { ref: false });
  const opening = await Promise.race([readOpening(), late]).catch(() => "");
  return opening === "" ? loop : `${loop}\n\n${opening}`;
}

interface Caller {
  readonly client: string | undefined;
  readonly signal: AbortSignal;
}

/** Creates the handler for tool calls, with the state that calls share. */
function toolCalls(parts: ServerParts) {
  const { openStores, outputBudgetBytes } = parts;
  const conversation = new Conversation();
  const startedAt = Date.now();
  const recordings = openedOnce(() => parts.openRecordings(startedAt));
  const hooks = openedOnce(async () => parts.openHooks());

  const contextOf = async ({ client, signal }: Caller): Promise<ServerContext> => {
    const { lessons, readPolicy, readPrivacy, unloggedWork } = await openStores();
    const [policy, privacy] = await Promise.all([readPolicy(), readPrivacy()]);
    return {
      lessons,
      policy,
      privacy,
      unloggedWork,
      record: async () => (await recordings())(agentNamed(client), { privacy, lessons }),
      conversation,
      budget: budgetFor(client, outputBudgetBytes),
      bundleBudget: bundleBudgetFor(client, outputBudgetBytes),
      signal,
    };
  };

  return async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<ToolResult> => {
    if (name === HOOK_TOOL) return (await hooks())(args);
    const known = { listed: toolsFor(parts), spelt: parts.spelt };
    return callTool(name, args, known, () => contextOf(caller));
  };
}
