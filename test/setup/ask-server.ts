/** Starts what a client's configuration says, as that client would, through the SDK's own client. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

interface Entry {
  readonly command: string;
  readonly args: string[];
}

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** The names of the tools that the server of an entry lists, and what a search for everything says. */
export async function askServer(entry: Entry, place: Place): Promise<{ tools: string[]; answer: string }> {
  return withServer(entry, place, async (client) => {
    const { tools } = await client.listTools();
    return { tools: tools.map(({ name }) => name).sort(), answer: await call(client, "search_memory", {}) };
  });
}

/** What one tool of the server of an entry answers. */
export async function callServer(
  entry: Entry,
  place: Place,
  tool: string,
  input: Record<string, unknown>,
): Promise<string> {
  return withServer(entry, place, (client) => call(client, tool, input));
}

async function withServer<T>({ command, args }: Entry, place: Place, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "setup-test", version: "0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore", ...place }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
}

export const TOOLS = ["compact_memory", "log_memory", "search_memory"];
