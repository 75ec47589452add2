/** Reads files of notes; what cannot be read, or is no text of a usual size, is passed over. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { leadsOut } from "../../ground/project/leads-out.ts";
import { namesIn } from "../transcripts/names-in.ts";
import type { NoteText } from "./note.ts";

/** Notes of a client are a hundredth of that. */
const MOST_BYTES = 1024 * 1024;

/** The text of a file; undefined where there is none, or a link. */
export async function textAt(path: string): Promise<string | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MOST_BYTES) return undefined;
  return (await readFile(path, "utf8").catch(() => undefined))?.replace(/^\ufeff/, "");
}

/** All Markdown below a folder of a client, but for drafts of skills and what waits to be accepted. */
export async function textsOf(folder: string, how: Pick<NoteText, "isOne">): Promise<NoteText[]> {
  const names = (await namesIn(folder, { recursive: true })).filter((name) => /^(?!skills\b|\.).*\.md$/.test(name));
  const texts = names.map(async (name) => ({
    file: join(folder, name),
    text: await textAt(join(folder, name)),
    ...how,
  }));
  return (await Promise.all(texts)).flatMap(({ text, ...one }) => (text === undefined ? [] : [{ ...one, text }]));
}

/** Files of the project that agents load by themselves. @param files from its folder. */
export async function rulesIn(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const inside = files.filter((file) => !leadsOut(join(folder, file), folder));
  const texts = inside.map(async (file) => ({ file, text: await textAt(join(folder, file)), isLoaded: true }));
  return (await Promise.all(texts)).flatMap(({ text, ...one }) => (text === undefined ? [] : [{ ...one, text }]));
}
