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
import { SERVER_NAME } from "../../ground/clients/client.ts";
import {
  agentNamed,
  budgetFor,
  bundleBudgetFor,
  clientNamed,
} from "../../ground/clients/clients.ts";
import { HOOK_TOOL, payloadOfCall } from "../../ground/clients/hook-call.ts";
import { readPayload } from "../../ground/clients/hook-protocols.ts";
import { tryOr } from "../../ground/core/errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import type { Surroundings } from "../../ground/terminal/command.ts";
import { invocationIn, spellCommands } from "../../ground/terminal/shell.ts";
import { clientOf } from "../../ground/tool/eras.ts";
import { log } from "../../ground/tool/explain.ts";
import { listingOf, type ToolResult, textResult } from "../../ground/tool/tool.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { unloggedWork } from "../../lessons/hooks/unlogged-work.ts";
import { LessonFile } from "../../lessons/jsonl/lesson-file.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { Conversation } from "../../lessons/tools/handlers.ts";
import { INSTRUCTIONS, openingLessons } from "../../lessons/tools/instructions.ts";
import { isRecorded } from "../../sessions/consent/find-log.ts";
import { commandLineIn } from "../../sessions/hooks/start-capture.ts";
import { RECORDED } from "../../sessions/tools/definitions.ts";
import { openRecordings } from "../../sessions/tools/recording.ts";
import { answerPayload, captureAt } from "../hooks/answer-payload.ts";
import { openEvents, openStores } from "../stores.ts";
import { callTool, type ServerContext, type ServerTool, TOOLSETS } from "./call-tool.ts";
import { listPrompts, promptText } from "./prompts.ts";

/** How long `initialize` may wait for lessons. */
const PATIENCE_MS = 100;
/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

const CAPABILITIES = { tools: {}, prompts: {} };
/** The name and version that the server reports. */
export const SERVER_INFO = {
  name: SERVER_NAME,
  title: "Sentinel Memory",
  version: packageJson.version,
};

/** Finds the project on each call, so that a server without one can still explain the problem. Throws a SentinelError without a project. */
type FindProject = () => Project;

/** Creates a server that is ready to connect. It reads no files before the first message. */
export function createServer(find: FindProject, here: Pick<Surroundings, "env" | "cwd">): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES });
  // Recording needs a project.
  const isOn = () => tryOr(() => isRecorded(find().folder, here.env), false);
  const call = toolCalls(find, here, isOn);
  // The client's name from `initialize`.
  let greeted: string | undefined;
  server.setRequestHandler(InitializeRequestSchema, ({ params }) => {
    greeted = params.clientInfo.name;
    return welcome(params, isOn(), find);
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolsFor(isOn()).map(({ definition }) => listingOf(definition)),
  }));
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const { name, arguments: args = {} } = request.params;
    return call(name, args, { client: clientOf(request) ?? greeted, signal });
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const text = promptText(params.name, params.arguments ?? {});
    if (text === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${params.name}".`);
    }
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  return server;
}

/** Returns the tools that a client sees. */
function toolsFor(isOn: boolean): readonly ServerTool[] {
  return isOn ? [...TOOLSETS.lessons, ...TOOLSETS.sessions] : TOOLSETS.lessons;
}

async function welcome(
  { protocolVersion, clientInfo }: InitializeRequest["params"],
  isOn: boolean,
  find: FindProject,
): Promise<InitializeResult> {
  const isKnown = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: await instructionsFor(clientInfo.name, isOn, find),
  };
}

/** Returns the instructions. They mention the session log's tools if those are listed, and include a few lessons if no hook delivers them. @param client its name from `initialize`. */
async function instructionsFor(client: string, isOn: boolean, find: FindProject): Promise<string> {
  const loop = isOn ? `${INSTRUCTIONS}\n${RECORDED}` : INSTRUCTIONS;
  const hooks = clientNamed(client)?.hooks;
  if (hooks && !hooks.needsTrust && !hooks.protocol.dropsStart) {
    return loop;
  }
  const late = sleep(PATIENCE_MS, "", { ref: false });
  const read = async () => openingLessons(find().context);
  const opening = await Promise.race([read(), late]).catch(() => "");
  return opening === "" ? loop : `${loop}\n\n${opening}`;
}

interface Caller {
  readonly client: string | undefined;
  readonly signal: AbortSignal;
}

/** Creates the handler for tool calls, with the state that calls share. */
function toolCalls(
  find: FindProject,
  { env, cwd }: Pick<Surroundings, "env" | "cwd">,
  isOn: () => boolean,
) {
  const conversation = new Conversation();
  const startedAt = Date.now();
  const opened = openedOnce(async () => {
    const project = find();
    return { context: project.context, ...openStores(project) };
  });
  const recordings = openedOnce(async () =>
    openRecordings({ project: find(), env, openEvents }, startedAt),
  );
  const hooks = openedOnce(async () => openHookCalls(find(), env));
  const outputBudget = outputBudgetBytes(env.SENTINEL_OUTPUT_BUDGET);
  const spelt = (text: string) => {
    const folder = tryOr(() => find().folder, cwd);
    return spellCommands(text, invocationIn(folder, commandLineIn(import.meta.dirname), env.PATH));
  };

  const contextOf = async ({ client, signal }: Caller): Promise<ServerContext> => {
    const { context, lessons, readPrivacy } = await opened();
    const [policy, privacy] = await Promise.all([readMemoryPolicy(context), readPrivacy()]);
    return {
      lessons,
      policy,
      privacy,
      unloggedWork: () => unloggedWork(context.local, Date.now()),
      record: async () => (await recordings())(agentNamed(client), { privacy, lessons }),
      conversation,
      budget: budgetFor(client, outputBudget),
      bundleBudget: bundleBudgetFor(client, outputBudget),
      signal,
    };
  };

  return async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<ToolResult> => {
    if (name === HOOK_TOOL) {
      return (await hooks())(args);
    }
    const known = { listed: toolsFor(isOn()), spelt };
    return callTool(name, args, known, () => contextOf(caller));
  };
}

/** Returns the most bytes in an answer. Undefined if the variable is not set or not a usable number. */
function outputBudgetBytes(value: string | undefined): number | undefined {
  if (!value) {
    return undefined;
  }
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET_BYTES) {
    return bytes;
  }
  log(
    `SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET_BYTES} up; it is ignored.`,
  );
  return undefined;
}

/** Opens something on the first call and shares it with all later calls. If opening fails, the next call tries again. */
function openedOnce<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** Opens the handler of the tool that clients call as a hook, for all sessions that use one server. It's not listed, answers in the client's hook format or with nothing, and logs no input. */
function openHookCalls(project: Project, env: NodeJS.ProcessEnv) {
  const lessons = new LessonFile(project.context.memoryFile);
  const outputFor = async (
    args: Readonly<Record<string, unknown>>,
  ): Promise<object | undefined> => {
    const payload = payloadOfCall(args);
    const { sent, problem } = readPayload(payload);
    if (problem !== undefined) {
      noteHookError(project.context.local, problem);
    }
    if (!sent) {
      return undefined;
    }
    await captureAt(sent, project, payload);
    return answerPayload(sent, project, env, lessons);
  };
  /** Fails without an answer, like a hook's process. `doctor` shows the error. */
  return async (args: Readonly<Record<string, unknown>>): Promise<ToolResult> => {
    const output = await outputFor(args).catch((error: unknown) => {
      noteHookError(project.context.local, `a hook failed: ${nameOfError(error)}`);
      return undefined;
    });
    return output ? textResult(JSON.stringify(output)) : { content: [] };
  };
}
