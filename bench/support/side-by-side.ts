/**
 * What benches of whole processes share: who is compared, an environment that slows none of them, and turns, so that what else the machine
 * does meets all alike.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { storedBundle, writeTexts } from "../../test/compat/archive.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { memoryFile, officialFile, ours, type Start, theOfficial } from "./servers.ts";

/** A memory server that is measured beside others. */
export interface Contender {
  readonly name: string;
  readonly start: (lessons?: readonly Lesson[]) => Start;
  /** The memory in the folder of a start. */
  readonly file: (folder: string) => string;
  /** A call that keeps one more record, or the same one again. */
  readonly write: (text: string) => readonly [tool: string, args: Record<string, unknown>];
}

/** A release that is stored for the tests of what later ones read; figures are compared with what people had. */
const RELEASED = "0.1.0";
/** What makes every process of node slower, and a bare one the most. */
const SLOWING = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_V8_COVERAGE"];

export const OFFICIAL: Contender = {
  name: "official memory server",
  start: theOfficial,
  file: officialFile,
  write: (text) => {
    const entities = [
      { name: text, entityType: "bench", observations: [`Ask about ${text} before you begin.`] },
    ];
    return ["create_entities", { entities }];
  },
};

/**
 * This build, another one if there is one to compare with, the release, and the official memory server.
 *
 * @param before a folder with a build of this package.
 */
export function contenders(before?: string): Contender[] {
  const release = scratchFolder("release");
  process.once("exit", () => removeFolder(release));
  writeTexts(release, storedBundle(RELEASED));
  return [
    ofOurs("sentinel-memory"),
    ...(before === undefined ? [] : [ofOurs("before", before)]),
    ofOurs(RELEASED, release),
    OFFICIAL,
  ];
}

/** Of this process, without what slows every node. */
export function plainEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !SLOWING.includes(name));
  return { ...Object.fromEntries(kept), ...more };
}

/** Measures in turn, each of them once a round; the figures of each. */
export async function inTurn<Of>(
  rounds: number,
  all: readonly Of[],
  measure: (one: Of, round: number) => Promise<number>,
): Promise<number[][]> {
  const figures = all.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, one] of all.entries()) {
      figures[index]?.push(await measure(one, round));
    }
  }
  return figures;
}

/** How long a node takes that does nothing, in ms. */
export async function bareStart(): Promise<number> {
  return (await timed(["-e", "0"])).ms;
}

/** How long a program of node takes as a whole process, in ms, and what it prints. */
export async function timed(
  args: readonly string[],
): Promise<{ readonly ms: number; readonly printed: string }> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: plainEnv(),
  });
  let printed = "";
  child.stdout.on("data", (data) => (printed += data));
  const [status] = await once(child, "close");
  if (status !== 0) {
    throw new Error(`${args.join(" ")} ended with ${status}.`);
  }
  return { ms: performance.now() - began, printed };
}

/** How long work takes, in ms. */
export async function lasting(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function ofOurs(name: string, bundle?: string): Contender {
  return {
    name,
    start: (lessons) => ({
      ...ours(lessons),
      ...(bundle !== undefined && { script: join(bundle, "cli.mjs") }),
    }),
    file: memoryFile,
    write: (text) => {
      const lesson = `Ask about ${text} before you begin.`;
      return ["log_memory", { topic: "bench", missing_context: text, lesson }];
    },
  };
}
