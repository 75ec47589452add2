/** The files that a command shows or patches, for agents that do this in their shell. */

/** The lines that `sed -n` prints, such as "1,200p". */
const LINES = "(?:\\d+|\\$)(?:,(?:\\d+|\\$))?p";
/** A program that prints a file, with its flags. After a pipe, it only changes how the file looks. */
const SHOWING = `(?:cat|head|nl|tail|sed -n '?${LINES}'?)(?: +(?:-[a-z]+|-?\\d+))*`;
const COMMAND = new RegExp(
  `^\\s*${SHOWING} +(?:(["'])(?<quoted>.+)\\1|(?<plain>\\S+))(?: *\\| *${SHOWING})*\\s*$`,
);
/** Flags, and signs of more than one program or more than one file. */
const NO_FILE = /^-|^\d+$|[;&<>$`*?(){}[\]|'"\n]/;

/** The one file that a command shows, unchanged. Undefined for any other command. */
export function shownFile(command = ""): string | undefined {
  const { quoted, plain } = COMMAND.exec(command)?.groups ?? {};
  const file = quoted ?? plain;
  return file === undefined || NO_FILE.test(file) ? undefined : file;
}

const PATCH = "*** Begin Patch";
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

/** The files of a patch, in its order. Empty for any other text. */
export function patchedFiles(text: string | undefined): string[] {
  if (!text?.includes(PATCH)) return [];
  return [...text.matchAll(PATCHED)].map(([, named, moved]) => (named ?? moved ?? "").trim());
}
