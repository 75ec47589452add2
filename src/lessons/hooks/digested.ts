/** Finds the lessons that a client has already read with its instructions before a session begins. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";

/** The instruction files that may contain the digest. */
export const CARRIERS = ["CLAUDE.md", "AGENTS.md", "GEMINI.md"] as const;
/** The file that CLAUDE.md imports. */
export const DIGEST = ".context/digest.md";
/** The syntax by which instruction files of some clients include AGENTS.md. */
export const INCLUDES_AGENTS = /(?:^|\s)@(?:\.\/)?AGENTS\.md\b/;

const BLOCK =
  /<!-- sentinel-memory-digest:start\b[^\n]*\n([\s\S]*?)<!-- sentinel-memory-digest:end -->/;

/** Whether the digest is on in a project. */
export const carriesDigest = (folder: string): boolean =>
  CARRIERS.some((name) => blockOf(folder, name) !== undefined);

/** The lines of the digest that a client reads. @param path its file of instructions, from the folder. */
export function digested(folder: string, path: string): ReadonlySet<string> {
  const own =
    blockOf(folder, path) ??
    (INCLUDES_AGENTS.test(textOf(folder, path)) ? blockOf(folder, "AGENTS.md") : "");
  const block = own?.trim() === `@${DIGEST}` ? blockOf(folder, DIGEST) : own;
  return new Set(block ? block.split(/\r?\n/) : []);
}

const blockOf = (folder: string, name: string): string | undefined =>
  BLOCK.exec(textOf(folder, name))?.[1];

const textOf = (folder: string, name: string): string =>
  tryOr(() => readFileSync(join(folder, name), "utf8"), "");
