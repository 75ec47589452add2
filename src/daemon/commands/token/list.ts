import { dateOf } from "../../../ground/core/time.ts";
import { json, safeLines } from "../../../ground/terminal/layout.ts";
import type { ListedToken } from "../../postgres/tokens.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addList: AddDaemonCommand = (token, _open, here) => {
  const { terminal } = here;
  token
    .command("list")
    .description("list the tokens, without their secrets")
    .option("--tenant <name>", "that are good for this tenant only")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const tokens = await asOwner(here, options, (owner) => owner.listTokens(options.tenant));
      if (options.json) return terminal.print(json(tokens));
      if (tokens.length === 0) return terminal.note("There is no token.");
      for (const one of tokens) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords(token: ListedToken): string {
  const { id, group, tenant, owner, channel, scope, own, expiresAt, revokedAt, lastUsedAt } = token;
  const used = lastUsedAt ? `, used ${dateOf(lastUsedAt.toISOString())}` : "";
  const isOver = expiresAt && expiresAt.getTime() <= Date.now();
  const expires = expiresAt ? `, ${isOver ? "ended" : "until"} ${expiresAt.toISOString()}` : "";
  const revoked = revokedAt ? `, revoked ${revokedAt.toISOString()}` : "";
  const most = own || channel === "public" ? channel : "team";
  const reach = scope === "metrics" || scope === "lessons" ? "" : `, up to ${most}`;
  return `${id}  ${tenant ?? group}, ${owner}: ${own ? "own, " : ""}${scope}${reach}${expires}${used}${revoked}`;
}
