/** A server in a process of its own, spoken to as agents do: by the SDK's client, over standard input and output. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

export interface ServerStart {
  /** The program; node by default. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** In addition to what a client of the SDK hands on: the path, the home folder and the like. */
  readonly env?: Record<string, string>;
  /** The name that the client gives itself. */
  readonly client?: string;
  /** Tells a server that hangs from one that works; 30,000 by default. */
  readonly deadlineMs?: number;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** The code of an error; undefined when the call went through. */
  readonly code: string | undefined;
  /** The memory that answered: `_meta` of the result names it. */
  readonly memory?: { readonly location: string } | undefined;
  /** The size of the answer, from `_meta`. */
  readonly receipt?: { readonly tokens: number; readonly in_full?: number } | undefined;
}

export class Server {
  /** What the server wrote to standard output that was no message of the protocol. */
  readonly noise: string[] = [];
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  readonly #client: Client;
  readonly #transport: StdioClientTransport;
  readonly #timeout: { readonly timeout: number };
  #pid = 0;

  constructor({
    command = process.execPath,
    args,
    cwd,
    env,
    client = "test",
    deadlineMs = 120_000,
  }: ServerStart) {
    this.#client = new Client({ name: client, version: "1.0.0" });
    this.#client.onerror = (error) => this.noise.push(error.message);
    this.exited = new Promise((resolve) => {
      this.#client.onclose = resolve;
    });
    const place = { ...(cwd !== undefined && { cwd }), ...(env && { env }) };
    this.#transport = new StdioClientTransport({
      command,
      args: [...args],
      ...place,
      stderr: "ignore",
    });
    this.#timeout = { timeout: deadlineMs };
  }

  /** Starts the process and greets it. */
  async connect(): Promise<void> {
    await this.#client.connect(this.#transport, this.#timeout);
    this.#pid = this.#transport.pid ?? 0;
  }

  /** Of the process, also after its end. */
  get pid(): number {
    return this.#pid;
  }

  /** Calls a tool; rejects when the server dies before it answers. */
  async call(tool: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool(
      { name: tool, arguments: args },
      undefined,
      this.#timeout,
    );
    const { content, isError = false, _meta } = result as CallToolResult;
    const text = content.map(textOf).join("\n");
    const code = isError ? (/^error (\w+):/.exec(text)?.[1] ?? "without a code") : undefined;
    return {
      text,
      isError,
      code,
      memory: _meta?.["sentinel-memory/memory"] as Answer["memory"],
      receipt: _meta?.["sentinel-memory/receipt"] as Answer["receipt"],
    };
  }

  /** The text of a call that goes through; rejects for an error. */
  async ask(tool: string, args: Record<string, unknown>): Promise<string> {
    const { text, isError } = await this.call(tool, args);
    if (isError) {
      throw new Error(text);
    }
    return text;
  }

  /** What the server lists, as JSON, or its instructions. */
  async list(what: "tools" | "prompts" | "instructions"): Promise<string> {
    if (what === "tools") {
      return JSON.stringify((await this.#client.listTools(undefined, this.#timeout)).tools);
    }
    if (what === "prompts") {
      return JSON.stringify((await this.#client.listPrompts(undefined, this.#timeout)).prompts);
    }
    return this.#client.getInstructions() ?? "";
  }

  async prompt(name: string, args: Record<string, string>): Promise<string> {
    const { messages } = await this.#client.getPrompt({ name, arguments: args }, this.#timeout);
    return messages.map(({ content }) => textOf(content)).join("\n");
  }

  async end(): Promise<void> {
    await this.#client.close();
  }
}

/** Starts a server that its caller ends. */
export async function startServer(start: ServerStart): Promise<Server> {
  const server = new Server(start);
  await server.connect();
  return server;
}

/** Starts a server, lets the work happen and ends it. */
export async function withServer<T>(
  start: ServerStart,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const server = await startServer(start);
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

function textOf(content: { type: string; text?: unknown }): string {
  return content.type === "text" ? String(content.text) : `[${content.type}]`;
}
