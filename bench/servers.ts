/** The servers that are measured, ours and the official memory server, each in a fresh folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Lesson } from "../src/lessons/format/record.ts";

/** How to start a server: a file for node, and where. */
export interface Start {
  readonly script: string;
  readonly folder: string;
  readonly env: Record<string, string>;
}

const official = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/package.json");

/** Ours, over a memory of these lessons; ends with the folder removed. */
export function ours(lessons: readonly Lesson[] = []): Start {
  const folder = mkdtempSync(join(tmpdir(), "sentinel-bench-"));
  mkdirSync(join(folder, ".context"));
  if (lessons.length > 0) writeFileSync(memoryFile(folder), lines(lessons));
  return { script: resolve("dist/cli.mjs"), folder, env: { SENTINEL_PROJECT: folder } };
}

/** The official memory server, with each lesson as an entity that holds its texts. */
export function theOfficial(lessons: readonly Lesson[] = []): Start {
  const folder = mkdtempSync(join(tmpdir(), "official-bench-"));
  const file = join(folder, "memory.jsonl");
  const entities = lessons.map((lesson) => JSON.stringify(toEntity(lesson)));
  writeFileSync(file, entities.join("\n"));
  return { script: join(dirname(official), "dist/index.js"), folder, env: { MEMORY_FILE_PATH: file } };
}

export function memoryFile(folder: string): string {
  return join(folder, ".context", "memory_log.jsonl");
}

/** A lesson as the official server would keep it. */
export function toEntity({ id, topic, missing_context, lesson, ask_next_time }: Lesson) {
  const observations = [missing_context, lesson, ask_next_time].filter((text) => text);
  return { type: "entity", name: `${topic} ${id}`, entityType: topic, observations };
}

/** Connects, lets the work happen, closes and removes the folder. */
export async function withClient<T>(start: Start, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "bench", version: "1" });
  const { script, folder, env } = start;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script], cwd: folder, env, stderr: "ignore" }),
  );
  try {
    return await work(client);
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of a tool's answer; an error is thrown. */
export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  const text = content.map((part) => part.text).join("\n");
  if (isError) throw new Error(text);
  return text;
}

function lines(lessons: readonly Lesson[]): string {
  const sorted = [...lessons].sort((a, b) => (a.id < b.id ? -1 : 1));
  return sorted.map((lesson) => `${JSON.stringify(lesson)}\n`).join("");
}
