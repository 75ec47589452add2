/** The files that a command shows or patches: agents without a tool for it work through their shell. */
import { known } from "./fields.ts";
import type { ToolTarget } from "./transcript.ts";

/** Programs that print a file, and that only change how it looks behind a pipe. */
const SHOWING: readonly string[] = ["cat", "head", "nl", "sed", "tail"];
/** Anything that is more than one program, or names more than one file. */
const MORE = /[;&<>$`*?(){}[\]\n]|\|\|/;
const QUOTES = /^(['"])(.*)\1$/;
const WORD = /'[^']*'|"[^"]*"|[^\s'"]+/g;
const FLAG = /^-|^\d+$/;
/** What `sed -n` prints: "1,200p". */
const LINES = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/;

/** Undefined for a command that does anything but show one file, or that shows it changed. */
export function shownFile(command: string | undefined): string | undefined {
  const [first = [], ...pipes] = partsOf(command ?? "");
  const [file, ...others] = operandsOf(first);
  const isShown = others.length === 0 && pipes.every((part) => operandsOf(part).length === 0);
  return isShown && [first, ...pipes].every(isShowing) ? file : undefined;
}

/** The words of each part of a pipe; none where there is more to the command. */
function partsOf(command: string): string[][] {
  // What is in quotes and no file, such as the `$` of `sed -n '5,$p'`, is no more.
  if (MORE.test(command.replaceAll(/'[\d,$]+p'/g, ""))) return [];
  return command
    .split("|")
    .map((part) => (part.match(WORD) ?? []).map((word) => word.replace(QUOTES, "$2")));
}

function isShowing([program = "", ...words]: readonly string[]): boolean {
  return (
    SHOWING.includes(program) &&
    (program !== "sed" || (words[0] === "-n" && LINES.test(words[1] ?? "")))
  );
}

function operandsOf([, ...words]: readonly string[]): string[] {
  return words.filter((word) => !FLAG.test(word) && !LINES.test(word));
}

const PATCH = "*** Begin Patch";
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

/** The paths of a call's target, the first file and the others. */
export function targetPaths(files: readonly string[]): Pick<ToolTarget, "path" | "otherPaths"> {
  const [path, ...others] = files;
  return known({ path, otherPaths: others.length > 0 ? others : undefined });
}

/** In the order of the patch; none for a text that holds no patch. */
export function patchedFiles(text: string | undefined): string[] {
  if (!text?.includes(PATCH)) return [];
  return [...text.matchAll(PATCHED)].map(([, named, moved]) => (named ?? moved ?? "").trim());
}
