/** Answers calls. It finds the caller, checks the token's rights, and runs the call. It keeps no state between calls. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SentinelError } from "../../ground/core/errors.ts";
import { unparsable } from "../../ground/tool/messages.ts";
import { answerMcp, contextServer, type ServerFor } from "./answer-mcp.ts";
import {
  declaredBytes,
  dropBody,
  MOST_BYTES,
  type ParseLarge,
  readBody,
  replyError,
  replyJson,
} from "./bodies.ts";
import {
  type Caller,
  type Callers,
  mustHaveScope,
  type Opened,
  tokenOf,
  unauthorised,
} from "./caller.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { Metrics, type Pool } from "./metrics.ts";
import { TokenLimit } from "./token-limit.ts";

export interface ServiceParts {
  readonly callers: Callers;
  /** The database connections. */
  readonly pool: Pool;
  readonly parseLarge: ParseLarge;
  /** Rejects if the session log is unreachable. */
  readonly checkHealth: () => Promise<void>;
  /** The daemon's host names, in addition to those of this machine. */
  readonly hosts: readonly string[];
  readonly version: string;
  /** Logs a call, without its content. */
  readonly log: (entry: LogEntry) => void;
  /** Makes the server of one call over MCP. @internal */
  readonly serverFor?: ServerFor;
}

/** @internal */
export interface LogEntry {
  /** The id in `x-request-id`, which the answer repeats. */
  readonly id: string;
  /** The remote address of the connection. The next field is the address that a proxy reports. Both are only for the log. */
  readonly address: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly call: string;
  readonly status: number;
  readonly ms: number;
  /** The id of the token. Absent without a token. */
  readonly token?: string;
  /** The error, if it isn't the caller's mistake. */
  readonly error?: string;
}

interface Call {
  readonly path: string;
  /** For logs and counts: `other` for an unknown path, which may be any text. */
  readonly name: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  caller?: Caller;
  /** The error, even if the answer already contains it. */
  failure?: unknown;
}

const VERSION = "/v1/";
const OK = { status: "ok" };
const noSuchCall = () =>
  new SentinelError("not_found", "There is no such call.", "docs/daemon-api.md lists them.");
/** The limits of one token. Half of the daemon's database connections can run its calls. */
const CALLS = { running: 8, waiting: 600 };
const HEALTH_MS = 2_000;

export class Service {
  readonly #parts: ServiceParts;
  readonly #calls = new TokenLimit(CALLS);
  readonly #metrics = new Metrics();
  readonly #stop = new AbortController();
  #health: Promise<void> | undefined;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = performance.now();
    const { headers, socket } = request;
    const [id = randomUUID()] = /^[\w-]{1,64}$/.exec(String(headers["x-request-id"] ?? "")) ?? [];
    const [forwardedFor] = /[\w.:]{1,45}$/.exec(String(headers["x-forwarded-for"] ?? "")) ?? [];
    const from = { id, address: socket.remoteAddress, forwardedFor };
    response.setHeader("x-request-id", id);
    const [path = ""] = (request.url ?? "").split("?", 1);
    const call: Call = { path, name: nameOf(request, path), request, response };
    try {
      checkHost(request, this.#parts.hosts);
      await Promise.race([this.#route(call), cutOff(response, this.#stop.signal)]);
    } catch (error) {
      call.failure = error;
      if (!request.complete) {
        void dropBody(request);
      }
      replyError(response, error);
    }
    const entry = {
      call: call.name,
      status: response.statusCode,
      ms: Math.round(performance.now() - began),
    };
    this.#metrics.count(entry);
    this.#parts.log({
      ...entry,
      ...from,
      token: call.caller?.id,
      ...causeOf(call.failure),
    });
  };

