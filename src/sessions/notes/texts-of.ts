/** Reads note files. Skips files that are unreadable or too large. */
import { lstat, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { composed } from "../../ground/core/text.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { leadsOut } from "../../ground/project/small-text.ts";
import type { NoteText } from "./note.ts";

/** A hundred times the size of usual notes. */
const MOST_BYTES = 1024 * 1024;

/** The text of a file, in composed Unicode. Undefined for a missing file or a link. */
export async function textAt(path: string): Promise<string | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MOST_BYTES) return undefined;
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : composed(text.replace(/^\ufeff/, ""));
}

/** All Markdown files below a client's folder, except in skills and hidden folders. */
export async function textsOf(
  folder: string,
  how: Pick<NoteText, "isOne"> = {},
): Promise<NoteText[]> {
  const names = (await namesIn(folder, { recursive: true })).filter((name) =>
    /^(?!skills\b|\.).*\.md$/.test(name),
  );
  const files = names.map((name) => ({ file: join(folder, name), ...how }));
  return readAll(files, folder);
}

/** Project files that agents load by themselves. @param files relative to the folder. */
export async function rulesIn(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const inside = files.filter((file) => !leadsOut(join(folder, file), folder));
  return readAll(
    inside.map((file) => ({ file, isLoaded: true })),
    folder,
  );
}

async function readAll(
  files: readonly Omit<NoteText, "text">[],
  folder: string,
): Promise<NoteText[]> {
  const texts: NoteText[] = [];
  for (const one of files) {
    const text = await textAt(resolve(folder, one.file));
    if (text !== undefined) texts.push({ ...one, text });
  }
  return texts;
}
