/** Refuses unknown and renamed commands, and suggests the one that was probably meant. */
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { SentinelError } from "../../ground/core/errors.ts";
import { quoted } from "../../ground/terminal/shell.ts";

/** For each command, the names that other memory tools give it. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'context "QUESTION"': ["ask", "memory_ask", "answer", "query", "question", "resume", "build_acb"],
  "search WORDS": ["find", "recall", "lookup", "grep", "search_memory"],
  list: ["ls", "all", "memories"],
  "show ID": ["get", "cat", "read", "get_artifact"],
  add: ["remember", "save", "store", "log", "learn", "note", "create", "log_memory", "add_memory"],
  "edit ID": ["update", "modify", "change"],
  "forget ID": ["delete", "remove", "rm"],
  init: ["install", "setup", "set-up", "start"],
  doctor: ["status", "stats", "health", "verify"],
  decisions: ["query_decisions"],
  compact: ["consolidate", "merge", "summarize", "compress", "dedupe", "compact_memory"],
};
/** Renamed commands, matched at the start of the line. */
const RENAMED: readonly (readonly [was: RegExp, is: string])[] = [
  [/^record list(?= |$)/, "sessions list --projects"],
  [/^record sessions(?= |$)/, "sessions list"],
  [/^record(?= |$)/, "sessions"],
  [/^serve (?=migrate|tenant|person|token|audit)/, "daemon "],
  [/^serve(?= |$)/, "daemon serve"],
  [/^policies(?= |$)/, "config"],
];
/** Renamed options, with their command. */
const RENAMED_OPTIONS: readonly (readonly [command: string, was: string, is: string])[] = [
  ["review", "--yes", "--keep"],
  ["review", "--hold", "--block"],
  ["add", "--hold", "--block"],
  ["edit", "--hold", "--block"],
  ["edit", "--no-hold", "--no-block"],
  ["history", "--given", "--hooks"],
];

/** Makes the program refuse unknown commands. */
export function refuseUnknownCommands(program: Command): void {
  program.on("command:*", ([name = ""]: string[]) => {
    const what = `There is no command "${name.slice(0, 40)}".`;
    throw new SentinelError("bad_argument", what, fixFor(name, program));
  });
}

/** Refuses an old name of a command or an option, and suggests the same line with the new name. @param line a command with its options. @throws SentinelError `bad_argument` */
export function refuseRenamed(line: readonly string[]): void {
  if (line[0] === "help") refuseRenamedCommands(line.slice(1), "help ");
  else refuseRenamedCommands(line);
  refuseRenamedOptions(line);
}

/** @param before the words that precede the command, such as `help `. */
function refuseRenamedCommands(line: readonly string[], before = ""): void {
  const names = line.slice(0, 2).map((name) => name.toLowerCase());
  const typed = [...names, ...line.slice(2)].map(quoted).join(" ");
  const [was, is] = RENAMED.find(([old]) => old.test(typed)) ?? [];
  if (was === undefined || is === undefined) return;
  // `help` accepts no options of the command.
  const now = before === "" ? is : is.replace(/ --.*/, "");
  throw new SentinelError(
    "bad_argument",
    `There is no command "${names[0]}".`,
    `sentinel-memory ${before}${typed.replace(was, now)}`,
  );
}

function refuseRenamedOptions(line: readonly string[]): void {
  for (const [command, was, is] of RENAMED_OPTIONS) {
    const isOld = (word: string) => word === was || word.startsWith(`${was}=`);
    if (line[0] !== command || !line.some(isOld)) continue;
    const renamed = line
      .map((word) => quoted(isOld(word) ? word.replace(was, is) : word))
      .join(" ");
    throw new SentinelError(
      "bad_argument",
      `${command} has no option ${was}.`,
      `sentinel-memory ${renamed}`,
    );
  }
}

function fixFor(name: string, program: Command): string {
  const given = name.toLowerCase();
  const known = program.commands.map((command) => command.name());
  const [usage] = Object.entries(OTHER_NAMES).find(([, names]) => names.includes(given)) ?? [];
  const near = usage ?? known.find((command) => distance(command, given) <= 2);
  return near ? `Use sentinel-memory ${near}` : "To list all commands: sentinel-memory help --all";
}
