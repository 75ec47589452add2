import { plural } from "../../../ground/core/text.ts";
import { dateOf } from "../../../ground/core/time.ts";
import { json, safeLines } from "../../../ground/terminal/layout.ts";
import type { ListedTenant } from "../../postgres/tenants.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addList: AddDaemonCommand = (tenant, _open, here) => {
  const { terminal } = here;
  tenant
    .command("list")
    .description("list the tenants")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const tenants = await asOwner(here, options, (owner) => owner.listTenants());
      if (options.json) return terminal.print(json(tenants));
      if (tenants.length === 0) return terminal.note("There is no tenant.");
      for (const one of tenants) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords({ name, group, keepDays, createdAt, tokens, persons }: ListedTenant): string {
  const of = group === name ? "" : ` of ${group}`;
  const kept = keepDays === null ? "" : `, keeps ${plural(keepDays, "day")}`;
  const used =
    tokens === 0 ? "no token in use" : `${plural(tokens, "token")} of ${plural(persons, "person")}`;
  return `${name}${of}: since ${dateOf(createdAt.toISOString())}, ${used}${kept}`;
}
