/**
 * Answers calls, over any store: loaded once a client has greeted. It is built on the SDK's low-level Server, which loads faster than
 * the high-level one and shows unknown arguments instead of dropping them.
 */
import "../../ground/tool/schemas.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { SERVER_NAME } from "../../ground/clients/entry.ts";
import { HOOK_TOOL } from "../../ground/clients/hook-call.ts";
import { localDay } from "../../ground/core/time.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import { warmUp } from "../../ground/redaction/redact.ts";
import { clientOf } from "../../ground/tool/eras.ts";
import type { MemoryPolicy } from "../../lessons/policy.ts";
import { LessonRanking } from "../../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { Conversation } from "../../lessons/tools/conversation.ts";
import { type LogParts, Recordings } from "../../sessions/tools/recording.ts";
import { callTool } from "./call-tool.ts";
import type { HookCalls } from "./hook-tool.ts";
import { openedOnce } from "./opened-once.ts";
import { promptText } from "./prompts.ts";
import type { ServerContext } from "./toolsets.ts";

/** The versions of the protocol, the newest first. */
export const PROTOCOLS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
export const CAPABILITIES = { tools: {}, prompts: {} };

/** The stores of a project. */
export interface Stores {
  readonly lessons: LessonStore;
  readonly readPolicy: () => Promise<MemoryPolicy>;
  readonly readPrivacy: ReadPrivacy;
}

export interface ServerParts {
  readonly version: string;
  /** As the client calls itself, where it has greeted. */
  readonly clientName: () => string | undefined;
  /** The project's store and its policy as it is now; rejects with a SentinelError when there is no project. */
  readonly openStores: () => Promise<Stores>;
  readonly isRecorded: () => boolean;
  /** @throws SentinelError when there is no project. */
  readonly logParts: () => LogParts;
  /** Opens the answers to calls that clients make as hooks; asked with the first. */
  readonly openHooks: () => HookCalls;
  /** Bytes an answer may hold; overrides what we know about the client. */
  readonly outputBudgetBytes?: number | undefined;
}

export interface MemoryServer {
  /** Takes a message of the client, as JSON gives it; resolves when no call is running. */
  take(message: unknown): Promise<void>;
  /** Loads what the first calls need. @param isIdle whether a client waits for nothing. */
  loadRest(isIdle: () => boolean): Promise<void>;
}

/** A server that is ready for calls; it reads nothing before the first. @param send writes a message to the client. */
export async function openServer(parts: ServerParts, send: (message: object) => void): Promise<MemoryServer> {
  const { version, clientName, openStores, isRecorded, outputBudgetBytes } = parts;
  const server = new Server({ name: SERVER_NAME, version }, { capabilities: CAPABILITIES });
  const running = new Set<Promise<unknown>>();
  const [ranking, conversation] = [new LessonRanking(), new Conversation()];
  const rank: ServerContext["rank"] = async (snapshot, query) =>
    ranking.rank(snapshot.lessons(), query, { today: localDay(Date.now()) });
  const startedAt = Date.now();
  const recordings = openedOnce(async () => new Recordings(parts.logParts(), startedAt));
  const hooks = openedOnce(async () => parts.openHooks());
  const answer = async ({ params }: CallToolRequest, signal: AbortSignal) => {
    if (params.name === HOOK_TOOL) return (await hooks()).answer(params.arguments ?? {});
    return callTool(params.name, params.arguments ?? {}, isRecorded, async () => {
      const client = clientOf({ params }) ?? clientName();
      const budget = budgetFor(client, outputBudgetBytes);
      const { lessons, readPolicy, readPrivacy } = await openStores();
      const [policy, privacy] = await Promise.all([readPolicy(), readPrivacy()]);
      const record = async () => (await recordings()).open(agentNamed(client), { privacy, lessons });
      const bundleBudget = bundleBudgetFor(client, outputBudgetBytes);
      return { lessons, policy, privacy, conversation, rank, record, budget, bundleBudget, signal };
    });
  };
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const call = answer(request, signal);
    running.add(call);
    return call.finally(() => running.delete(call));
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const text = promptText(params.name, params.arguments ?? {});
    if (text === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${params.name}".`);
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  const transport: Transport = { start: nothing, close: nothing, send: async (message) => send(message) };
  await server.connect(transport);

  return {
    async take(message) {
      transport.onmessage?.(message as never);
      // The SDK starts a call, and writes its answer, some turns later.
      await nextTurn();
      await Promise.allSettled(running);
      await nextTurn();
    },
    async loadRest(isIdle) {
      // Without a project, the call reports the error.
      const opened = openStores()
        .then(({ readPolicy, readPrivacy }) => Promise.all([readPolicy(), readPrivacy()]))
        .catch(() => undefined);
      if (isIdle()) warmUp();
      await opened;
    },
  };
}

const nothing = async (): Promise<void> => undefined;
