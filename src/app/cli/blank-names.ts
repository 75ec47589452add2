/** Refuses blank ids, file names and other names. In a script, an unset variable such as `$ID` would pass one. */
import type { Command, Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";

/** Arguments and options that accept any text, by their names in the help. Their commands validate them. */
const FREE_TEXTS: readonly string[] = ["text", "query", "what"];

/** Checks a command's arguments and options before it runs. @throws SentinelError `bad_argument`. */
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

/** Whether a value is blank. A list is blank if any of its values is. */
const isBlank = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === "string" && one.trim() === "");

function blank(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", `${what} is blank, so nothing was done.`, fix);
}