  /** Answers the operator on a separate port, without a token. IP addresses are valid hosts there. Never rejects. */
  answerOperator = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (!mayRead(request)) {
        return refuseMethod(response, "GET, HEAD");
      }
      const asked = nameIn(`http://${request.headers.host ?? ""}`);
      checkHost(
        request,
        isIP(asked.replace(/^\[|\]$/g, "")) ? [...this.#parts.hosts, asked] : this.#parts.hosts,
      );
      if (request.url === "/metrics") {
        return this.#replyMetrics(response);
      }
      if (request.url === "/ready") {
        await this.#checkHealth();
      } else if (request.url !== "/live") {
        throw noSuchCall();
      }
      replyJson(response, 200, OK);
    } catch (error) {
      replyError(response, error);
    }
  };

  /** Makes health checks fail. Running calls continue. */
  stop(): void {
    this.#stop.abort();
  }

  async #route(call: Call): Promise<void> {
    const { name, response } = call;
    if (name === "health") {
      await this.#checkHealth();
      return replyJson(response, 200, OK);
    }
    const caller = await this.#identify(call);
    if (name === "metrics") {
      mustHaveScope(caller, "metrics");
      return this.#replyMetrics(response);
    }
    return name === "mcp" ? this.#answerMcp(call, caller) : this.#answerEndpoint(call, caller);
  }

  /** Reserves room for the body of a call before it is read. */
  #withBody(
    request: IncomingMessage,
    caller: Caller,
    most: number,
    act: (body: unknown, opened: Opened) => Promise<void>,
  ): Promise<void> {
    const { callers, parseLarge } = this.#parts;
    return this.#calls.within(caller.id, declaredBytes(request, most), async () => {
      const body = await readBody(request, most, parseLarge);
      await act(body, callers.open(caller));
    });
  }

  async #answerEndpoint({ path, name, request, response }: Call, caller: Caller): Promise<void> {
    const endpoint = endpointAt(request, path);
    if (!endpoint) {
      throw noSuchCall();
    }
    // Only this call takes events.
    const most = name === "append" ? MOST_BYTES.events : MOST_BYTES.asking;
    await this.#withBody(request, caller, most, async (body, opened) =>
      replyJson(response, 200, await endpoint(body, opened)),
    );
  }

  async #answerMcp(call: Call, caller: Caller): Promise<void> {
    const { request, response } = call;
    mustHaveScope(caller, "write", "read");
    // There are no sessions, so only POST is useful.
    if (request.method !== "POST") {
      return refuseMethod(response, "POST");
    }
    const { version, serverFor = contextServer } = this.#parts;
    const onFailure = (error: unknown): void => {
      call.failure = error;
    };
    try {
      await this.#withBody(request, caller, MOST_BYTES.message, (body, opened) =>
        answerMcp({ request, response, body, opened, version, onFailure, serverFor }),
      );
    } catch (error) {
      if (!(error instanceof SentinelError) || error.code !== "bad_argument") {
        throw error;
      }
      call.failure = error;
      replyJson(response, 400, unparsable(`${error.message} ${error.fix}`));
    }
  }

  #replyMetrics(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" });
    response.end(this.#metrics.text(this.#calls.waiting, this.#calls.bytes, this.#parts.pool));
  }

  /** Shares one check among concurrent requests, because strangers can send many. It doesn't wait for a silent database. */
  #checkHealth(): Promise<void> {
    if (this.#stop.signal.aborted) {
      throw new SentinelError("daemon_unreachable", "The daemon ends.", "Call another.");
    }
    this.#health ??= this.#parts.checkHealth().finally(() => {
      this.#health = undefined;
    });
    return Promise.race([this.#health, sleep(HEALTH_MS, undefined, { ref: false }).then(silent)]);
  }

  async #identify(call: Call): Promise<Caller> {
    const caller = await this.#parts.callers.find(tokenOf(call.request));
    if (!caller) {
      throw unauthorised("This token is not in use.");
    }
    call.caller = caller;
    return caller;
  }
}

function nameOf(request: IncomingMessage, path: string): string {
  if (mayRead(request) && (path === "/health" || path === "/metrics")) {
    return path.slice(1);
  }
  if (path === "/mcp") {
    return "mcp";
  }
  return endpointAt(request, path) ? basename(path) : "other";
}

function endpointAt({ method }: IncomingMessage, path: string) {
  const isBelow = method === "POST" && path.startsWith(VERSION);
  return isBelow ? ENDPOINTS.get(path.slice(VERSION.length)) : undefined;
}

const mayRead = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

const refuseMethod = (response: ServerResponse, allow: string): void =>
  void response.writeHead(405, { allow }).end();

function silent(): never {
  throw new SentinelError(
    "database_unreachable",
    "The database does not answer.",
    "See what keeps it, then ask again.",
  );
}

/** Rejects if a stopping daemon closes the connection before the answer, so that this call is logged, too. */
function cutOff(response: ServerResponse, stop: AbortSignal): Promise<never> {
  const cut = () =>
    new SentinelError("cancelled", "The daemon ended before the call did.", "Call again.");
  return new Promise((_, reject) => {
    response.once("close", () => stop.aborted && !response.writableFinished && reject(cut()));
  });
}

/** Returns the error for the log. Our messages contain no recorded text. Messages of other errors may, so only their stack frames are logged. */
function causeOf(failure: unknown): { error?: string } {
  if (failure === undefined) {
    return {};
  }
  if (failure instanceof SentinelError) {
    return { error: failure.code };
  }
  return { error: failure instanceof Error ? `${failure.name}\n${frames(failure)}` : "unknown" };
}

/** Removes the message from a stack, because it may contain lines that look like frames. */
function frames({ stack = "", message }: Error): string {
  const before = stack.indexOf(message);
  return (before < 0 ? "" : stack.slice(before + message.length))
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}

/** The host names of this machine. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Checks that a call is meant for this daemon, because a page in a browser can call any address. @throws SentinelError `not_allowed` */
function checkHost({ headers }: IncomingMessage, hosts: readonly string[]): void {
  const known = [...LOOPBACK, ...hosts];
  if (!known.includes(nameIn(`http://${headers.host ?? ""}`))) {
    throw refused(
      "The Host of the call is not a name of this daemon.",
      "sentinel-memory daemon serve --allow-host NAME adds one.",
    );
  }
  if (headers.origin !== undefined && !known.includes(nameIn(headers.origin))) {
    throw refused(
      "The call comes from a page of another site.",
      "Call from a program, or from a page of this host.",
    );
  }
}

const nameIn = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

const refused = (what: string, fix: string): SentinelError =>
  new SentinelError("not_allowed", what, fix);
