import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { isCalendarDay } from "../../../ground/core/time.ts";
import { CHANNELS, type Channel } from "../../../sessions/kinds/event.ts";
import type { AddDaemonCommand, DaemonSurroundings } from "../../terminal/daemon-commands.ts";
import { mustHaveDatabase, WITH_DATABASE } from "../../terminal/database-option.ts";

interface Options {
  readonly databaseUrl?: string;
  readonly tenant: string;
  readonly person: string;
  readonly channel: Channel;
  readonly expires?: string;
  readonly readOnly?: boolean;
  readonly metrics?: boolean;
  readonly lessons?: boolean;
}

export const addCreate: AddDaemonCommand = (token, _open, here) => {
  token
    .command("create")
    .description("make a token for a person and print it, once")
    .requiredOption("--tenant <name>", "whose session log")
    .requiredOption("--person <name>", "who records and reads")
    .addOption(
      new Option("--channel <channel>", "the most private that it reads and records")
        .choices(CHANNELS)
        .default("private"),
    )
    .option("--expires <time>", "until then, in ISO 8601; for ever without it")
    .option("--read-only", "it changes nothing")
    .addOption(new Option("--metrics", "it reads /metrics and nothing else").conflicts("readOnly"))
    .addOption(new Option("--lessons", "it pushes lessons and does nothing else").conflicts(["readOnly", "metrics"]))
    .option(...WITH_DATABASE)
    .action((options: Options) => create(here, options));
};

async function create({ loadDaemon, env, terminal }: DaemonSurroundings, options: Options): Promise<void> {
  const { tenant, person: owner, channel, readOnly, metrics, lessons } = options;
  const url = mustHaveDatabase(options, env);
  const expiresAt = options.expires === undefined ? undefined : futureIn(options.expires);
  const scope = metrics ? "metrics" : lessons ? "lessons" : readOnly ? "read" : "write";
  terminal.print(await (await loadDaemon()).createToken(url, { tenant, owner, channel, scope, expiresAt }));
  terminal.note("It is not shown again. Keep it in SENTINEL_TOKEN, or in a file that only you may read.");
}

/** @throws SentinelError `bad_argument`: a token that is over would only be refused by the daemon. */
function futureIn(text: string): string {
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)/.exec(text) ?? [];
  const time = isCalendarDay(day) ? Date.parse(text) : Number.NaN;
  const form = "Give it as 2027-01-31 or 2027-01-31T12:00:00Z.";
  if (Number.isNaN(time)) throw new SentinelError("bad_argument", "--expires is not a time.", form);
  if (time <= Date.now()) throw new SentinelError("bad_argument", "--expires is over already.", form);
  return new Date(time).toISOString();
}
