import { SentinelError } from "../../ground/core/errors.ts";
import { json, safeLines } from "../../ground/terminal/layout.ts";
import { callDaemon, mustHaveToken } from "../../sessions/remote/call-daemon.ts";
import type { Audited } from "../http/caller.ts";
import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { asOwner, WITH_DAEMON, WITH_DATABASE } from "../terminal/database-option.ts";

export const addAudit: AddDaemonCommand = (serve, _open, here) => {
  const { terminal, env } = here;
  serve
    .command("audit")
    .description("list the actions on tokens and events")
    .option(...WITH_DAEMON)
    .option("--group <group>", "a group, from the database")
    .option("--person <name>", "only what concerns this one of the group")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const { url, group, person } = options;
      if ((url === undefined) === (group === undefined))
        throw new SentinelError(
          "bad_argument",
          "Whose audit log is not clear.",
          "Give --url or --group.",
        );
      const ofCaller = () =>
        callDaemon<{ audit: Audited[] }>(
          { url, token: mustHaveToken(env.SENTINEL_TOKEN) },
          "events/audit",
          {},
        );
      const audit: readonly Audited[] = group
        ? await asOwner(here, options, (owner) => owner.readAudit(group, person))
        : (await ofCaller()).audit;
      if (options.json) return terminal.print(json(audit));
      for (const one of audit) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords({ at, person, by, act, what }: Audited): string {
  return `${new Date(at).toISOString()}  ${person ?? "all"}: ${act} by ${by ?? "the operator"}: ${what}`;
}
