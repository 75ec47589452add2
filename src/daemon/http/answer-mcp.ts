/** The session log's tools over Streamable HTTP, for agents without a clone. Nothing is kept for a session, so any daemon answers any call. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
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
import { answerSent, INVALID_REQUEST, WITH_BATCHES } from "../../ground/tool/messages.ts";
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

/** A call over MCP, whom it is answered for, and from what. */
export interface McpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly opened: Opened;
  readonly version: string;
  /** Takes what a tool failed with: its answer says it, and not to the operator. */
  readonly onFailure: (error: unknown) => void;
  readonly serverFor: ServerFor;
}

/** @param client as it calls itself. */
export type ServerFor = (call: McpCall, client: string) => Server;

interface Answering extends McpCall {
  /** The SDK's transport would wait for ever. */
  readonly hungUp: Promise<undefined>;
}

const VERSION = "mcp-protocol-version";

export async function answerMcp(call: McpCall): Promise<void> {
  const { request, response, body } = call;
  const hungUp = new Promise<undefined>((resolve) => {
    response.once("close", () => resolve(undefined));
  });
  // What is not a message gets a refusal without being taken.
  response.statusCode = 400;
  const answer = await answerSent(
    body,
    headerVersion(request) === WITH_BATCHES,
    async (message) => {
      if (message.id === undefined || response.destroyed) return undefined;
      return answerRequest(message as Request, { ...call, hungUp });
    },
  );
  if (response.destroyed) return;
  if (answer === undefined) response.writeHead(202).end();
  else replyJson(response, Array.isArray(answer) ? 200 : response.statusCode, answer);
}

/** The reply to one request, undefined if its caller has hung up; its status counts if nothing else is answered. */
async function answerRequest(message: Request, call: Answering): Promise<Reply | undefined> {
  const { request, response, version } = call;
  const isModern =
    versionOf(message) !== undefined ||
    !sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(headerVersion(request));
  const refused =
    (isModern ? mismatchOf(request, message) : undefined) ?? refusalOf(message, isModern);
  const reply = refused ?? (await replyOf(message, call));
  const failed = reply?.error?.code === sdk.ErrorCode.MethodNotFound ? 404 : 400;
  response.statusCode = (isModern || refused) && reply?.error ? failed : 200;
  return reply && inFormOf(message, reply, { name: SERVER_NAME, version });
}

/** Clients name their version in a header since the version after the one that has batches. */
const headerVersion = ({ headers }: IncomingMessage): string =>
  headers[VERSION]?.toString() ?? WITH_BATCHES;

/** Headers repeat what the body says. One without a version is refused for that. */
function mismatchOf({ headers }: IncomingMessage, body: Request): Reply | undefined {
  const { method, params = {} } = body;
  const name = method === "tools/call" ? params.name : undefined;
  const said = { [VERSION]: versionOf(body), "mcp-method": method, "mcp-name": name };
  for (const [header, value] of Object.entries(said))
    if (value !== undefined && decoded(headers[header]) !== value)
      return {
        error: { code: -32020, message: `Header mismatch: ${header} differs from the body.` },
      };
  return undefined;
}

/** A name that a header cannot hold comes in base64. */
const decoded = (header: string | string[] = ""): string =>
  String(header).replace(/^=\?base64\?(.*)\?=$/, (_, base64) =>
    Buffer.from(base64, "base64").toString(),
  );

/** What the SDK's transport demands. Clients may send less, or a version of the other era, and are answered all the same. */
const ASKED = {
  method: "POST",
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
};

/** The reply of a server to one request; undefined if its caller has hung up. */
async function replyOf(message: Request, call: Answering): Promise<Reply | undefined> {
  const server = call.serverFor(call, clientOf(message) ?? programOf(call.request));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const asked = new globalThis.Request("http://localhost/mcp", ASKED);
  const answered = transport.handleRequest(asked, { parsedBody: inEarlierForm(message) });
  const answer = await Promise.race([answered, call.hungUp]);
  await server.close();
  if (answer?.ok === false) return INVALID;
  return (await answer?.json()) as Reply | undefined;
}

const INVALID: Reply = { error: { code: INVALID_REQUEST, message: "Invalid Request" } };

/** A server with the tools about the session log. */
export const contextServer: ServerFor = ({ opened, version, onFailure }, client) => {
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
