/** Which files a command hands to git for a commit, as far as its words say. Pure. */
import { commandParts } from "./command-lines.ts";

/** Stands for all files. */
const ALL = ".";
const COMMITS_ALL = /\bgit\b[^|;&\n]*\bcommit\b[^|;&\n]*\s(?:--all|-[a-z]*a[a-z]*)(?=\s|$)/;

/** Paths as the command has them, relative to where it ran. */
export function stagedBy(command: string): string[] {
  const adds = commandParts(command).filter(
    ([program, task]) => program === "git" && task === "add",
  );
  const paths = adds.flatMap(([, , ...named]) => (named.length > 0 ? named : [ALL]));
  return COMMITS_ALL.test(command) ? [ALL] : paths;
}

/** Whether a file of the project is one of them, or below one of them. */
export function isAmong(staged: readonly string[], path: string): boolean {
  return staged.some((one) => {
    const isWhole = one === ALL || one.includes("*") || path === one || one.endsWith(`/${path}`);
    return isWhole || path.endsWith(`/${one}`) || `/${path}`.includes(`/${one}/`);
  });
}
