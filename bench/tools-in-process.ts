/** The server's tools and the commands on one project, in this process: a bench of many small cases would else mostly start processes. */
import { Writable } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { runCommand } from "../src/app/cli/program.ts";
import { createServer } from "../src/app/server/server.ts";
import { findProject } from "../src/ground/project/find-project.ts";

/** A session of an agent: a server of its own, and what it calls. */
export async function openSession(folder: string) {
  const project = findProject({ flag: folder, env: {}, cwd: folder });
  const server = createServer(() => project, { env: {}, cwd: folder });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "bench", version: "1" });
  await server.connect(there);
  await client.connect(here);
  return {
    /** The text of a call that goes through; rejects for an error. */
    async ask(name: string, args: Record<string, unknown>): Promise<string> {
      const { content, isError } = (await client.callTool({
        name,
        arguments: args,
      })) as CallToolResult;
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      if (isError) throw new Error(text);
      return text;
    },
  };
}

/** What a command prints that a person runs in a folder. @throws Error with its message if it fails. */
export async function runHere(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const output = new Collector();
  const errors = new Collector();
  const code = await runCommand({
    argv: [process.execPath, "sentinel-memory", "--project", folder, ...args],
    env,
    cwd: folder,
    input: process.stdin,
    output: output as unknown as NodeJS.WriteStream,
    errors: errors as unknown as NodeJS.WriteStream,
    build: folder,
  });
  if (code !== 0) throw new Error(`${args.join(" ")}: ${errors.text}`);
  return output.text;
}

/** A stream that keeps what is written to it. */
class Collector extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
