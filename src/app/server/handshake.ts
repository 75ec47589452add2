/** Answers a client before its first call without the SDK, whose loading takes most of a start; it gets each odd message. */
import { SERVER_NAME } from "../../ground/clients/entry.ts";
import { invalid, isObject, isRequest, type Message, type Reply } from "../../ground/tool/eras.ts";
import { instructionsFor } from "./instructions.ts";
import { CAPABILITIES, LISTED, PROTOCOLS } from "./printed.ts";
import { listPrompts } from "./prompts.ts";

/** The server, as it introduces itself. */
export interface Introduction {
  readonly version: string;
  readonly isRecorded: () => boolean;
  /** The lessons that the instructions carry for a client without hooks; see opening-lessons.ts. */
  readonly readOpening: () => Promise<string>;
}

interface Greeting {
  readonly protocolVersion: string;
  readonly capabilities: object;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

const GREETING =
  "initialize takes protocolVersion, a text, capabilities, an object, and clientInfo with a name and a version.";

export class Handshake {
  /** As the client calls itself; undefined before it has greeted. */
  clientName: string | undefined;
  readonly serverInfo: object;
  readonly #introduction: Introduction;

  constructor(introduction: Introduction) {
    this.#introduction = introduction;
    this.serverInfo = { name: SERVER_NAME, title: "Sentinel Memory", version: introduction.version };
  }

  /** Undefined for a message that is not part of it. */
  replyTo(message: Message): Reply | Promise<Reply> | undefined {
    if (!isRequest(message)) return undefined;
    const { method, params = {} } = message;
    if (method === "initialize") return isGreeting(params) ? this.#welcome(params) : invalid(GREETING);
    if (method === "ping") return { result: {} };
    if (method === "tools/list") {
      const { lessons, sessions } = LISTED;
      return { result: { tools: this.#introduction.isRecorded() ? [...lessons, ...sessions] : lessons } };
    }
    return method === "prompts/list" ? { result: { prompts: listPrompts() } } : undefined;
  }

  async #welcome({ protocolVersion, clientInfo }: Greeting): Promise<Reply> {
    const { isRecorded, readOpening } = this.#introduction;
    this.clientName = clientInfo.name;
    const result = {
      protocolVersion: PROTOCOLS.includes(protocolVersion) ? protocolVersion : PROTOCOLS[0],
      capabilities: CAPABILITIES,
      serverInfo: this.serverInfo,
      instructions: await instructionsFor(clientInfo.name, isRecorded(), readOpening),
    };
    return { result };
  }
}

function isGreeting(params: object): params is Greeting {
  const { protocolVersion, capabilities, clientInfo } = params as Partial<Greeting>;
  const texts = [protocolVersion, clientInfo?.name, clientInfo?.version];
  return texts.every((text) => typeof text === "string") && isObject(capabilities);
}
