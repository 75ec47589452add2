/** Clients of the SDKs of both eras, with the same few calls. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { CACHE } from "./agents.ts";

/** What both clients have, as far as it is used here. */
interface Client {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  getInstructions(): string | undefined;
  getServerVersion(): { readonly name: string } | undefined;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<{
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  }>;
  /** Of 2.x alone. */
  getProtocolEra?(): "legacy" | "modern";
}

/** How a server is reached: as a process, or at an address. */
export type Way =
  | { readonly args: readonly string[]; readonly cwd: string; readonly env: Record<string, string> }
  | { readonly url: string };

/** Of 1.x, and of 2.x by how it looks for the version of a server. */
export const SDK_CLIENTS = {
  "1.x": undefined,
  "2.x in the era before": "legacy",
  "2.x that looks": "auto",
  "2.x of 2026-07-28": { pin: "2026-07-28" },
} as const;

/** A client that is connected until the test ends. */
export async function sdkClient(name: keyof typeof SDK_CLIENTS, way: Way): Promise<Client> {
  const mode = SDK_CLIENTS[name];
  const info = { name: "codex", version: "1.0.0" };
  const from = async (file: string) =>
    import(pathToFileURL(join(CACHE, "node_modules/@modelcontextprotocol/client/dist", file)).href);
  const next = mode && (await from("index.mjs"));
  const client: Client = next
    ? new next.Client(info, { versionNegotiation: { mode } })
    : (new EarlierClient(info) as never);
  const Stdio = next ? (await from("stdio.mjs")).StdioClientTransport : EarlierStdio;
  const Http = next ? next.StreamableHTTPClientTransport : EarlierHttp;
  await client.connect(
    "url" in way
      ? new Http(new URL(way.url))
      : new Stdio({ command: process.execPath, stderr: "ignore", ...way }),
  );
  onTestFinished(() => client.close());
  return client;
}
