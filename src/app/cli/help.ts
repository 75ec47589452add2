/** The help of the program: at first the commands that everybody needs, with `help --all` all of them. */
import { type Command, Help } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";

/** @param common the commands that the short help lists; asked when it is printed. */
export function addHelp(program: Command, common: () => readonly Command[]): void {
  let isWhole = false;
  const { visibleCommands } = Help.prototype;
  program.configureHelp({
    visibleCommands(command) {
      const visible = visibleCommands.call(this, command);
      if (command !== program || isWhole) return visible;
      const listed = common();
      return visible.filter((one) => listed.includes(one));
    },
  });
  program.helpCommand(false).addHelpText("after", () => (isWhole ? "" : MORE));
  program
    .command("help [command...]", { hidden: true })
    .option("--all", "list all commands")
    .action((names: string[], { all }: { all?: boolean }) => {
      isWhole = all === true;
      commandNamed(program, names).outputHelp();
    });
}

const MORE = "\nhelp COMMAND shows a command with its options, help --all lists all commands.";

/** @throws SentinelError `bad_argument`. */
function commandNamed(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((one) => one.name() === name);
    if (found) return found;
    throw new SentinelError(
      "bad_argument",
      `There is no command "${name}".`,
      "help --all lists all commands.",
    );
  }, program);
}
