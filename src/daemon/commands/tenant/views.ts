import { readTexts } from "../../../sessions/bundle/settings/shared-texts.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addViews: AddDaemonCommand = (tenant, _open, here) => {
  tenant
    .command("views")
    .description("set the views and policies of a tenant")
    .argument(
      "<file...>",
      "like those in .context/views, or budgets.yaml and channels.yaml. An empty one removes it",
    )
    .requiredOption("--tenant <name>", "of which tenant")
    .option(...WITH_DATABASE)
    .action(async (files: string[], options) => {
      const texts = await readTexts(files);
      const names = await asOwner(here, options, (owner) => owner.setTexts(options.tenant, texts));
      here.terminal.print(`Bundles of ${options.tenant} go by ${names.join(", ") || "no file"}.`);
    });
};
