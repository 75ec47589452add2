import { quoted } from "../../../ground/terminal/shell.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addCreate: AddDaemonCommand = (tenant, _open, here) => {
  tenant
    .command("create")
    .description("add a tenant")
    .argument("<name>")
    .option(
      "--group <group>",
      "whose persons use it, beside its other tenants (default: one of its own, of its name)",
    )
    .option(...WITH_DATABASE)
    .action(async (name: string, options) => {
      await asOwner(here, options, (owner) => owner.createTenant(name, options.group));
      here.terminal.tell(
        `The tenant ${name} is there. A person who uses it:\nsentinel-memory daemon person add NAME --group ${quoted(options.group ?? name)}`,
      );
    });
};
