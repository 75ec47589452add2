import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { isoInstant } from "../../../ground/core/time.ts";
import { CHANNELS } from "../../../sessions/kinds/event.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addCreate: AddDaemonCommand = (token, _open, here) => {
  token
    .command("create")
    .description("create a token for a person")
    .requiredOption("--person <name>", "who records and reads, as daemon person add has added them")
    .option("--group <group>", "good for all tenants of this one")
    .addOption(new Option("--tenant <name>", "good for this one alone").conflicts("group"))
    .addOption(
      new Option("--channel <channel>", "the most private channel that it reads and records")
        .choices(CHANNELS)
        .default("private"),
    )
    .option("--expires <time>", "until then, in ISO 8601 (default: in 90 days)")
    .option("--read-only", "it changes nothing")
    .addOption(new Option("--metrics", "it reads /metrics and nothing else").conflicts("readOnly"))
    .addOption(
      new Option("--lessons", "it pushes lessons and does nothing else").conflicts([
        "readOnly",
        "metrics",
      ]),
    )
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const { group, tenant, person, channel, expires, readOnly, metrics, lessons } = options;
      if (!group && !tenant)
        throw new SentinelError(
          "bad_argument",
          "The token's use isn't clear.",
          "Give --group or --tenant.",
        );
      const expiresAt = expires === undefined ? undefined : futureIn(expires);
      const scope = metrics ? "metrics" : lessons ? "lessons" : readOnly ? "read" : "write";
      const token = { group, tenant, owner: person, channel, scope, expiresAt } as const;
      here.terminal.print(await asOwner(here, options, (owner) => owner.createToken(token)));
      here.terminal.note(
        "It is not shown again. Of one that reads or records its person makes their own: SENTINEL_TOKEN=… sentinel-memory daemon token rotate --url URL",
      );
    });
};

/** @throws SentinelError `bad_argument`: a token that is over would only be refused by the daemon. */
function futureIn(text: string): string {
  const time = isoInstant(text);
  const form = "Give it as 2027-01-31 or 2027-01-31T12:00:00Z.";
  if (Number.isNaN(time)) throw new SentinelError("bad_argument", "--expires is not a time.", form);
  if (time <= Date.now())
    throw new SentinelError("bad_argument", "--expires is over already.", form);
  return new Date(time).toISOString();
}
