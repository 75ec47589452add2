import { plural } from "../../../ground/core/text.ts";
import { dateOf } from "../../../ground/core/time.ts";
import { json, safeLines } from "../../../ground/terminal/layout.ts";
import type { AddDaemonCommand, ListedTenant } from "../../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addList: AddDaemonCommand = (tenant, _open, { loadDaemon, env, terminal }) => {
  tenant
    .command("list")
    .description("list tenants, with how many use them")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const tenants = await (await loadDaemon()).listTenants(mustHaveDatabase(options, env));
      if (options.json) return terminal.print(json(tenants));
      if (tenants.length === 0) return terminal.note("There is no tenant.");
      for (const one of tenants) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords({ name, createdAt, tokens, persons }: ListedTenant): string {
  const used = tokens === 0 ? "no token in use" : `${plural(tokens, "token")} of ${plural(persons, "person")}`;
  return `${name}: since ${dateOf(createdAt.toISOString())}, ${used}`;
}
