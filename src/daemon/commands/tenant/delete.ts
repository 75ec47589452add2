import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addDelete: AddDaemonCommand = (tenant, _open, here) => {
  tenant
    .command("delete")
    .description("delete a tenant with its tokens and events")
    .argument("<name>")
    .option("--name <tenant>", "its name again, to confirm without a prompt")
    .option(...WITH_DATABASE)
    .action(async (name: string, options) => {
      const { terminal } = here;
      const question = `This deletes the tenant ${name} with all of its events. Type its name:`;
      const answer =
        options.name ??
        (await terminal.mustAnswer(
          question,
          "A tenant that is deleted cannot be restored.",
          "--name",
        ));
      if (answer !== name)
        throw new SentinelError(
          "bad_argument",
          `"${answer}" is not "${name}"; nothing was deleted.`,
          `--name ${name}`,
        );
      const events = await asOwner(here, options, (owner) => owner.deleteTenant(name));
      terminal.print(`Deleted: the tenant ${name}, with ${plural(events, "event")}.`);
    });
};
