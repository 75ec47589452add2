/** A command that there is not: the error names the one that does it. */
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { SentinelError } from "../../ground/core/errors.ts";
import { quoted } from "../../ground/terminal/shell.ts";

/** What other memory tools call a command, by its name here. */
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
};
/** Commands that were renamed, by the words they began with. */
const RENAMED: readonly (readonly [was: RegExp, is: string])[] = [
  [/^record list(?= |$)/, "sessions list --projects"],
  [/^record sessions(?= |$)/, "sessions list"],
  [/^record(?= |$)/, "sessions"],
  [/^serve (?=migrate|tenant|person|token|audit)/, "daemon "],
  [/^serve(?= |$)/, "daemon serve"],
  [/^policies(?= |$)/, "config"],
];
/** An agent does this one, by a tool. */
const COMPACT = [
  "compact",
  "consolidate",
  "merge",
  "summarize",
  "compress",
  "dedupe",
  "compact_memory",
];

/** Makes the program refuse commands it doesn't have. @param typed the arguments as they were typed. */
export function refuseUnknownCommands(program: Command, typed: readonly string[]): void {
  program.on("command:*", ([name = ""]: string[]) => {
    const what = `There is no command "${name.slice(0, 40)}".`;
    throw new SentinelError("bad_argument", what, fixFor(name, program, typed));
  });
}

function fixFor(name: string, program: Command, typed: readonly string[]): string {
  const given = name.toLowerCase();
  const line = typed.slice(typed.indexOf(name)).map(quoted).join(" ");
  const [was, is] = RENAMED.find(([old]) => old.test(line)) ?? [];
  if (was !== undefined && is !== undefined) return `sentinel-memory ${line.replace(was, is)}`;
  if (COMPACT.includes(given))
    return "An agent does it with its tool compact_memory; sentinel-memory doctor says when it is due.";
  const known = program.commands.map((command) => command.name());
  const [usage] = Object.entries(OTHER_NAMES).find(([, names]) => names.includes(given)) ?? [];
  const near = usage ?? known.find((command) => distance(command, given) <= 2);
  return near ? `Use sentinel-memory ${near}` : "sentinel-memory help --all lists all commands.";
}
