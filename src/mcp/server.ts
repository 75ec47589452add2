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
import { budgetFor } from "../memory/client-budgets.ts";
import type { Ledger } from "../memory/ledger.ts";
import type { LedgerRanking } from "../memory/ledger-ranking.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { callTool, listTool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/** Long enough for the answer before it to be written, in ms. */
const LOADING_DELAY = 20;

export interface ServerParts {
  readonly version: string;
  /** The project's store; rejects with a MemoryError when there is no project. */
  readonly openStore: () => Promise<MemoryStore>;
  /** Bytes an answer may hold, instead of what the client is known to show. */
  readonly outputBudget?: number | undefined;
}

export interface MemoryServer {
  readonly server: Server;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

export function createServer({ version, openStore, outputBudget }: ServerParts): MemoryServer {
  const server = new Server(
    { name: "sentinel-memory", title: "Sentinel Memory", version },
    { capabilities: { tools: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const running = new Set<Promise<unknown>>();
  const rank = rankingLoadedOnce();

  server.setRequestHandler(ListToolsRequestSchema, () => {
    loadTheRest(openStore);
    return { tools: TOOLS.map(listTool) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const call = callTool(TOOLS, params.name, params.arguments ?? {}, async () => {
      const budget = budgetFor(server.getClientVersion()?.name, outputBudget);
      return { store: await openStore(), rank, budget, signal };
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

/** Loads, once the list of tools is on its way, what the first call will need. What fails here fails there, and is told. */
function loadTheRest(openStore: ServerParts["openStore"]): void {
  const load = async () => {
    await Promise.all(TOOLS.map((tool) => tool.load()));
    const { warmUp } = await import("../memory/draft.ts");
    warmUp();
    await import("../memory/ledger-ranking.ts");
    await openStore();
  };
  setTimeout(() => void load().catch(() => undefined), LOADING_DELAY).unref();
}

/** The ranking is loaded with the first search, not with the server. */
function rankingLoadedOnce() {
  let ranking: LedgerRanking | undefined;
  return async (ledger: Ledger, query: string) => {
    const { LedgerRanking } = await import("../memory/ledger-ranking.ts");
    ranking ??= new LedgerRanking();
    return ranking.rank(ledger, query);
  };
}
