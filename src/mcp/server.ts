/**
 * The MCP server over any store and any transport. It is built on the SDK's low-level Server, which starts faster than the
 * high-level one and shows unknown arguments instead of dropping them.
 */
import "./schemas.ts";
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
import { budgetFor } from "../clients/answer-budget.ts";
import type { MemoryPolicy } from "../lessons/policy.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { ReadPrivacy } from "../project/privacy.ts";
import { callTool } from "./call-tool.ts";
import { instructionsFor } from "./instructions.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listingOf, type ToolContext } from "./tool.ts";
import { DEFAULT_TOOLSET } from "./toolsets.ts";

/** Long enough to write the previous answer, and for the next request of a handshake to arrive. */
const LOADING_DELAY_MS = 20;

export interface ServerParts {
  readonly version: string;
  /** The project's store and its policy as it is now; rejects with a SentinelError when there is no project. */
  readonly openStores: () => Promise<{
    readonly lessons: LessonStore;
    readonly readPolicy: () => Promise<MemoryPolicy>;
    readonly readPrivacy: ReadPrivacy;
  }>;
  /** The lessons that the instructions carry for a client without hooks; see opening-lessons.ts. */
  readonly readOpening: () => Promise<string>;
  /** Bytes an answer may hold; overrides what we know about the client. */
  readonly outputBudgetBytes?: number | undefined;
}

export interface MemoryServer {
  readonly server: Server;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
}

/** A server that is ready to be connected; it reads nothing before its first request. */
export function createServer({ version, openStores, readOpening, outputBudgetBytes }: ServerParts): MemoryServer {
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
  const shared = sharedByCalls();
  const loadSoon = loaderOfTheRest(openStores);

  // The SDK takes fixed instructions only; ours depend on the client, which its own handler notes.
  server.setRequestHandler(InitializeRequestSchema, (request) =>
    track(async () => ({
      // biome-ignore lint/complexity/useLiteralKeys: TypeScript lets a private member be reached only in this way.
      ...(await server["_oninitialize"](request)),
      instructions: await instructionsFor(request.params.clientInfo.name, readOpening),
    })),
  );
  server.oninitialized = loadSoon;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    loadSoon();
    return { tools: DEFAULT_TOOLSET.map(({ definition }) => listingOf(definition)) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    return track(() =>
      callTool(DEFAULT_TOOLSET, params.name, params.arguments ?? {}, async () => {
        const budget = budgetFor(server.getClientVersion()?.name, outputBudgetBytes);
        const { lessons, readPolicy, readPrivacy } = await openStores();
        const [policy, privacy] = await Promise.all([readPolicy(), readPrivacy()]);
        return { lessons, policy, privacy, ...(await shared()), budget, signal };
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
 * Loads what calls need, once the client has been quiet for a moment after its handshake. Later these parts may no longer be
 * on disk: an update replaces them while the server runs. What fails here fails again in the call that needs it, and is
 * reported there.
 */
function loaderOfTheRest(openStores: ServerParts["openStores"]): () => void {
  const load = async () => {
    // Without a project, the call reports the error.
    const opened = openStores()
      .then(({ readPolicy, readPrivacy }) => Promise.all([readPolicy(), readPrivacy()]))
      .catch(() => undefined);
    const [{ warmUp }] = await Promise.all([
      import("../lessons/changes/draft.ts"),
      import("../lessons/queries/lesson-ranking.ts"),
      import("./conversation.ts"),
      import("./complete-answer.ts"),
      ...DEFAULT_TOOLSET.map((tool) => tool.load()),
    ]);
    warmUp();
    await opened;
  };
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load().catch(() => undefined), LOADING_DELAY_MS).unref();
  };
}

/** One ranking and one conversation for all calls; they are loaded after the handshake, not with the server. */
function sharedByCalls() {
  let shared: Pick<ToolContext, "conversation" | "rank"> | undefined;
  return async () => {
    const [{ LessonRanking }, { Conversation }] = await Promise.all([
      import("../lessons/queries/lesson-ranking.ts"),
      import("./conversation.ts"),
    ]);
    if (!shared) {
      const ranking = new LessonRanking();
      shared = {
        conversation: new Conversation(),
        rank: async (snapshot, query) => ranking.rank(snapshot.lessons(), query),
      };
    }
    return shared;
  };
}
