/** Answers a client before its first call, without what answers calls, whose loading takes most of a start. */
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import { clientNamed } from "../../ground/clients/clients.ts";
import { invalid, isObject, isRequest, type Message, type Reply } from "../../ground/tool/eras.ts";
import { WITH_BATCHES } from "../../ground/tool/messages.ts";
import { INSTRUCTIONS } from "../../lessons/tools/instructions.ts";
import { RECORDED } from "../../sessions/tools/instructions.ts";
import { CAPABILITIES, LISTED, PROTOCOLS } from "./printed.ts";
import { listPrompts } from "./prompts.ts";

/** How long the first answer may wait for lessons. */
const PATIENCE_MS = 100;

export interface Introduction {
  readonly version: string;
  readonly isRecorded: () => boolean;
  /** The lessons that the instructions carry for a client without hooks; late or failed, it leaves the loop alone. See opening-lessons.ts. */
  readonly readOpening: () => Promise<string>;
}

export class Handshake {
  /** As the client calls itself; undefined before it has greeted. */
  clientName: string | undefined;
  /** Whether its version of the protocol has batches: that of its greeting decides. */
  hasBatches = false;
  readonly serverInfo: object;
  readonly #introduction: Introduction;

  constructor(introduction: Introduction) {
    this.#introduction = introduction;
    this.serverInfo = {
      name: SERVER_NAME,
      title: "Sentinel Memory",
      version: introduction.version,
    };
  }

  /** Undefined for a message that is not part of it. */
  replyTo(message: Message): Reply | Promise<Reply> | undefined {
    if (!isRequest(message)) return undefined;
    const { method, params = {} } = message;
    if (method === "initialize") return this.#welcome(params);
    if (method === "ping") return { result: {} };
    if (method === "tools/list") {
      const { lessons, sessions } = LISTED;
      return {
        result: { tools: this.#introduction.isRecorded() ? [...lessons, ...sessions] : lessons },
      };
    }
    return method === "prompts/list" ? { result: { prompts: listPrompts() } } : undefined;
  }

  async #welcome({
    protocolVersion,
    capabilities,
    clientInfo,
  }: Readonly<Record<string, unknown>>): Promise<Reply> {
    const client = Object(clientInfo);
    const texts = [protocolVersion, client.name, client.version];
    if (!texts.every((text) => typeof text === "string") || !isObject(capabilities))
      return invalid(
        "initialize takes protocolVersion, capabilities, and clientInfo with a name and a version.",
      );
    this.clientName = client.name;
    const version = PROTOCOLS.find((known) => known === protocolVersion) ?? PROTOCOLS[0];
    this.hasBatches = version === WITH_BATCHES;
    const instructions = await instructionsFor(client.name, this.#introduction);
    const { serverInfo } = this;
    return {
      result: { protocolVersion: version, capabilities: CAPABILITIES, serverInfo, instructions },
    };
  }
}

/** The loop, with the session log's tools where they are listed, and a few lessons where no hook brings them. @param clientName as in `initialize`. */
async function instructionsFor(
  clientName: string,
  { isRecorded, readOpening }: Introduction,
): Promise<string> {
  const loop = isRecorded() ? `${INSTRUCTIONS}\n${RECORDED}` : INSTRUCTIONS;
  const hooks = clientNamed(clientName)?.hooks;
  if (hooks && !hooks.needsTrust) return loop;
  const late = sleep(PATIENCE_MS, "", { ref: false });
  const opening = await Promise.race([readOpening(), late]).catch(() => "");
  return opening === "" ? loop : `${loop}\n\n${opening}`;
}
