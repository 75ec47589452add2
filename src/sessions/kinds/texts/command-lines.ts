/** Reduces a command line to its programs and targets, ignoring flags, wrappers and pipes. Pure. */

const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b/g;
/** Matches quoted texts and command substitutions, which are values and not targets. */
const QUOTED = /"\$\([\s\S]*?\)"|"(?:\\.|[^"\\])*"|'[^']*'/g;
/** Replaces a quoted text, so an option keeps its value. */
const VALUE = '"';
const SEPARATOR = /&&|\|\||[;\n]/;
const PASSING = /^(?:cd|pushd|popd|export|set|source|\.|echo|sleep|true)$/;
const RUNNERS = /^(?:npx|bunx|pnpx|sudo|time|env|command|exec|rtk|nice|timeout)$/;
const ASSIGNMENT = /^\w+=/;
/** The argument of `timeout`. */
const DURATION = /^\d+[smhd]?$/;
/** Options whose value is a folder or a setting. */
const WITH_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--prefix|--cwd|--dir|--filter)$/;

const RUN = "run";
/** The signature of a commit. */
export const COMMIT = "git commit";

/** The programs of a command, each with its task, such as "git add" or "npm lint". Files are ignored. */
export function commandSignatures(command: string): string[] {
  return commandParts(command).map(([program = "", ...words]) => {
    const [task = ""] = words[0] === RUN ? words.slice(1) : words;
    // "lint:fix" includes "lint".
    return `${program} ${task.split(":", 1)[0]}`.trim();
  });
}

/** The words of each part that does work: the program without its folder, then its targets. */
function commandParts(command: string): string[][] {
  const parts = command
    .replace(HERE_DOCUMENT, " ")
    .replace(QUOTED, VALUE)
    .split(SEPARATOR)
    .map(wordsOf);
  return parts.filter(([program]) => program !== undefined && !PASSING.test(program));
}

/** Ignores flags, redirections and everything after a pipe. */
function wordsOf(part: string): string[] {
  const before = (part.split("|", 1)[0] ?? "").replace(/\d?>{1,2}\s*(?:&\d|\S+)/g, " ");
  const words = before.split(/[\s(){}!]+/).filter(Boolean);
  const said = words.filter(
    (word, at) => !word.startsWith("-") && !WITH_VALUE.test(words[at - 1] ?? ""),
  );
  const start = said.findIndex(
    (word) => ![ASSIGNMENT, RUNNERS, DURATION].some((passed) => passed.test(word)),
  );
  if (start < 0) {
    return [];
  }
  const [program = "", ...targets] = said.slice(start).filter((word) => word !== VALUE);
  return [baseOf(program), ...targets.map((word) => word.replace(/\/+$/, ""))];
}

const baseOf = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

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
