import { InvalidArgumentError } from "commander";
import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../terminal/database-option.ts";
import { addAudit } from "./audit.ts";
import { addMigrate } from "./migrate.ts";
import { addAdd as addPerson } from "./person/add.ts";
import { addList as listPersons } from "./person/list.ts";
import { addRemove as removePerson } from "./person/remove.ts";
import { addCreate as createTenant } from "./tenant/create.ts";
import { addDelete as deleteTenant } from "./tenant/delete.ts";
import { addList as listTenants } from "./tenant/list.ts";
import { addSetPrivacy } from "./tenant/set-privacy.ts";
import { addSetRetention } from "./tenant/set-retention.ts";
import { addViews } from "./tenant/views.ts";
import { addCreate as createToken } from "./token/create.ts";
import { addList as listTokens } from "./token/list.ts";
import { addRevoke } from "./token/revoke.ts";
import { addRotate } from "./token/rotate.ts";

/** As the registry of ports has it, nobody's. */
const PORT = 7_331;
/** Neither a scheme nor a port, which no Host is compared with. */
const HOST = /^(?:\[[^\]]+\]|[^\s/:@?#]+)$/;

const GROUPS: readonly (readonly [name: string, about: string, ...AddDaemonCommand[]])[] = [
  [
    "tenant",
    "logs that people share",
    createTenant,
    listTenants,
    addViews,
    addSetPrivacy,
    addSetRetention,
    deleteTenant,
  ],
  [
    "person",
    "who may have tokens for the tenants of a group",
    addPerson,
    listPersons,
    removePerson,
  ],
  ["token", "who may call a daemon", createToken, listTokens, addRevoke, addRotate],
];
const BY_WHOM = "under the role that owns the database, but for token rotate";

export const addServe: AddDaemonCommand = (program, open, here) => {
  const command = program
    .command("serve")
    .description("run the daemon: one record on PostgreSQL for many machines")
    .option(...WITH_DATABASE)
    .option("--host <address>", "listen on this address", "127.0.0.1")
    .option("--port <n>", "listen on this port; 0 for any that is free", portIn, PORT)
    .option(
      "--allow-host <name>",
      "a name that it is reached by, such as a proxy's; may be repeated",
      addHost,
      [],
    )
    .option(
      "--admin-port <n>",
      "answer /live, /ready and /metrics on this port, without a token",
      portIn,
    )
    .option("--admin-host <address>", "listen for these on this address", "127.0.0.1")
    .action(async ({ host, port, allowHost: hosts, adminHost, adminPort, ...options }) => {
      const admin = adminPort === undefined ? undefined : { host: adminHost, port: adminPort };
      const daemon = await here.loadDaemon();
      const databaseUrl = mustHaveDatabase(options, here.env);
      await daemon.serve({ databaseUrl, host, port, hosts, admin }, (line) =>
        here.terminal.note(line),
      );
    });
  // Its subcommands take the same option, and it is parsed here wherever it stands.
  command.hook("preAction", (_, action) => {
    const { databaseUrl } = command.opts<{ databaseUrl?: string }>();
    if (databaseUrl !== undefined) action.setOptionValue("databaseUrl", databaseUrl);
  });
  addMigrate(command, open, here);
  for (const [name, about, ...adds] of GROUPS) {
    const group = command.command(name).description(`${about}; ${BY_WHOM}`);
    for (const add of adds) add(group, open, here);
  }
  addAudit(command, open, here);
};

function portIn(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError("It is not a port.");
}

function addHost(name: string, names: readonly string[]): readonly string[] {
  const url = `http://${name}`;
  if (!HOST.test(name) || !URL.canParse(url))
    throw new InvalidArgumentError("Give a name alone, as memory.example.com.");
  return [...names, new URL(url).hostname];
}
