/** Adapts the 2026-07-28 protocol, in which every request contains its version and client, to servers of the previous protocol. (docs/design/ground.md, "The protocol") */
import { isObject } from "../core/collections.ts";

/** A message that expects an answer. */
export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** An unvalidated message from a client. */
export type Message = { readonly [Key in keyof Request]?: unknown };

/** An answer without its id: a result, or a protocol error. */
export interface Reply {
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const MODERN = "2026-07-28";
const supported = [MODERN];
const PREFIX = "io.modelcontextprotocol";
const VERSION = `${PREFIX}/protocolVersion`;
const CAPABILITIES = `${PREFIX}/clientCapabilities`;
const CLIENT = `${PREFIX}/clientInfo`;

const DISCOVER = "server/discover";
const REMOVED = ["initialize", "ping"];
/** Clients may cache these for up to `ttlMs`. It's short because recording may be turned on in between. */
const CACHED = [DISCOVER, "tools/list", "prompts/list"];
const FRESHNESS = { ttlMs: 60_000, cacheScope: "private" };

function isRequest(message: unknown): message is Request {
  const { jsonrpc, id, method, params = {} } = { ...(message as Message | null) };
  return (
    jsonrpc === "2.0" &&
    /^(?:number|string)$/.test(typeof id) &&
    typeof method === "string" &&
    isObject(params)
  );
}

/** Returns the version in a request. Undefined in the previous protocol. */
export const versionOf = (request: Message): unknown => metaOf(request)[VERSION];

/** Returns the client's name in a request. Undefined without a name. */
export const clientOf = (request: Message): string | undefined =>
  (metaOf(request)[CLIENT] as { name?: string } | null | undefined)?.name?.toString();

/** Returns an error for invalid parameters. @param message what's required of them. */
const invalid = (message: string): Reply => ({ error: { code: -32602, message } });

/** Returns the error for an invalid request of this protocol, for one of its methods sent without a version, or for params that aren't an object. Undefined for any other message. */
export function refusalOf(
  request: Message,
  isModern = versionOf(request) !== undefined,
): Reply | undefined {
  if (!isRequest(request)) {
    return isRequest({ ...request, params: {} })
      ? invalid("The params of a request are an object.")
      : undefined;
  }
  if (!isModern && request.method !== DISCOVER) {
    return undefined;
  }
  const { [VERSION]: requested, [CAPABILITIES]: capabilities } = metaOf(request);
  if (requested === undefined || !isObject(capabilities)) {
    return invalid(`The request needs ${VERSION} and ${CAPABILITIES} in _meta.`);
  }
  if (requested !== MODERN) {
    return {
      error: {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported, requested },
      },
    };
  }
  return REMOVED.includes(request.method)
    ? { error: { code: -32601, message: "Method not found" } }
    : undefined;
}

/** Converts a message to the previous protocol, in which `server/discover` becomes `initialize`. */
export function inEarlierForm(message: Message): Message {
  const {
    [VERSION]: protocolVersion,
    [CAPABILITIES]: capabilities,
    [CLIENT]: clientInfo = NAMELESS,
  } = metaOf(message);
  if (protocolVersion === undefined || message.method !== DISCOVER) {
    return message;
  }
  return {
    ...message,
    method: "initialize",
    params: { protocolVersion, capabilities, clientInfo },
  };
}

const NAMELESS = { name: "", version: "" };

/** Converts a reply to the protocol of its request. @param serverInfo the server's name and version. */
export function inFormOf(
  request: Message = {},
  { result, ...reply }: Reply,
  serverInfo: object,
): Reply {
  if (!result || versionOf(request) === undefined) {
    return { ...reply, ...(result && { result }) };
  }
  const { protocolVersion, serverInfo: _, _meta, ...more } = result as Record<string, object>;
  return {
    ...reply,
    result: {
      resultType: "complete",
      ...(protocolVersion && { supportedVersions: supported }),
      ...(CACHED.includes(String(request.method)) && FRESHNESS),
      ...more,
      _meta: { ..._meta, [`${PREFIX}/serverInfo`]: serverInfo },
    },
  };
}

const metaOf = ({ params }: Message): Readonly<Record<string, unknown>> => ({
  ...(params as { _meta?: object } | null | undefined)?._meta,
});
