/** Folders to be mistreated: made anew for each test, removed after it. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parseFile } from "../../../src/lessons/format/file-lines.ts";
import { fold } from "../../../src/lessons/merge/fold.ts";
import type { Snapshot } from "../../../src/lessons/merge/snapshot.ts";

export interface Project {
  readonly folder: string;
  readonly context: string;
  readonly file: string;
}

/** An empty folder that goes when the test is over. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sentinel-faults-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A project; with `lines`, it has a memory already. */
export async function makeProject(lines?: readonly string[]): Promise<Project> {
  const project = projectIn(await makeFolder());
  if (lines) {
    await mkdir(project.context);
    await writeFile(project.file, lines.map((line) => `${line}\n`).join(""));
  }
  return project;
}

export function projectIn(folder: string): Project {
  const context = join(folder, ".context");
  return { folder, context, file: join(context, "memory_log.jsonl") };
}

/** What the memory knows; fails when a line of it is no record or the file was cut off. */
export async function readMemory({ file }: Project): Promise<Snapshot> {
  return wholeMemory(await readFile(file));
}

export function wholeMemory(bytes: Buffer): Snapshot {
  const parsed = parseFile(bytes);
  expect(parsed.unrecognised).toEqual([]);
  expect(parsed.repairs).toMatchObject({ missingLastNewline: 0, conflictMarkers: 0 });
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
