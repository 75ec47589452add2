/** Answers a client before its first call without the SDK, whose loading takes most of a start; it gets each odd message. */
import { SERVER_NAME } from "../../ground/clients/entry.ts";
import { instructionsFor } from "./instructions.ts";
import { CAPABILITIES, LISTED, PROTOCOLS } from "./printed.ts";
import { listPrompts } from "./prompts.ts";

/** A message of a client, as far as anything is known of it. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The server, as it introduces itself. */
export interface Introduction {
  readonly version: string;
  readonly isRecorded: () => boolean;
  /** The lessons that the instructions carry for a client without hooks; see opening-lessons.ts. */
  readonly readOpening: () => Promise<string>;
}

/** A result, or an error of the protocol. */
type Reply = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } };

interface Greeting {
  readonly protocolVersion: string;
  readonly capabilities: object;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** Claude Code asks for the protocol of 2026-07-28 first, and greets a server that does not know it. */
const UNKNOWN: Reply = { error: { code: -32601, message: "Method not found" } };

export class Handshake {
  /** As the client calls itself; undefined before it has greeted. */
  clientName: string | undefined;
  readonly #introduction: Introduction;

  constructor(introduction: Introduction) {
    this.#introduction = introduction;
  }

  /** Undefined for a message that is not part of it. */
  replyTo({ jsonrpc, id, method, params = {} }: Message): Reply | Promise<Reply> | undefined {
    if (jsonrpc !== "2.0" || (typeof id !== "number" && typeof id !== "string") || !isObject(params)) return undefined;
    if (method === "initialize") return isGreeting(params) ? this.#welcome(params) : undefined;
    if (method === "ping") return { result: {} };
    if (method === "tools/list") return { result: { tools: this.#listed() } };
    if (method === "prompts/list") return { result: { prompts: listPrompts() } };
    return method === "server/discover" ? UNKNOWN : undefined;
  }

  async #welcome({ protocolVersion, clientInfo }: Greeting): Promise<Reply> {
    const { version, isRecorded, readOpening } = this.#introduction;
    this.clientName = clientInfo.name;
    const result = {
      protocolVersion: PROTOCOLS.includes(protocolVersion) ? protocolVersion : PROTOCOLS[0],
      capabilities: CAPABILITIES,
      serverInfo: { name: SERVER_NAME, title: "Sentinel Memory", version },
      instructions: await instructionsFor(clientInfo.name, isRecorded(), readOpening),
    };
    return { result };
  }

  #listed(): readonly object[] {
    return this.#introduction.isRecorded() ? [...LISTED.lessons, ...LISTED.sessions] : LISTED.lessons;
  }
}

function isGreeting(params: object): params is Greeting {
  const { protocolVersion, capabilities, clientInfo } = params as Partial<Greeting>;
  const texts = [protocolVersion, clientInfo?.name, clientInfo?.version];
  return texts.every((text) => typeof text === "string") && isObject(capabilities);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
