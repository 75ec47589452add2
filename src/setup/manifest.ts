/**
 * What init wrote on this machine, so that uninstall can give back every file that nobody has touched since, byte for byte.
 * It is a note for this machine alone: a teammate's clone has none, and there only our parts are taken out.
 */
import { createHash } from "node:crypto";
import { IGNORE } from "../files/local-folder.ts";
import { CONTEXT_FOLDER, LOCAL_FILES, LOCAL_FOLDER } from "../project/context-folder.ts";
import type { ProjectFiles } from "./project-files.ts";

/** What belongs to this machine alone: our note, the trash, what the hooks remember of a session. */
export const LOCAL = `${CONTEXT_FOLDER}/${LOCAL_FOLDER}`;
export const MANIFEST = `${LOCAL}/${LOCAL_FILES.initNote}`;

interface Written {
  /** The text before the first init; null when there was no file. */
  readonly before: string | null;
  /** SHA-256 of what init made of it. */
  readonly after: string;
}

export interface Manifest {
  readonly files: Readonly<Record<string, Written>>;
  /** Folders that init made. */
  readonly folders: readonly string[];
}

/** An unreadable note is none: it only makes uninstall more careful. */
export function readManifest(files: ProjectFiles): Manifest {
  try {
    const { files: written, folders } = JSON.parse(files.read(MANIFEST) ?? "");
    return { files: { ...written }, folders: [...folders] };
  } catch {
    return { files: {}, folders: [] };
  }
}

/** @returns the folders that were made for it. */
export async function writeManifest(files: ProjectFiles, manifest: Manifest): Promise<string[]> {
  const ignore = `${LOCAL}/${IGNORE.name}`;
  const made = files.exists(ignore) ? [] : await files.write(ignore, IGNORE.text);
  return [...made, ...(await files.write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`))];
}

/** Whether a file still is as init left it. */
export function isUntouched(written: Written | undefined, text: string): boolean {
  return written?.after === digest(text);
}

/**
 * The note for a file after another write.
 *
 * @param withoutOurs what the file was without our part, before this write: somebody may have edited it between two inits.
 */
export function noteOf(
  earlier: Written | undefined,
  before: string | undefined,
  withoutOurs: string | undefined,
  after: string,
): Written {
  if (earlier && before !== undefined && isUntouched(earlier, before))
    return { before: earlier.before, after: digest(after) };
  return { before: (earlier ? withoutOurs : before) ?? null, after: digest(after) };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
