/** Starts what a client's configuration says, as that client would, through the SDK's own client. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

interface Entry {
  readonly command: string;
  readonly args: string[];
}

/** The names of the tools that the server of an entry lists, and what a search for everything says. */
export async function askServer(
  { command, args }: Entry,
  place: { cwd: string; env: Record<string, string> },
): Promise<{ tools: string[]; answer: string }> {
  const client = new Client({ name: "setup-test", version: "0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore", ...place }));
  try {
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: "search_memory", arguments: {} });
    return { tools: tools.map(({ name }) => name).sort(), answer: JSON.stringify(content) };
  } finally {
    await client.close();
  }
}

export const TOOLS = ["compact_memory", "log_memory", "search_memory"];
