/** The session log's tools over Streamable HTTP, for agents without a clone. Nothing is kept for a session, so any daemon answers any call. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import * as sdk from "@modelcontextprotocol/sdk/types.js";
import { agentNamed } from "../../ground/clients/agent-name.ts";
import { budgetFor, bundleBudgetFor } from "../../ground/clients/answer-budget.ts";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import {
  clientOf,
  inEarlierForm,
  inFormOf,
  type Reply,
  type Request,
  refusalOf,
  versionOf,
} from "../../ground/tool/eras.ts";
import { explain } from "../../ground/tool/explain.ts";
import { answerSent, WITH_BATCHES } from "../../ground/tool/messages.ts";
import { listingOf, textResult, toolNamed } from "../../ground/tool/tool.ts";
import { RECORDED_ELSEWHERE } from "../../sessions/tools/instructions.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";
import type { Named } from "../../sessions/tools/usual-names.ts";
import { mustHaveScope, type Opened, withoutIdentity } from "./caller.ts";
import { recordingOf } from "./caller-recording.ts";
import { replyJson } from "./reply.ts";

const LISTED = SESSION_TOOLS.map(({ definition }) => listingOf(definition));

/** What an unforeseen error says may be what somebody recorded: the log of the daemon has where it happened. */
const NOWHERE = (): void => undefined;

/** Whom a server answers, and from what. */
interface Served {
  readonly opened: Opened;
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

const VERSION = "mcp-protocol-version";

export async function answerMcp(call: McpCall, serverFor: ServerFor): Promise<void> {
  const { request, response, body } = call;
  // Clients name their version in a header since the version after the one that has batches.
  const version = request.headers[VERSION]?.toString() ?? WITH_BATCHES;
  // What is not a message gets a refusal without being taken.
  let status = 400;
  const answer = await answerSent(body, version === WITH_BATCHES, async (message) => {
    if (message.id === undefined || response.destroyed) return undefined;
    const answered = await answerRequest(message as Request, call, serverFor);
    status = answered.status;
    return answered.reply;
  });
  if (response.destroyed) return;
  if (answer === undefined) response.writeHead(202).end();
  else replyJson(response, Array.isArray(answer) ? 200 : status, answer);
}

/** The reply to one request, undefined when the caller has gone, and its status if nothing else is answered. */
async function answerRequest(message: Request, call: McpCall, serverFor: ServerFor) {
  const { request, version } = call;
  const earlier = [undefined, ...sdk.SUPPORTED_PROTOCOL_VERSIONS];
  const isModern =
    versionOf(message) !== undefined || !earlier.includes(request.headers[VERSION]?.toString());
  const refused =
    (isModern ? mismatchOf(request, message) : undefined) ?? refusalOf(message, isModern);
  const reply = refused ?? (await replyOf(message, call, serverFor));
  const failed = reply?.error?.code === sdk.ErrorCode.MethodNotFound ? 404 : 400;
  const serverInfo = { name: SERVER_NAME, version };
  const status = (isModern || refused) && reply?.error ? failed : 200;
  return { status, reply: reply && inFormOf(message, reply, serverInfo) };
}

/** Headers repeat what the body says. One without a version is refused for that. */
function mismatchOf({ headers }: IncomingMessage, body: Request): Reply | undefined {
  const { method, params = {} } = body;
  const name = method === "tools/call" ? params.name : undefined;
  const said = { [VERSION]: versionOf(body), "mcp-method": method, "mcp-name": name };
  const wrong = Object.entries(said).find(
    ([name, value]) => value !== undefined && decoded(headers[name]) !== value,
  );
  return (
    wrong && {
      error: { code: -32020, message: `Header mismatch: ${wrong[0]} differs from the body.` },
    }
  );
}

/** A name that a header cannot hold comes in base64. */
const decoded = (header: string | string[] = ""): string =>
  String(header).replace(/^=\?base64\?(.*)\?=$/, (_, base64) =>
    Buffer.from(base64, "base64").toString(),
  );

/** The reply of a server to one request; undefined where its caller has gone before. */
function replyOf(
  message: Request,
  { request, response, body: _, ...served }: McpCall,
  serverFor: ServerFor,
): Promise<Reply | undefined> {
  const server = serverFor({ ...served, client: clientOf(message) ?? programOf(request) });
  const close = () => void server.close();
  response.once("close", close);
  const reply = new Promise<Reply | undefined>((resolve) => {
    const transport: Transport = {
      start: async () => transport.onmessage?.(inEarlierForm(message) as never),
      send: async (message) => resolve(message as Reply),
      close: async () => transport.onclose?.(),
    };
    server.onerror = () =>
      resolve({ error: { code: sdk.ErrorCode.InvalidRequest, message: "Invalid Request" } });
    server.onclose = () => resolve(undefined);
    void server.connect(transport);
  });
  return reply.finally(() => response.off("close", close));
}

/** A server with the tools about the session log. */
export const contextServer: ServerFor = ({ opened, client, version, onFailure }) => {
  const server = new Server(
    { name: SERVER_NAME, version },
    { capabilities: { tools: {} }, instructions: RECORDED_ELSEWHERE },
  );
  const budget = budgetFor(client);
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: LISTED }));
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const tool = toolNamed(params.name, SESSION_TOOLS);
      if (tool.definition.kind !== "read") mustHaveScope(opened.caller, "write");
      const { run } = tool.prepare(withoutIdentity(params.arguments ?? {}, opened.caller) as Named);
      const record = async () => recordingOf(opened, agentNamed(client));
      return textResult(
        (await run({ record, budget, bundleBudget: bundleBudgetFor(client), signal })).text,
      );
    } catch (error) {
      onFailure(error);
      return { ...textResult(explain(error, NOWHERE)), isError: true };
    }
  });
  return server;
};

/** The name of a client that does not say it in each call: nothing is kept of `initialize`. */
const programOf = ({ headers }: IncomingMessage): string =>
  (headers["user-agent"] ?? "").split("/", 1)[0] ?? "";
