/**
 * The MCP server over any store and any transport. It is built on the SDK's low-level Server, which starts faster than the
 * high-level one and shows unknown arguments instead of dropping them.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { budgetFor } from "../clients/client-budgets.ts";
import type { Snapshot } from "../lessons/merge/snapshot.ts";
import type { MemoryPolicy } from "../lessons/policy.ts";
import type { LessonRanking } from "../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../lessons/store.ts";
import { Conversation } from "./conversation.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { callTool, listTool } from "./tool.ts";
import { TOOLS } from "./toolsets.ts";

/** Long enough for the answer before it to be written, and for the next request of a handshake to arrive, in ms. */
const LOADING_DELAY_MS = 20;

export interface ServerParts {
  readonly version: string;
  /** The project's store; rejects with a SentinelError when there is no project. */
  readonly openStore: () => Promise<LessonStore>;
  /** What the project has decided about its memory, as it is now; rejects as `openStore` does. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
  /** Bytes an answer may hold, instead of what the client is known to show. */
  readonly outputBudget?: number | undefined;
}

export interface MemoryServer {
  readonly server: Server;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

export function createServer({ version, openStore, readPolicy, outputBudget }: ServerParts): MemoryServer {
  const server = new Server(
    { name: "sentinel-memory", title: "Sentinel Memory", version },
    { capabilities: { tools: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const running = new Set<Promise<unknown>>();
  const rank = rankingLoadedOnce();
  const conversation = new Conversation();
  const loadSoon = loaderOfTheRest(openStore, readPolicy);

  server.oninitialized = loadSoon;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    loadSoon();
    return { tools: TOOLS.map(listTool) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const call = callTool(TOOLS, params.name, params.arguments ?? {}, async () => {
      const budget = budgetFor(server.getClientVersion()?.name, outputBudget);
      return { store: await openStore(), policy: await readPolicy(), conversation, rank, budget, signal };
    });
    running.add(call);
    return call.finally(() => running.delete(call));
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
 * Loads all that calls need, once the client has been quiet for a moment after its handshake. Parts that are read later may
 * be gone by then: an update of the package replaces them while the server runs. What fails here fails again in the call
 * that needs it, and is reported there.
 */
function loaderOfTheRest(openStore: ServerParts["openStore"], readPolicy: ServerParts["readPolicy"]): () => void {
  const load = async () => {
    // Where there is no project, the call says so.
    const store = Promise.all([openStore(), readPolicy()]).catch(() => undefined);
    const [{ warmUp }] = await Promise.all([
      import("../lessons/changes/draft.ts"),
      import("../lessons/queries/lesson-ranking.ts"),
      import("../core/tokens.ts"),
      ...TOOLS.map((tool) => tool.load()),
    ]);
    warmUp();
    await store;
  };
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load().catch(() => undefined), LOADING_DELAY_MS).unref();
  };
}

/** The ranking is loaded after the handshake, not with the server. */
function rankingLoadedOnce() {
  let ranking: LessonRanking | undefined;
  return async (snapshot: Snapshot, query: string) => {
    const { LessonRanking } = await import("../lessons/queries/lesson-ranking.ts");
    ranking ??= new LessonRanking();
    return ranking.rank(snapshot.lessons(), query);
  };
}
