/** Reads files of notes, and passes over a file that it cannot read or that is too large. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { composed } from "../../ground/core/text.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import { leadsOut } from "../../ground/project/leads-out.ts";
import type { NoteText } from "./note.ts";

/** Notes of a client are a hundredth of that. */
const MOST_BYTES = 1024 * 1024;

/** The text of a file, composed; undefined where there is none, or a link. */
export async function textAt(path: string): Promise<string | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MOST_BYTES) return undefined;
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : composed(text.replace(/^\ufeff/, ""));
}

/** All Markdown below a folder of a client, but for drafts of skills and what waits to be accepted. */
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

/** Files of the project that agents load by themselves. @param files from its folder. */
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
