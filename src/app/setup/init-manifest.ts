/** The manifest says which files init wrote on this machine, so that uninstall restores untouched ones byte for byte. */
import { hash } from "node:crypto";
import { IGNORE } from "../../ground/files/local-folder.ts";
import { CONTEXT_FOLDER, LOCAL_FILES, LOCAL_FOLDER } from "../../ground/project/context-folder.ts";
import type { ProjectFiles } from "./project-files.ts";

/** What belongs to this machine alone: the manifest, the trash, the state of the hooks. */
export const LOCAL = `${CONTEXT_FOLDER}/${LOCAL_FOLDER}`;
export const MANIFEST = `${LOCAL}/${LOCAL_FILES.manifest}`;

interface Written {
  /** The text before the first init; null when there was no file. */
  readonly before: string | null;
  /** SHA-256 of what init made of it. */
  readonly after: string;
}

export interface Manifest {
  readonly files: Readonly<Record<string, Written>>;
  readonly folders: readonly string[];
}

export const NOTHING_WRITTEN: Manifest = { files: {}, folders: [] };

/** The manifest; an empty one where it is missing or unreadable, which only makes uninstall more careful. */
export function readInitManifest(files: ProjectFiles): Manifest {
  try {
    const { files: written, folders } = JSON.parse(files.read(MANIFEST) ?? "");
    return { files: { ...written }, folders: [...folders] };
  } catch {
    return NOTHING_WRITTEN;
  }
}

/** Replaces the manifest. @returns the folders that were made for it. */
export async function writeInitManifest(
  files: ProjectFiles,
  manifest: Manifest,
): Promise<string[]> {
  const ignore = `${LOCAL}/${IGNORE.name}`;
  const made = files.exists(ignore) ? [] : await files.write(ignore, IGNORE.text);
  return [...made, ...(await files.write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`))];
}

/** Whether a file is still as init left it. */
export function isUntouched(written: Written | undefined, text: string): boolean {
  return written?.after === digest(text);
}

/** The manifest's entry after another write. @param before it. @param withoutOurs goes back with uninstall where another init wrote before this one. */
export function writtenAgain(
  earlier: Written | undefined,
  before: string | undefined,
  withoutOurs: string | undefined,
  after: string,
): Written {
  const isOurs = before !== undefined && isUntouched(earlier, before);
  return { before: (isOurs ? earlier?.before : withoutOurs) ?? null, after: digest(after) };
}

const digest = (text: string): string => hash("sha256", text);
