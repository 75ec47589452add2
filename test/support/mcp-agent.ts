/** An agent without a clone: the SDK's client over HTTP, with a token. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

export interface HttpAgent {
  readonly client: Client;
  /** Calls a tool; an error of it is an answer, too. */
  call(
    name: string,
    args: Record<string, unknown>,
  ): Promise<{ readonly isError: boolean; readonly text: string }>;
}

/** Ends with the test. */
export async function httpAgent(
  { url }: { readonly url: string },
  token: string,
): Promise<HttpAgent> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}`, "user-agent": "codex/1.0" };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return {
    client,
    async call(name, args) {
      const { content, isError = false } = (await client.callTool({
        name,
        arguments: args,
      })) as CallToolResult;
      return { isError, text: content.map((part) => ("text" in part ? part.text : "")).join("\n") };
    },
  };
}
