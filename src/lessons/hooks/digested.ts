/** Which lessons a client has read with its instructions before a session begins. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { referencesIn } from "../answers/digest.ts";

/** The files of instructions that may carry it. */
export const CARRIERS = ["CLAUDE.md", "AGENTS.md"] as const;

/** An import of a file, as Claude Code reads it. */
const IMPORTED = /^@(\S+)\s*$/gm;

/** Whether the digest is on in a project. */
export const carriesDigest = (folder: string): boolean =>
  CARRIERS.some((name) => textOf(folder, name).includes("<!-- sentinel-memory-digest:start"));

/** References of the lessons that stand in the digest, if the file has one or imports it. @param path the client's rules, from the folder. */
export function digested(folder: string, path: string): readonly string[] {
  const text = textOf(folder, path);
  const imported = [...text.matchAll(IMPORTED)].map(([, name]) => textOf(folder, name as string));
  return [text, ...imported].flatMap(referencesIn);
}

const textOf = (folder: string, name: string): string => orElse(() => readFileSync(join(folder, name), "utf8"), "");
