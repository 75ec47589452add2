import { quoted } from "../../../ground/terminal/shell.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addAdd: AddDaemonCommand = (person, _open, here) => {
  person
    .command("add")
    .description("add a person to a group")
    .argument("<name>")
    .requiredOption("--group <group>", "whose tenants they use")
    .option(...WITH_DATABASE)
    .action(async (name: string, options) => {
      await asOwner(here, options, (owner) => owner.addPerson(options.group, name));
      const next = `sentinel-memory daemon token create --group ${quoted(options.group)} --person ${quoted(name)}`;
      here.terminal.tell(`${name} is in ${options.group}. A token for them:\n${next}`);
    });
};
