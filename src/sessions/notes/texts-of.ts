/** Reads note files. Skips files that are unreadable or too large. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { composed } from "../../ground/core/text.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import { leadsOut } from "../../ground/project/leads-out.ts";
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
  how: Pick<NoteText, "isOne" | "isLeft"> = {},
): Promise<NoteText[]> {
  const names = (await namesIn(folder, { recursive: true })).filter((name) =>
    /^(?!skills\b|\.).*\.md$/.test(name),
  );
  return readAll(
    names.map((name) => ({ path: join(folder, name), file: join(folder, name), ...how })),
  );
}

/** Project files that agents load by themselves. @param files relative to the folder. */
export async function rulesIn(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const inside = files.map((file) => ({ path: join(folder, file), file, isLoaded: true }));
  return readAll(inside.filter(({ path }) => !leadsOut(path, folder)));
}

async function readAll(
  files: readonly (Omit<NoteText, "text"> & { readonly path: string })[],
): Promise<NoteText[]> {
  const texts = await Promise.all(
    files.map(async ({ path, ...one }) => ({ ...one, text: await textAt(path) })),
  );
  return texts.flatMap(({ text, ...one }) => (text === undefined ? [] : [{ ...one, text }]));
}
