import { type Command, InvalidArgumentError } from "commander";
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

export const addDaemon: AddDaemonCommand = (program, open, here) => {
  const daemon = program
    .command("daemon")
    .description("run a daemon that keeps the session logs of many machines");
  if (isCopy(here.build)) {
    daemon.addHelpText("beforeAll", () => here.spelt(NO_DAEMON));
  }
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
  if (argument) {
    command.argument(...argument);
  }
  for (const option of options) {
    command.addOption(option);
  }
  // `rotate` needs a token and no database.
  if (name !== "rotate") {
    command.option(...WITH_DATABASE);
  }
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

/** Unassigned in the IANA registry. */
const PORT = 7_331;
/** Matches a host without a scheme or a port, because the Host header is compared without them. */
const HOST = /^(?:\[[^\]]+\]|[^\s/:@?#]+)$/;

const addServe: AddDaemonCommand = (daemon, _open, here) => {
  daemon
    .command("serve")
    .description("run the daemon")
    .option(...WITH_DATABASE)
    .option("--host <address>", "listen on this address", "127.0.0.1")
    .option("--port <n>", "listen on this port, or 0 for any free one", portIn, PORT)
    .option(
      "--allow-host <name>",
      "a name that it is reached by, such as a proxy's (repeatable)",
      addHost,
    )
    .option(
      "--admin-port <n>",
      "answer /live, /ready and /metrics on this port, without a token",
      portIn,
    )
    .option("--admin-host <address>", "listen for these on this address", "127.0.0.1")
    .action(async ({ host, port, allowHost: hosts = [], adminHost, adminPort, ...options }) => {
      const admin = adminPort === undefined ? undefined : { host: adminHost, port: adminPort };
      const { serve } = await loadDaemon(here.build);
      const databaseUrl = mustHaveDatabase(options, here.env);
      await serve({ databaseUrl, host, port, hosts, admin }, (line) => here.terminal.note(line));
    });
};

function portIn(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) {
    return port;
  }
  throw new InvalidArgumentError("It is not a port.");
}

function addHost(name: string, names: readonly string[] = []): readonly string[] {
  const url = `http://${name}`;
  if (!HOST.test(name) || !URL.canParse(url)) {
    throw new InvalidArgumentError("Give a name alone, as memory.example.com.");
  }
  return [...names, new URL(url).hostname];
}
