/** The session log's tools over Streamable HTTP, for agents without a clone. Nothing is kept for a session, so any daemon answers any call. */
import "../../ground/tool/schemas.ts";
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
  isRequest,
  type Message,
  type Reply,
  type Request,
  refusalOf,
  versionOf,
} from "../../ground/tool/eras.ts";
import { explain } from "../../ground/tool/explain.ts";
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

export async function answerMcp({ request, response, body, ...served }: McpCall, serverFor: ServerFor): Promise<void> {
  const { method, id } = { ...(body as Message | null) };
  if (!isRequest(body))
    return void response.writeHead(typeof method === "string" && id === undefined ? 202 : 400).end();
  const earlier = [undefined, ...sdk.SUPPORTED_PROTOCOL_VERSIONS];
  const isModern = versionOf(body) !== undefined || !earlier.includes(request.headers[VERSION]?.toString());
  const server = serverFor({ ...served, client: clientOf(body) ?? programOf(request) });
  response.once("close", () => void server.close());
  const refused = (isModern ? mismatchOf(request, body) : undefined) ?? refusalOf(body, isModern);
  const reply = refused ?? (await replyOf(server, inEarlierForm(body)));
  if (!reply) return;
  const failed = reply.error?.code === sdk.ErrorCode.MethodNotFound ? 404 : 400;
  const serverInfo = { name: SERVER_NAME, version: served.version };
  const answer = { jsonrpc: "2.0", id: body.id, ...inFormOf(body, reply, serverInfo) };
  replyJson(response, (isModern || refused) && reply.error ? failed : 200, answer);
}

/** Headers repeat what the body says. One without a version is refused for that. */
function mismatchOf({ headers }: IncomingMessage, body: Request): Reply | undefined {
  const { method, params = {} } = body;
  const name = method === "tools/call" ? params.name : undefined;
  const said = { [VERSION]: versionOf(body), "mcp-method": method, "mcp-name": name };
  const wrong = Object.entries(said).find(([name, value]) => value !== undefined && decoded(headers[name]) !== value);
  return wrong && { error: { code: -32020, message: `Header mismatch: ${wrong[0]} is not what the body says.` } };
}

/** A name that a header cannot hold comes in base64. */
const decoded = (header: string | string[] = ""): string =>
  String(header).replace(/^=\?base64\?(.*)\?=$/, (_, base64) => Buffer.from(base64, "base64").toString());

/** The reply of a server to one request; undefined where it was closed before. */
function replyOf(server: Server, request: Message): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const transport: Transport = {
      start: async () => transport.onmessage?.(request as never),
      send: async (message) => resolve(message as Reply),
      close: async () => transport.onclose?.(),
    };
    server.onerror = () => resolve({ error: { code: sdk.ErrorCode.InvalidRequest, message: "Invalid Request" } });
    server.onclose = () => resolve(undefined);
    void server.connect(transport);
  });
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
      return textResult((await run({ record, budget, bundleBudget: bundleBudgetFor(client), signal })).text);
    } catch (error) {
      onFailure(error);
      return { ...textResult(explain(error, NOWHERE)), isError: true };
    }
  });
  return server;
};

/** The name of a client that does not say it in each call: nothing is kept of `initialize`. */
const programOf = ({ headers }: IncomingMessage): string => (headers["user-agent"] ?? "").split("/", 1)[0] ?? "";
