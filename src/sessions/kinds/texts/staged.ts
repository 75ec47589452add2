/** Which files a command stages for a commit, judged by its words. Pure. */
import { commandParts } from "./command-lines.ts";

/** Means all files. */
const ALL = ".";
const COMMITS_ALL = /\bgit\b[^|;&\n]*\bcommit\b[^|;&\n]*\s(?:--all|-[a-z]*a[a-z]*)(?=\s|$)/;

/** Paths as written in the command, relative to its working directory. */
export function stagedBy(command: string): string[] {
  const adds = commandParts(command).filter(
    ([program, task]) => program === "git" && task === "add",
  );
  const paths = adds.flatMap(([, , ...named]) => (named.length > 0 ? named : [ALL]));
  return COMMITS_ALL.test(command) ? [ALL] : paths;
}

/** Whether a project file is one of the staged paths or below one of them. */
export function isAmong(staged: readonly string[], path: string): boolean {
  return staged.some((one) => {
    const isWhole = one === ALL || one.includes("*") || path === one || one.endsWith(`/${path}`);
    return isWhole || path.endsWith(`/${one}`) || `/${path}`.includes(`/${one}/`);
  });
}
