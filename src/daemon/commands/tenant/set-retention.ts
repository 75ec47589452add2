import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addSetRetention: AddDaemonCommand = (tenant, _open, here) => {
  tenant
    .command("set-retention")
    .description("set how many days a daemon keeps the events of a tenant")
    .argument("<days>")
    .requiredOption("--tenant <name>", "of which tenant")
    .option(...WITH_DATABASE)
    .action(async (days: string, options) => {
      const keepDays = /^[1-9]\d{0,4}$/.test(days) ? Number(days) : undefined;
      if (keepDays === undefined)
        throw new SentinelError(
          "bad_argument",
          `"${days}" is not a number of days.`,
          "Give 1 to 99999, as 365.",
        );
      await asOwner(here, options, (owner) => owner.setRules(options.tenant, { keepDays }));
      here.terminal.print(
        `Events of ${options.tenant} older than ${plural(keepDays, "day")} are deleted once a day.`,
      );
    });
};
