import type { Line } from "./coding-sessions.ts";

/** The share of all files that are in it; some are in the person's own folder. */
const MOST = 0.9;

/** The deepest folder in which nearly all files are. */
export function projectIn(sessions: readonly (readonly Line[])[]): string {
  const files = sessions.flat().flatMap(({ file }) => (file?.startsWith("/") ? [file] : []));
  let folder = "";
  for (const name of files[0]?.split("/").slice(1) ?? []) {
    const deeper = `${folder}/${name}`;
    if (files.filter((file) => file.startsWith(`${deeper}/`)).length < MOST * files.length) {
      break;
    }
    folder = deeper;
  }
  return folder;
}
