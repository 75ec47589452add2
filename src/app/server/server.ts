/**
 * The MCP server over any store and any transport. It is built on the SDK's low-level Server, which starts faster than the
 * high-level one and shows unknown arguments instead of dropping them.
 */
import "../../ground/tool/schemas.ts";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { HOOK_TOOL } from "../../ground/clients/hook-call.ts";
import { localDay } from "../../ground/core/time.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import { listingOf } from "../../ground/tool/tool.ts";
import type { MemoryPolicy } from "../../lessons/policy.ts";
import type { LessonStore } from "../../lessons/store.ts";
import type { LogParts } from "../../sessions/tools/recording.ts";
import { callTool } from "./call-tool.ts";
import type { HookCalls } from "./hook-tool.ts";
import { instructionsFor } from "./instructions.ts";
import { openedOnce } from "./opened-once.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { ALL_TOOLS, listedTools, type ServerContext } from "./toolsets.ts";

/** Long enough to write the previous answer, and for the next request of a handshake to arrive. */
const LOADING_DELAY_MS = 20;

/** The stores of a project. */
export interface Stores {
  readonly lessons: LessonStore;
  readonly readPolicy: () => Promise<MemoryPolicy>;
  readonly readPrivacy: ReadPrivacy;
}

export interface ServerParts {
  readonly version: string;
  /** The project's store and its policy as it is now; rejects with a SentinelError when there is no project. */
  readonly openStores: () => Promise<Stores>;
  /** The lessons that the instructions carry for a client without hooks; see opening-lessons.ts. */
  readonly readOpening: () => Promise<string>;
  readonly isRecorded: () => boolean;
  /** Rejects with a SentinelError when there is no project. */
  readonly logParts: () => Promise<LogParts>;
  /** Opens the answers to calls that clients make as hooks; asked with the first. */
  readonly openHooks: () => Promise<HookCalls>;
  /** Bytes an answer may hold; overrides what we know about the client. */
  readonly outputBudgetBytes?: number | undefined;
}

export interface MemoryServer {
  readonly server: Server;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
}

/** A server that is ready to be connected; it reads nothing before its first request. */
export function createServer(parts: ServerParts): MemoryServer {
  const { version, openStores, readOpening, isRecorded, outputBudgetBytes } = parts;
  const server = new Server(
    { name: "sentinel-memory", title: "Sentinel Memory", version },
    { capabilities: { tools: {}, prompts: {} } },
  );
  const running = new Set<Promise<unknown>>();
  const track = <T>(work: () => Promise<T>): Promise<T> => {
    const call = work();
    running.add(call);
    return call.finally(() => running.delete(call));
  };
  const shared = openedOnce(openShared);
  const listed = () => listedTools(isRecorded());
  const startedAt = Date.now();
  // Nothing of the session log is loaded before the first call that needs it.
  const recordings = openedOnce(async () => {
    const [{ Recordings }, logParts] = await Promise.all([
      import("../../sessions/tools/recording.ts"),
      parts.logParts(),
    ]);
    return new Recordings(logParts, startedAt);
  });
  const loadSoon = loaderOfTheRest(parts, () => running.size === 0);

  // The SDK takes fixed instructions only; ours depend on the client, which its own handler notes.
  server.setRequestHandler(InitializeRequestSchema, (request) =>
    track(async () => ({
      // biome-ignore lint/complexity/useLiteralKeys: TypeScript lets a private member be reached only in this way.
      ...(await server["_oninitialize"](request)),
      instructions: await instructionsFor(request.params.clientInfo.name, isRecorded(), readOpening),
    })),
  );
  server.oninitialized = loadSoon;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    loadSoon();
    return { tools: listed().map(({ definition }) => listingOf(definition)) };
  });
  const hooks = openedOnce(parts.openHooks);
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    if (params.name === HOOK_TOOL) return track(async () => (await hooks()).answer(params.arguments ?? {}));
    return track(() =>
      callTool({ tools: ALL_TOOLS, listed }, params.name, params.arguments ?? {}, async () => {
        const clientName = server.getClientVersion()?.name;
        const budget = budgetFor(clientName, outputBudgetBytes);
        const { lessons, readPolicy, readPrivacy } = await openStores();
        const [policy, privacy] = await Promise.all([readPolicy(), readPrivacy()]);
        const record = async () => (await recordings()).open(agentNamed(clientName), { privacy, lessons });
        const bundleBudget = bundleBudgetFor(clientName, outputBudgetBytes);
        return { lessons, policy, privacy, ...(await shared()), record, budget, bundleBudget, signal };
      }),
    );
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = getPrompt(params.name, params.arguments ?? {});
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${params.name}".`);
    return prompt;
  });

  return {
    server,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/**
 * Loads what calls need, once the client has been quiet for a moment after its handshake; a call that comes sooner loads what it
 * needs itself, and nothing else is done while it runs. Later these parts may no longer be on disk: an update replaces them
 * while the server runs. What fails here fails again in the call that needs it, and is reported there.
 */
function loaderOfTheRest({ openStores, isRecorded }: ServerParts, isIdle: () => boolean): () => void {
  const load = async () => {
    const isOn = isRecorded();
    // Without a project, the call reports the error.
    const opened = openStores()
      .then(({ readPolicy, readPrivacy }) => Promise.all([readPolicy(), readPrivacy()]))
      .catch(() => undefined);
    const [{ warmUp }] = await Promise.all([
      import("./calls.ts"),
      ...listedTools(isOn).map((tool) => tool.load()),
      ...(isOn ? [import("../../sessions/tools/recording.ts")] : []),
    ]);
    if (isIdle()) warmUp();
    await opened;
  };
  let timer: NodeJS.Timeout | undefined;
  const loadSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isIdle()) void load().catch(() => undefined);
      else loadSoon();
    }, LOADING_DELAY_MS).unref();
  };
  return loadSoon;
}

/** One ranking and one conversation for all calls; they are loaded after the handshake, not with the server. */
async function openShared(): Promise<Pick<ServerContext, "conversation" | "rank">> {
  const { Conversation, LessonRanking } = await import("./calls.ts");
  const ranking = new LessonRanking();
  return {
    conversation: new Conversation(),
    rank: async (snapshot, query) => ranking.rank(snapshot.lessons(), query, { today: localDay(Date.now()) }),
  };
}
