/** Refuses unknown commands, and suggests the one that was probably meant. */
import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { SentinelError } from "../../ground/core/errors.ts";

/** For each command, the names that other memory tools and earlier builds give it. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'context "QUESTION"': ["ask", "memory_ask", "answer", "query", "question", "resume", "build_acb"],
  "search WORDS": ["find", "recall", "lookup", "grep", "search_memory"],
  list: ["ls", "all", "memories"],
  "show ID": ["get", "cat", "read", "get_artifact"],
  add: ["remember", "save", "store", "log", "learn", "note", "create", "log_memory", "add_memory"],
  "edit ID": ["update", "modify", "change"],
  "forget ID": ["delete", "remove", "rm"],
  init: ["install", "setup", "set-up", "start"],
  sessions: ["record"],
  "daemon serve": ["serve"],
  config: ["policies"],
  doctor: ["status", "stats", "health", "verify"],
  decisions: ["query_decisions"],
  compact: ["consolidate", "merge", "summarize", "compress", "dedupe", "compact_memory"],
};

/** Makes the program refuse unknown commands. */
export function refuseUnknownCommands(program: Command): void {
  program.on("command:*", ([name = ""]: string[]) => {
    const what = `There is no command "${name.slice(0, 40)}".`;
    throw new SentinelError("bad_argument", what, fixFor(name, program));
  });
}

function fixFor(name: string, program: Command): string {
  const given = name.toLowerCase();
  const known = program.commands.map((command) => command.name());
  const [usage] = Object.entries(OTHER_NAMES).find(([, names]) => names.includes(given)) ?? [];
  const near = usage ?? known.find((command) => distance(command, given) <= 2);
  return near ? `Use sentinel-memory ${near}` : "To list all commands: sentinel-memory help --all";
}
