/** The session log's tools over Streamable HTTP, for agents without a clone. There are no MCP sessions, so any daemon can answer any call. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import * as sdk from "@modelcontextprotocol/sdk/types.js";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import { agentNamed, budgetFor, bundleBudgetFor } from "../../ground/clients/clients.ts";
import { SentinelError } from "../../ground/core/errors.ts";
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
import { RECORDED_ELSEWHERE } from "../../sessions/tools/definitions.ts";
import { SESSION_TOOLS } from "../../sessions/tools/tools.ts";
import type { Named } from "../../sessions/tools/usual-names.ts";
import { replyJson } from "./bodies.ts";
import { mustHaveScope, type Opened, recordingOf, withoutIdentity } from "./caller.ts";

const LISTED = SESSION_TOOLS.map(({ definition }) => listingOf(definition));

/** Ignores an error, because its text may contain recorded words and `onFailure` has already logged its location. */
const NOWHERE = (): void => undefined;

/** An MCP call, with its caller and the server that answers it. */
export interface McpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly opened: Opened;
  readonly version: string;
  /** Receives the error of a failed tool, because otherwise only the caller would see it. */
  readonly onFailure: (error: unknown) => void;
  readonly serverFor: ServerFor;
}

/** @param client the client's name for itself. */
export type ServerFor = (call: McpCall, client: string) => Server;

interface Answering extends McpCall {
  /** Resolves when the caller hangs up. The SDK's transport would wait forever. */
  readonly hungUp: Promise<undefined>;
}

const VERSION = "mcp-protocol-version";

/** The most messages in a batch. A batch counts as one call of its token, so it must not contain the work of many. */
const MOST_MESSAGES = 100;

/** @throws SentinelError `bad_argument` for a batch with too many messages. */
export async function answerMcp(call: McpCall): Promise<void> {
  const { request, response, body } = call;
  if (Array.isArray(body) && body.length > MOST_MESSAGES) {
    throw new SentinelError(
      "bad_argument",
      `The batch has ${body.length.toLocaleString("en")} messages, and at most ${MOST_MESSAGES} are allowed.`,
      "Send them in several calls.",
    );
  }
  const hungUp = new Promise<undefined>((resolve) => {
    response.once("close", () => resolve(undefined));
  });
  // A body without a valid message gets this status, because no request sets another.
  response.statusCode = 400;
  const answer = await answerSent(
    body,
    headerVersion(request) === WITH_BATCHES,
    async (message) => {
      if (message.id === undefined || response.destroyed) {
        return undefined;
      }
      return answerRequest(message as Request, { ...call, hungUp });
    },
  );
  if (response.destroyed) {
    return;
  }
  if (answer === undefined) {
    response.writeHead(202).end();
  } else {
    replyJson(response, Array.isArray(answer) ? 200 : response.statusCode, answer);
  }
}

/** Sets the status, which is only used outside a batch. @returns undefined if the caller has hung up. */
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

/** Returns the version in the header. Clients with protocol versions that allow batches send no header. */
const headerVersion = ({ headers }: IncomingMessage): string =>
  headers[VERSION]?.toString() ?? WITH_BATCHES;

/** Compares the headers with the values that they repeat from the body. A missing header is a mismatch, too. */
function mismatchOf({ headers }: IncomingMessage, body: Request): Reply | undefined {
  const { method, params = {} } = body;
  const name = method === "tools/call" ? params.name : undefined;
  const said = { [VERSION]: versionOf(body), "mcp-method": method, "mcp-name": name };
  for (const [header, value] of Object.entries(said)) {
    if (value !== undefined && decoded(headers[header]) !== value) {
      return {
        error: { code: -32020, message: `Header mismatch: ${header} differs from the body.` },
      };
    }
  }
  return undefined;
}

/** Decodes a header. Names with characters that headers don't allow are sent in base64. */
const decoded = (header: string | string[] = ""): string =>
  String(header).replace(/^=\?base64\?(.*)\?=$/, (_, base64) =>
    Buffer.from(base64, "base64").toString(),
  );

/** Headers that the SDK's transport requires. Clients may omit them or send another version, and still get an answer. */
const ASKED = {
  method: "POST",
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
};

/** Returns a server's reply to one request. Undefined if the caller has hung up. */
async function replyOf(message: Request, call: Answering): Promise<Reply | undefined> {
  const server = call.serverFor(call, clientOf(message) ?? programOf(call.request));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const asked = new globalThis.Request("http://localhost/mcp", ASKED);
  const answered = transport.handleRequest(asked, { parsedBody: inEarlierForm(message) });
  const answer = await Promise.race([answered, call.hungUp]);
  await server.close();
  if (answer?.ok === false) {
    return INVALID;
  }
  return (await answer?.json()) as Reply | undefined;
}

const INVALID: Reply = { error: { code: INVALID_REQUEST, message: "Invalid Request" } };

/** Creates a server with the session log's tools. */
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
      if (tool.definition.kind !== "read") {
        mustHaveScope(opened.caller, "write");
      }
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

/** Returns the client's name for clients that only send it in `initialize`, which isn't remembered. */
const programOf = ({ headers }: IncomingMessage): string =>
  (headers["user-agent"] ?? "").split("/", 1)[0] ?? "";
