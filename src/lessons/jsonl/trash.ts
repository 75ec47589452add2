/**
 * The local trash: every version that a write takes out of the memory file, kept on this machine and never shared.
 *
 * `.context/.local/trash.jsonl`, one JSON object a line: when it went, why, which record stands for it, and its line as it
 * was. It is appended to before the memory file is replaced, and rewritten only by a purge. Change it under the lock alone.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { hasCode } from "../../files/file-errors.ts";
import { localFile, localFileToWrite, removeAbandoned } from "../../files/local-folder.ts";
import { isTombstone, type Lesson, readVersion } from "../format/record.ts";
import type { Dropped } from "../merge/prune.ts";
import { idsNamed } from "../queries/references.ts";

const LINE_FEED = 0x0a;

const TRASH = "trash.jsonl";

/** A lesson in the trash. */
export interface Removed {
  /** ISO 8601. */
  readonly at: string;
  readonly because: Dropped["because"];
  /** The id of the record that stands for it. */
  readonly by: string;
  readonly lesson: Lesson;
}

/** Appends versions and flushes them to the disk. */
export function appendToTrash(memoryFile: string, dropped: readonly Dropped[], now: number): void {
  if (dropped.length === 0) return;
  const at = new Date(now).toISOString();
  const entries = dropped.map(({ line, because, by }) => {
    const text = Buffer.from(line.raw, "latin1").toString("utf8");
    return `${JSON.stringify({ at, because, by, id: line.version.id, line: text })}\n`;
  });
  const descriptor = openSync(localFileToWrite(memoryFile, TRASH), "a+");
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, Math.max(0, size - 1));
    // A writer that died, or met a full disk, may have left half a line: it must not swallow this one.
    const start = size > 0 && last[0] !== LINE_FEED ? "\n" : "";
    writeFileSync(descriptor, start + entries.join(""));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Finds versions in the trash by their id, whole or the first 6 or more characters of it.
 *
 * @returns those of one id; empty when none, or several ids, begin like this.
 */
export function findRemoved(removed: readonly Removed[], name: string): readonly Removed[] {
  const [id, ...others] = idsNamed(
    removed.map(({ lesson }) => lesson.id),
    name,
  );
  return others.length > 0 ? [] : removed.filter(({ lesson }) => lesson.id === id);
}

/** The lessons in the trash, latest first. Lines that cannot be read are passed over. */
export async function readTrash(memoryFile: string): Promise<Removed[]> {
  return (await linesOf(memoryFile)).flatMap((line) => readRemoved(line) ?? []).reverse();
}

/** Removes every version of some ids, and says how many lessons that were. */
export async function removeFromTrash(memoryFile: string, ids: ReadonlySet<string>): Promise<number> {
  removeAbandoned(memoryFile, TRASH);
  const lines = await linesOf(memoryFile);
  const gone = lines.filter((line) => {
    const id = idOf(line);
    // Half a line may hold half a secret.
    return id === undefined ? [...ids].some((other) => line.includes(other)) : ids.has(id);
  });
  if (gone.length > 0) {
    const kept = lines.filter((line) => !gone.includes(line));
    await writeFileAtomic(localFile(memoryFile, TRASH), kept.map((line) => `${line}\n`).join(""));
  }
  return gone.filter((line) => readRemoved(line) !== undefined).length;
}

async function linesOf(memoryFile: string): Promise<string[]> {
  try {
    return (await readFile(localFile(memoryFile, TRASH), "utf8")).split("\n").filter((line) => line !== "");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Whose version a line holds; undefined for a damaged one. */
function idOf(line: string): string | undefined {
  try {
    const { id } = JSON.parse(line);
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

function readRemoved(line: string): Removed | undefined {
  try {
    const { at, because, by, line: text } = JSON.parse(line);
    const version = readVersion(JSON.parse(text));
    return typeof version === "string" || isTombstone(version) ? undefined : { at, because, by, lesson: version };
  } catch {
    return undefined;
  }
}
