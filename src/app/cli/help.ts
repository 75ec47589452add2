/** The program's help. `help` lists the common commands, `help --all` lists all. */
import { type Command, Help, type Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";

/** Sets the help's format. Call it before adding commands, because they inherit the format. @param isCommon whether the short help lists a command. */
export function addHelp(program: Command, isCommon: (name: string) => boolean): void {
  let isWhole = false;
  const { visibleCommands, optionDescription } = Help.prototype;
  program.configureHelp({
    visibleCommands(command) {
      const visible = visibleCommands.call(this, command);
      if (command !== program || isWhole) return visible;
      return visible.filter((one) => isCommon(one.name()));
    },
    optionDescription(option: Option) {
      const text = optionDescription.call(this, option);
      return option.mandatory ? `${text} (required)` : text;
    },
  });
  program
    .helpCommand(false)
    .addHelpText("after", () => (isWhole ? EXIT_STATUSES : `${EXIT_STATUSES}\n${MORE}`));
  program
    .command("help [command...]", { hidden: true })
    .option("--all", "list all commands")
    .action((names: string[], { all }: { all?: boolean }) => {
      isWhole = all === true;
      commandNamed(program, names).outputHelp();
    });
}

const EXIT_STATUSES = `
Exit status:
  0  done
  1  wrong usage, a failure, or something that check or doctor reports as
     broken. Standard error says what happened and what to do

Output fits the terminal's width and uses colours. In a pipe it has no colours
and is not cut. NO_COLOR turns colours off everywhere.`;
const MORE = "\nhelp COMMAND shows a command with its options, help --all lists all commands.";

/** Finds a command by its words. @throws SentinelError `bad_argument`. */
function commandNamed(program: Command, names: readonly string[]): Command {
  let command = program;
  for (const name of names) {
    const found = command.commands.find((one) => one.name() === name);
    if (!found) {
      const fix = "To list all commands: sentinel-memory help --all";
      throw new SentinelError("bad_argument", `There is no command "${name}".`, fix);
    }
    command = found;
  }
  return command;
}
