/** What a memory file says, read by the code under test, and what a writer left beside it. */
import { readdir, readFile } from "node:fs/promises";
import { expect } from "vitest";
import { parseFile } from "../../../src/lessons/format/file-lines.ts";
import { fold, type Snapshot } from "../../../src/lessons/merge/versions.ts";
import type { Project } from "../../support/project.ts";

/** What the memory knows; fails when a line of it is not a lesson or the file was cut off. */
export async function readMemory({ file }: Project): Promise<Snapshot> {
  return wholeMemory(await readFile(file));
}

export function wholeMemory(bytes: Buffer): Snapshot {
  const parsed = parseFile(bytes);
  expect(parsed.unrecognised).toEqual([]);
  expect(parsed.hasConflictMarkers).toBe(false);
  expect(bytes.at(-1) ?? 0x0a).toBe(0x0a);
  return fold(parsed.versions);
}

/** The gaps that show, by their text. */
export function gapsOf(snapshot: Snapshot): string[] {
  return snapshot.lessons().map(({ version }) => version.missing_context || version.lesson);
}

export async function gapsIn(project: Project): Promise<string[]> {
  return gapsOf(await readMemory(project)).toSorted();
}

/** Everything in `.context/` that is neither the memory nor what goes with it. */
export async function leftoversIn({ context }: Project): Promise<string[]> {
  const expected = ["memory_log.jsonl", ".gitattributes", ".gitignore", ".local"];
  return (await readdir(context)).filter((name) => !expected.includes(name));
}

/** What git is shown of a memory that is not committed yet. */
export const TO_BE_COMMITTED = [
  ".context/.gitattributes",
  ".context/.gitignore",
  ".context/memory_log.jsonl",
];

/** The files that git sees and does not know. */
export async function untracked(project: Project): Promise<string[]> {
  return (await project.changes())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
}
