/** What a command line does to what: programs and targets, without the flags, wrappers and pipes that agents change in between. Pure. */

const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b/g;
/** Quoted texts and command substitutions are messages and values, not targets. */
const QUOTED = /"\$\([\s\S]*?\)"|"(?:\\.|[^"\\])*"|'[^']*'/g;
/** Stands for one of them, so that an option keeps its value. */
const VALUE = '"';
const SEPARATOR = /&&|\|\||[;\n]/;
const PASSING = /^(?:cd|pushd|popd|export|set|source|\.|echo|sleep|true)$/;
const RUNNERS = /^(?:npx|bunx|pnpx|sudo|time|env|command|exec|rtk|nice|timeout)$/;
const ASSIGNMENT = /^\w+=/;
/** What `timeout` has before the program. */
const DURATION = /^\d+[smhd]?$/;
/** Options that are followed by where to work, or by a setting. */
const WITH_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--prefix|--cwd|--dir|--filter)$/;

const RUN = "run";
/** As `commandSignatures` names it. */
export const COMMIT = "git commit";

/** The programs that a command runs, each with what it is to do: "git add", "npm lint", whatever the files. */
export function commandSignatures(command: string): string[] {
  return commandParts(command).map(([program = "", ...words]) => {
    const [task = ""] = words[0] === RUN ? words.slice(1) : words;
    // "lint:fix" does what "lint" does, and more.
    return `${program} ${task.split(":", 1)[0]}`.trim();
  });
}

/** The words of each part that does work: the program without its folder, then what it works on. */
export function commandParts(command: string): string[][] {
  const parts = command
    .replace(HERE_DOCUMENT, " ")
    .replace(QUOTED, VALUE)
    .split(SEPARATOR)
    .map(wordsOf);
  return parts.filter(([program]) => program !== undefined && !PASSING.test(program));
}

/** No flags, no redirections, nothing behind a pipe. */
function wordsOf(part: string): string[] {
  const before = (part.split("|", 1)[0] ?? "").replace(/\d?>{1,2}\s*(?:&\d|\S+)/g, " ");
  const words = before.split(/[\s(){}!]+/).filter((word) => word !== "");
  const said = words.filter(
    (word, at) => !word.startsWith("-") && !WITH_VALUE.test(words[at - 1] ?? ""),
  );
  const start = said.findIndex(
    (word) => ![ASSIGNMENT, RUNNERS, DURATION].some((passed) => passed.test(word)),
  );
  if (start < 0) return [];
  const [program = "", ...targets] = said.slice(start).filter((word) => word !== VALUE);
  return [baseOf(program), ...targets.map((word) => word.replace(/\/+$/, ""))];
}

const baseOf = (program: string): string => program.slice(program.lastIndexOf("/") + 1);
