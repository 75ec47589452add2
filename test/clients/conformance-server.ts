/** The server that the official conformance suite asks for, for the transport of the daemon: its listener, its checks, its stateless replies. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";

const TEXT = { type: "text", text: "This is a simple text response for testing." } as const;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
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
    content: [
      resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
  },
  test_multiple_content_types: {
    content: [
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  },
  // What these are named after the server does not do, and the suite looks at just that.
  test_logging_tool: { content: [TEXT] },
  test_streaming_elicitation: { content: [TEXT] },
  test_error_handling: {
    content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
    isError: true,
  },
};

/** A tool that needs what the suite's client has not. */
const LACKING = "test_missing_capability";

export function suiteServer(): Server {
  const server = new Server({ name: "fixture", version: "0.0.0" }, { capabilities: { tools: {} } });
  const tools = [...Object.keys(TOOLS), LACKING].map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object" as const },
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name === LACKING) {
      throw new McpError(-32021, "Sampling is missing.", {
        requiredCapabilities: { sampling: {} },
      });
    }
    const result = TOOLS[params.name];
    if (!result) {
      throw new Error(`There is no tool ${params.name}.`);
    }
    return result;
  });
  return server;
}
