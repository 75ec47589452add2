/** The servers that are measured, ours and the official memory server, each in a fresh folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { toFile } from "../../test/support/lines.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { type Server, withServer as startAndEnd } from "../../test/support/server.ts";

/** How to start a server: a file for node, and where. */
export interface Start {
  readonly script: string;
  readonly folder: string;
  readonly env: Record<string, string>;
}

const official = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-memory/package.json",
);

/** What the package and a copy in a repository start. */
const PROGRAM = resolve("dist/server/sentinel-memory.cjs");

/** Ours, over a memory of these lessons; ends with the folder removed. */
export function ours(lessons: readonly Lesson[] = []): Start {
  const folder = scratchFolder();
  mkdirSync(join(folder, ".context"));
  if (lessons.length > 0) {
    writeFileSync(memoryFile(folder), lines(lessons));
  }
  return { script: PROGRAM, folder, env: { SENTINEL_PROJECT: folder } };
}

/** The official memory server, with each lesson as an entity that holds its texts. */
export function theOfficial(lessons: readonly Lesson[] = []): Start {
  const folder = scratchFolder();
  const file = officialFile(folder);
  const entities = lessons.map((lesson) => JSON.stringify(toEntity(lesson)));
  writeFileSync(file, entities.join("\n"));
  return {
    script: join(dirname(official), "dist/index.js"),
    folder,
    env: { MEMORY_FILE_PATH: file },
  };
}

export function officialFile(folder: string): string {
  return join(folder, "memory.jsonl");
}

export function memoryFile(folder: string): string {
  return join(folder, ".context", "memory_log.jsonl");
}

/** A lesson as the official server would keep it. */
export function toEntity({ id, topic, missing_context, lesson, ask_next_time }: Lesson) {
  const observations = [missing_context, lesson, ask_next_time].filter((text) => text);
  return { type: "entity", name: `${topic} ${id}`, entityType: topic, observations };
}

/** Starts a server, lets the work happen, ends it and removes its folder. */
export async function withServer<T>(
  { script, folder, env }: Start,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  try {
    return await startAndEnd({ client: "bench", args: [script], cwd: folder, env }, work);
  } finally {
    removeFolder(folder);
  }
}

function lines(lessons: readonly Lesson[]): string {
  const sorted = [...lessons].sort((a, b) => (a.id < b.id ? -1 : 1));
  return toFile(sorted.map((lesson) => JSON.stringify(lesson)));
}
