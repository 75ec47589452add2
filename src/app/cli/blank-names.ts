/** Whatever names something, such as an id or a file, is not blank: `$ID` may be empty in a script, and then nothing is meant. */
import type { Command, Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";

/** By their names in the help. What these hold is looked at where it is used. */
const FREE_TEXTS: readonly string[] = ["text", "query", "what"];

/** Refuses blank names at the door, before a command looks for anything. @throws SentinelError `bad_argument`. */
export function mustNameSomething(command: Command): void {
  command.registeredArguments.forEach((argument, at) => {
    if (FREE_TEXTS.includes(argument.name()) || !isBlank(command.processedArgs[at])) return;
    const or = argument.required ? "" : ", or leave it out";
    throw blank(`The argument ${argument.name()}`, `Give it${or}; for its meaning see --help.`);
  });
  for (let level: Command | null = command; level; level = level.parent)
    for (const option of level.options)
      if (
        !FREE_TEXTS.includes(nameIn(option)) &&
        isBlank(level.getOptionValue(option.attributeName()))
      )
        throw blank(
          option.long ?? option.flags,
          `Give ${option.flags}${option.mandatory ? "" : ", or leave it out"}.`,
        );
}

/** Also where one of several is. */
const isBlank = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === "string" && one.trim() === "");

/** Of the option's value. */
const nameIn = ({ flags }: Option): string => /<(\w+)>/.exec(flags)?.[1] ?? "";

function blank(what: string, fix: string): SentinelError {
  return new SentinelError("bad_argument", `${what} is blank, so nothing was done.`, fix);
}
