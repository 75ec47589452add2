/** The files that a command shows or patches, for agents that do this in their shell. */
/** Programs that print a file. After a pipe, they only change how it looks. */
const SHOWING: readonly string[] = ["cat", "head", "nl", "sed", "tail"];
/** Signs of more than one program or more than one file. */
const MORE = /[;&<>$`*?(){}[\]\n]|\|\|/;
const QUOTES = /^(['"])(.*)\1$/;
const WORD = /'[^']*'|"[^"]*"|[^\s'"]+/g;
const FLAG = /^-|^\d+$/;
/** The lines that `sed -n` prints, such as "1,200p". */
const LINES = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/;

/** The one file that a command shows, unchanged. Undefined for any other command. */
export function shownFile(command: string | undefined): string | undefined {
  const [first = [], ...pipes] = partsOf(command ?? "");
  const [file, ...others] = operandsOf(first);
  const isShown = others.length === 0 && pipes.every((part) => operandsOf(part).length === 0);
  return isShown && [first, ...pipes].every(isShowing) ? file : undefined;
}

/** The words of each part of a pipe. Empty for a more complex command. */
function partsOf(command: string): string[][] {
  // Quoted lines, such as those of `sed -n '5,$p'`, are not such a sign.
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

/** The files of a patch, in its order. Empty for any other text. */
export function patchedFiles(text: string | undefined): string[] {
  if (!text?.includes(PATCH)) return [];
  return [...text.matchAll(PATCHED)].map(([, named, moved]) => (named ?? moved ?? "").trim());
}
