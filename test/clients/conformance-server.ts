/**
 * The server that the official conformance suite asks for, on the transport of the daemon: its listener, its checks, its stateless replies.
 * The suite has no token to send, so each call is given one on its way.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { listen } from "../../src/daemon/http/listen.ts";
import { Service } from "../../src/daemon/http/service.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { testFolder } from "../support/in-test.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const TEXT = { type: "text", text: "This is a simple text response for testing." } as const;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const IMAGE = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const resource = (uri: string, mimeType: string, text: string) =>
  ({ type: "resource", resource: { uri, mimeType, text } }) as const;

/** By the names that the suite calls. */
const TOOLS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [TEXT] },
  test_image_content: { content: [IMAGE] },
  test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  },
  test_multiple_content_types: {
    content: [
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
    isError: true,
  },
};

/** Its address, while the test runs. */
export async function conformanceServer(): Promise<string> {
  const store = new JsonlEventStore({ folder: testFolder(), redactor: UNREDACTED, now: Date.now });
  const caller = { id: "0", tenant: "t", owner: "o", channel: "private", scope: "write" } as const;
  const service = new Service({
    pools: {},
    callers: { find: async () => caller, open: async () => store },
    checkHealth: async () => {},
    hosts: [],
    version: "0.0.0",
    log: () => {},
    serverFor,
  });
  const listening = await listen({
    host: "127.0.0.1",
    port: 0,
    answer(request, response) {
      request.headers.authorization = "Bearer given";
      return service.answer(request, response);
    },
    onClose: () => service.stop(),
  });
  onTestFinished(() => listening.close());
  return `${listening.url.replace("127.0.0.1", "localhost")}/mcp`;
}

function serverFor(): Server {
  const server = new Server({ name: "fixture", version: "0.0.0" }, { capabilities: { tools: {} } });
  const tools = Object.keys(TOOLS).map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object" as const },
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const result = TOOLS[params.name];
    if (!result) throw new Error(`There is no tool ${params.name}.`);
    return result;
  });
  return server;
}
