import { isCopy } from "../../ground/project/context-folder.ts";
import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { addAudit } from "./audit.ts";
import { addMigrate } from "./migrate.ts";
import { addAdd as addPerson } from "./person/add.ts";
import { addList as listPersons } from "./person/list.ts";
import { addRemove as removePerson } from "./person/remove.ts";
import { addServe } from "./serve.ts";
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

const GROUPS: readonly (readonly [name: string, about: string, ...AddDaemonCommand[]])[] = [
  [
    "tenant",
    "manage the tenants, which are logs that people share",
    createTenant,
    listTenants,
    addViews,
    addSetPrivacy,
    addSetRetention,
    deleteTenant,
  ],
  ["person", "manage the persons of a group", addPerson, listPersons, removePerson],
  ["token", "manage who may call the daemon", createToken, listTokens, addRevoke, addRotate],
];

export const addDaemon: AddDaemonCommand = (program, open, here) => {
  const daemon = program
    .command("daemon")
    .description("run a daemon that keeps the session logs of many machines");
  if (isCopy(here.build)) daemon.addHelpText("beforeAll", () => here.spelt(NO_DAEMON));
  addServe(daemon, open, here);
  addMigrate(daemon, open, here);
  for (const [name, about, ...adds] of GROUPS) {
    const group = daemon.command(name).description(about);
    for (const add of adds) add(group, open, here);
  }
  addAudit(daemon, open, here);
};

const NO_DAEMON = `This copy has no daemon, so use the package or a build of the repository. For one that runs elsewhere, this copy has
sentinel-memory daemon token rotate and sentinel-memory daemon audit --url.
`;
