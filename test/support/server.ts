/** A client as the agents have one: the SDK's, over standard input and output of a server process of its own. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

export interface AgentOptions {
  readonly client: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
}

export interface Heard {
  readonly text: string;
  readonly isError: boolean;
}

/** Only tells a server that hangs from one that works, in ms. */
const DEADLINE = 30_000;

export class Agent {
  readonly #client: Client;
  /** What the server wrote to standard output that was no message of the protocol. */
  readonly noise: string[] = [];

  private constructor(client: Client) {
    this.#client = client;
    client.onerror = (error) => this.noise.push(error.message);
  }

  static async connect({ client: name, ...server }: AgentOptions): Promise<Agent> {
    const client = new Client({ name, version: "1.0.0" });
    const agent = new Agent(client);
    const transport = new StdioClientTransport({ ...server, args: [...server.args], stderr: "ignore" });
    await client.connect(transport, { timeout: DEADLINE });
    return agent;
  }

  async call(name: string, args: Record<string, unknown>): Promise<Heard> {
    const result = await this.#client.callTool({ name, arguments: args }, undefined, { timeout: DEADLINE });
    const { content, isError = false } = result as CallToolResult;
    return { text: content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"), isError };
  }

  async list(what: "tools" | "prompts" | "instructions"): Promise<Heard> {
    const listed = {
      tools: async () => JSON.stringify((await this.#client.listTools()).tools),
      prompts: async () => JSON.stringify((await this.#client.listPrompts()).prompts),
      instructions: async () => this.#client.getInstructions() ?? "",
    };
    return { text: await listed[what](), isError: false };
  }

  async prompt(name: string, args: Record<string, string>): Promise<Heard> {
    const { messages } = await this.#client.getPrompt({ name, arguments: args });
    const text = messages
      .map(({ content }) => (content.type === "text" ? content.text : `[${content.type}]`))
      .join("\n");
    return { text, isError: false };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
