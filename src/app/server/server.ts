/** Answers calls, over any store: loaded once a client has greeted. */
import "../../ground/tool/schemas.ts";
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { HOOK_TOOL } from "../../ground/clients/hook-call.ts";
import { localDay } from "../../ground/core/time.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import { warmUp } from "../../ground/redaction/redact.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import {
  clientOf,
  invalid,
  isObject,
  isRequest,
  type Message,
  type Reply,
  type Request,
} from "../../ground/tool/eras.ts";
import type { MemoryPolicy } from "../../lessons/policy.ts";
import { LessonRanking } from "../../lessons/queries/lesson-ranking.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { Conversation } from "../../lessons/tools/conversation.ts";
import type { OpenRecording } from "../../sessions/tools/recording.ts";
import { callTool } from "./call-tool.ts";
import type { openHookCalls } from "./hook-tool.ts";
import { openedOnce } from "./opened-once.ts";
import { promptText } from "./prompts.ts";
import type { ListedTools, ServerContext } from "./toolsets.ts";

export interface Stores {
  readonly lessons: LessonStore;
  readonly readPolicy: () => Promise<MemoryPolicy>;
  readonly readPrivacy: ReadPrivacy;
  readonly unloggedWork: ServerContext["unloggedWork"];
}

export interface ServerParts extends ListedTools {
  /** As the client calls itself, where it has greeted. */
  readonly clientName: () => string | undefined;
  /** The project's store and its policy as it is now; rejects with a SentinelError when there is no project. */
  readonly openStores: () => Promise<Stores>;
  /** @param startedAt of this server, in ms since 1970. @throws SentinelError when there is no project. */
  readonly openRecordings: (startedAt: number) => Promise<OpenRecording>;
  /** Opens the answers to calls that clients make as hooks; asked with the first. */
  readonly openHooks: () => ReturnType<typeof openHookCalls>;
  /** Writes our commands in errors and notes as this user can run them. */
  readonly spelt: Spell;
  /** Bytes an answer may hold; overrides what we know about the client. */
  readonly outputBudgetBytes?: number | undefined;
}

const METHOD_NOT_FOUND: Reply = { error: { code: -32601, message: "Method not found" } };

export type MemoryServer = ReturnType<typeof openServer>;

/** A server that is ready for calls; it reads nothing before the first. */
export function openServer(parts: ServerParts) {
  const { clientName, openStores, isRecorded, outputBudgetBytes } = parts;
  const running = new Map<unknown, AbortController>();
  const [ranking, conversation] = [new LessonRanking(), new Conversation()];
  const rank: ServerContext["rank"] = async (snapshot, query) =>
    ranking.rank(snapshot.lessons(), query, { today: localDay(Date.now()) });
  const startedAt = Date.now();
  const recordings = openedOnce(() => parts.openRecordings(startedAt));
  const hooks = openedOnce(async () => parts.openHooks());
  const contextOf = async (call: Request, signal: AbortSignal): Promise<ServerContext> => {
    const client = clientOf(call) ?? clientName();
    const budget = budgetFor(client, outputBudgetBytes);
    const { lessons, readPolicy, readPrivacy, unloggedWork } = await openStores();
    const [policy, privacy] = await Promise.all([readPolicy(), readPrivacy()]);
    const record = async () => (await recordings())(agentNamed(client), { privacy, lessons });
    const bundleBudget = bundleBudgetFor(client, outputBudgetBytes);
    const answering = { conversation, rank, budget, bundleBudget, signal };
    return { lessons, policy, privacy, unloggedWork, record, ...answering };
  };
  const replyTo = async (request: Request, signal: AbortSignal): Promise<Reply> => {
    const { method, params = {} } = request;
    const { name } = params;
    const args = params.arguments ?? {};
    if (method !== "tools/call" && method !== "prompts/get") return METHOD_NOT_FOUND;
    if (typeof name !== "string" || !isObject(args))
      return invalid(
        `${method} takes a name, which is a text, and arguments, which are an object.`,
      );
    const given = { ...args };
    if (method === "tools/call" && name === HOOK_TOOL)
      return { result: await (await hooks())(given) };
    if (method === "tools/call")
      return { result: await callTool(name, given, parts, () => contextOf(request, signal)) };
    const text = promptText(name, given);
    if (text === undefined) return invalid(`There is no prompt "${name}".`);
    return { result: { messages: [{ role: "user", content: { type: "text", text } }] } };
  };

  return {
    /** Takes a message of the client. Undefined for a notification, and for a request that was cancelled. */
    async take(message: Message): Promise<Reply | undefined> {
      const { id, method, params } = message;
      if (method === "notifications/cancelled") running.get(Object(params).requestId)?.abort();
      if (!isRequest(message)) return undefined;
      const stop = new AbortController();
      running.set(id, stop);
      const reply = await replyTo(message, stop.signal).finally(() => running.delete(id));
      return stop.signal.aborted ? undefined : reply;
    },
    /** Loads what the first calls need. @param isIdle whether a client waits for nothing. */
    async loadRest(isIdle: () => boolean): Promise<void> {
      // Without a project, the call reports the error.
      const opened = openStores()
        .then(({ readPolicy, readPrivacy }) => Promise.all([readPolicy(), readPrivacy()]))
        .catch(() => undefined);
      if (isIdle()) warmUp();
      if (isRecorded()) await parts.loadSessionTools();
      await opened;
    },
  };
}
