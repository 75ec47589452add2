import type { Command } from "commander";
import { isCopy } from "../../ground/project/context-folder.ts";
import type { Surroundings } from "../../ground/terminal/command.ts";
import {
  type Given,
  GROUPS,
  OPERATOR_COMMANDS,
  type OperatorCommand,
} from "../terminal/operator-commands.ts";
import {
  type AddDaemonCommand,
  loadDaemon,
  mustHaveDatabase,
  WITH_DATABASE,
} from "../terminal/surroundings.ts";
import { addServe } from "./serve.ts";

export const addDaemon: AddDaemonCommand = (program, open, here) => {
  const daemon = program
    .command("daemon")
    .description("run a daemon that keeps the session logs of many machines");
  if (isCopy(here.build)) daemon.addHelpText("beforeAll", () => here.spelt(NO_DAEMON));
  addServe(daemon, open, here);
  const groups = new Map<string, Command>();
  for (const one of OPERATOR_COMMANDS) {
    const words = one.name.split(" ");
    const name = words.pop() ?? "";
    const [group] = words;
    addOperatorCommand(group ? groupNamed(group) : daemon, name, one, here);
  }

  function groupNamed(name: string): Command {
    const group = groups.get(name) ?? daemon.command(name).description(GROUPS[name] ?? "");
    groups.set(name, group);
    return group;
  }
};

function addOperatorCommand(
  parent: Command,
  name: string,
  { about, argument, options = [], run }: OperatorCommand,
  here: Surroundings,
): void {
  const command = parent.command(name).description(about);
  if (argument) command.argument(...argument);
  for (const option of options) command.addOption(option);
  // `rotate` needs a token and no database.
  if (name !== "rotate") command.option(...WITH_DATABASE);
  command.action(async () => {
    const given = command.opts<Given>();
    const { terminal, env } = here;
    await run({
      args: command.args,
      options: given,
      terminal,
      env,
      asOwner: async (act) => {
        const daemon = await loadDaemon(here.build);
        return daemon.asOwner(mustHaveDatabase(given, env), act);
      },
    });
  });
}

const NO_DAEMON = `This copy has no daemon, so use the package or a build of the repository. For one that runs elsewhere, this copy has
sentinel-memory daemon token rotate and sentinel-memory daemon audit --url.
`;
