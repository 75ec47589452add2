/** Copies of a memory beside it: Dropbox, Syncthing and their like leave one when two machines changed the file. Nothing else reads them. */
import { basename, dirname, extname } from "node:path";
import { quoted } from "../../ground/terminal/shell.ts";
import { type Finding, finding } from "./finding.ts";

/** @param file the memory's, from the project's folder. @param names in its folder. */
export function examineCopies(file: string, names: readonly string[]): Finding[] {
  const [own, end] = [basename(file), extname(file)];
  const stem = basename(file, end);
  const copies = names.filter(
    (name) => name !== own && name.startsWith(stem) && name.endsWith(end),
  );
  return copies.map((name) => {
    const path = `${dirname(file)}/${name}`.replaceAll("\\", "/");
    const what = `${path} looks like a copy of the memory that a file sync left; no answer contains its lessons.`;
    return finding(
      "conflict_copy",
      [],
      what,
      `sentinel-memory import ${quoted(path)}, then delete the copy.`,
    );
  });
}
