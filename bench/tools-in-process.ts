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

/** Runs a command as a person would; rejects when it fails. */
export async function runHere(folder: string, ...args: readonly string[]): Promise<void> {
  const said: string[] = [];
  const stream = new Writable({
    write(text, _encoding, done) {
      said.push(String(text));
      done();
    },
  }) as NodeJS.WriteStream;
  const code = await runCommand({
    argv: [process.execPath, "sentinel-memory", "--project", folder, ...args],
    env: {},
    cwd: folder,
    input: process.stdin,
    output: stream,
    errors: stream,
    build: folder,
  });
  if (code !== 0) throw new Error(`${args.join(" ")}: ${said.join("")}`);
}
