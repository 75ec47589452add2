import { quoted } from "../../../ground/terminal/shell.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addCreate: AddDaemonCommand = (tenant, _open, { loadDaemon, env, terminal }) => {
  tenant
    .command("create")
    .description("add a tenant, unless it is there")
    .argument("<name>")
    .option(...WITH_DATABASE)
    .action(async (name: string, options) => {
      const url = mustHaveDatabase(options, env);
      await (await loadDaemon()).createTenant(url, name);
      terminal.print(
        `The tenant ${name} is there. A token for a person:\nsentinel-memory serve token create --tenant ${quoted(name)} --person NAME`,
      );
    });
};
