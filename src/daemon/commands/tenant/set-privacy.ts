import { SentinelError } from "../../../ground/core/errors.ts";
import { mustBeFaultless } from "../../../ground/core/policy.ts";
import { readBytes } from "../../../ground/files/named-file.ts";
import { privacyFrom } from "../../../ground/project/privacy.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addSetPrivacy: AddDaemonCommand = (tenant, _open, here) => {
  tenant
    .command("set-privacy")
    .description("set the words and patterns a daemon never stores for a tenant")
    .argument("<file>", "like .context/policies/privacy.yaml")
    .requiredOption("--tenant <name>", "of which tenant")
    .option(...WITH_DATABASE)
    .action(async (file: string, options) => {
      const bytes = await readBytes(file);
      if (!bytes)
        throw new SentinelError(
          "not_found",
          `There is no file ${file}.`,
          "Give the path of a privacy.yaml.",
        );
      const text = bytes.toString("utf8");
      // Refused before anything that a daemon could not understand is there.
      const privacy = await privacyFrom(text, file);
      privacy.forStoring();
      mustBeFaultless(file, ...privacy.files);
      await asOwner(here, options, (owner) => owner.setRules(options.tenant, { privacy: text }));
      here.terminal.print(
        `From now on the daemon redacts these in new events of ${options.tenant}.`,
      );
    });
};
