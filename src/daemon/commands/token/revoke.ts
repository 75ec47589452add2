import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addRevoke: AddDaemonCommand = (token, _open, { loadDaemon, env, terminal }) => {
  token
    .command("revoke")
    .description("end a token, from the next call on")
    .argument("<id>", "as serve token list shows it: the part between the underscores")
    .option(...WITH_DATABASE)
    .action(async (id: string, options) => {
      const url = mustHaveDatabase(options, env);
      await (await loadDaemon()).revokeToken(url, id);
      terminal.print(`The token ${id} is not in use any more.`);
    });
};
