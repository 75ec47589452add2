import { json, safeLines } from "../../../ground/terminal/layout.ts";
import type { AddDaemonCommand, ListedToken } from "../../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addList: AddDaemonCommand = (token, _open, { loadDaemon, env, terminal }) => {
  token
    .command("list")
    .description("list tokens, without their secrets")
    .option("--tenant <name>", "of this tenant only")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const url = mustHaveDatabase(options, env);
      const tokens = await (await loadDaemon()).listTokens(url, options.tenant);
      if (options.json) return terminal.print(json(tokens));
      if (tokens.length === 0) return terminal.note("There is no token.");
      for (const one of tokens) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords({ id, tenant, owner, channel, scope, expiresAt, revokedAt }: ListedToken): string {
  const expires = expiresAt ? `, until ${expiresAt.toISOString()}` : "";
  const revoked = revokedAt ? `, revoked ${revokedAt.toISOString()}` : "";
  const reach = scope === "metrics" || scope === "lessons" ? "" : `, up to ${channel}`;
  return `${id}  ${tenant}, ${owner}: ${scope}${reach}${expires}${revoked}`;
}
