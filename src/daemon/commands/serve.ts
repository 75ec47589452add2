import { InvalidArgumentError } from "commander";
import {
  type AddDaemonCommand,
  loadDaemon,
  mustHaveDatabase,
  WITH_DATABASE,
} from "../terminal/surroundings.ts";

/** Unassigned in the IANA registry. */
const PORT = 7_331;
/** Matches a host without a scheme or a port, because the Host header is compared without them. */
const HOST = /^(?:\[[^\]]+\]|[^\s/:@?#]+)$/;

export const addServe: AddDaemonCommand = (daemon, _open, here) => {
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
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError("It is not a port.");
}

function addHost(name: string, names: readonly string[] = []): readonly string[] {
  const url = `http://${name}`;
  if (!HOST.test(name) || !URL.canParse(url))
    throw new InvalidArgumentError("Give a name alone, as memory.example.com.");
  return [...names, new URL(url).hostname];
}
