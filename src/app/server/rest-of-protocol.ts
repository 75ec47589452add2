/** Answers what a server has no answer of its own to, as the SDK does: loaded with the first such request. */
import "../../ground/tool/schemas.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { SERVER_NAME } from "../../ground/clients/client.ts";

/** The versions of the protocol, the newest first. */
export const PROTOCOLS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
export const CAPABILITIES = { tools: {}, prompts: {} };

/** @param send writes a message to the client. @returns what takes its messages. */
export async function openRestOfProtocol(version: string, send: (message: object) => void) {
  const server = new Server({ name: SERVER_NAME, version }, { capabilities: CAPABILITIES });
  const transport: Transport = { start: nothing, close: nothing, send: async (message) => send(message) };
  await server.connect(transport);
  return async (message: object): Promise<void> => {
    transport.onmessage?.(message as never);
    // The SDK writes its answer some turns later.
    await nextTurn();
    await nextTurn();
  };
}

const nothing = async (): Promise<void> => undefined;
