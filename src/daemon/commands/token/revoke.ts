import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addRevoke: AddDaemonCommand = (token, _open, here) => {
  token
    .command("revoke")
    .description("revoke a token")
    .argument("<id>", "as daemon token list shows it: the part between the underscores")
    .option(...WITH_DATABASE)
    .action(async (id: string, options) => {
      await asOwner(here, options, (owner) => owner.revokeToken(id));
      here.terminal.print(`The token ${id} is not in use any more.`);
    });
};
