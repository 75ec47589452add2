/** Refuses blank names of things, such as ids and files: `$ID` may be empty in a script, and then nothing is meant. */
import type { Command, Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";

/** The arguments and options that take any text, by their names in the help. The commands check these. */
const FREE_TEXTS: readonly string[] = ["text", "query", "what"];

/** Runs before a command does anything. @throws SentinelError `bad_argument`. */
export function mustNameSomething(command: Command): void {
  for (const [at, argument] of command.registeredArguments.entries()) {
    const name = argument.name();
    if (FREE_TEXTS.includes(name) || !isBlank(command.processedArgs[at])) continue;
    const or = argument.required ? "" : ", or leave it out";
    throw blank(`The argument ${name}`, `Give it${or}; for its meaning see --help.`);
  }
  for (let level: Command | null = command; level; level = level.parent)
    for (const option of level.options) mustNotBeBlank(option, level);
}

function mustNotBeBlank(option: Option, command: Command): void {
  const { flags, long, mandatory } = option;
  const [, name = ""] = /<(\w+)>/.exec(flags) ?? [];
  const value = command.getOptionValue(option.attributeName());
  if (FREE_TEXTS.includes(name) || !isBlank(value)) return;
  throw blank(long ?? flags, `Give ${flags}${mandatory ? "" : ", or leave it out"}.`);
}

/** Whether a value is blank, or one of several is. */
const isBlank = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === "string" && one.trim() === "");

function blank(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", `${what} is blank, so nothing was done.`, fix);
}
