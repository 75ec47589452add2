/** A command that there is not: the error names the one that does it. */
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { SentinelError } from "../../ground/core/errors.ts";

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

/** Has a program refuse a command that it does not have. */
export function refuseUnknownCommands(program: Command): void {
  program.on("command:*", ([name = ""]: string[]) => {
    const given = name.toLowerCase();
    throw new SentinelError(
      "bad_argument",
      `There is no command "${name.slice(0, 40)}".`,
      fixFor(given, program),
    );
  });
}

function fixFor(name: string, program: Command): string {
  if (COMPACT.includes(name))
    return "An agent does it with its tool compact_memory; sentinel-memory doctor says when it is due.";
  const known = program.commands.map((command) => command.name());
  const [usage] = Object.entries(OTHER_NAMES).find(([, names]) => names.includes(name)) ?? [];
  const near = usage ?? known.find((command) => distance(command, name) <= 2);
  return near ? `Use sentinel-memory ${near}` : "sentinel-memory help --all lists all commands.";
}
