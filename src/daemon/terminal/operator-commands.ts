/** The operator's commands for the schema, tenants, persons and tokens, in one table. */
import { basename } from "node:path";
import { Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";
import { mustBeFaultless } from "../../ground/core/policy.ts";
import { plural } from "../../ground/core/text.ts";
import { isoInstant } from "../../ground/core/time.ts";
import { quoted } from "../../ground/files/paths.ts";
import { writePrivate } from "../../ground/files/private-file.ts";
import { privacyFrom } from "../../ground/project/privacy.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { mustReadText, readTexts } from "../../sessions/bundle/settings/settings.ts";
import { CHANNELS, type Channel } from "../../sessions/kinds/event.ts";
import { callDaemon, daemonUrl, mustHaveToken, ONCE } from "../../sessions/remote/call-daemon.ts";
import type { Audited } from "../http/caller.ts";
import type { RotatedToken } from "../postgres/tokens.ts";
import { auditLine, printList, tenantLine, tokenLine } from "./operator-lists.ts";
import type { OwnersActs } from "./surroundings.ts";

/** The options of all commands. Each command accepts some of them. */
export interface Given {
  readonly databaseUrl?: string;
  readonly tenant?: string;
  readonly person?: string;
  readonly name?: string;
  readonly channel?: Channel;
  readonly expires?: string;
  readonly readOnly?: boolean;
  readonly metrics?: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly url?: string;
  readonly overlap?: string;
  readonly export?: string;
}

interface CommandCall {
  /** Empty for a command without arguments. */
  readonly args: readonly string[];
  readonly options: Given;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs an action with the role that owns the database. */
  readonly asOwner: <Result>(act: (owner: OwnersActs) => Promise<Result>) => Promise<Result>;
}

export interface OperatorCommand {
  /** For example `tenant create`. */
  readonly name: string;
  readonly about: string;
  readonly argument?: readonly [name: string, about: string];
  readonly options?: readonly Option[];
  readonly run: (call: CommandCall) => Promise<void>;
}

const OF_TENANT = new Option("--tenant <name>", "of which tenant").makeOptionMandatory();
const AS_JSON = new Option("--json", "as JSON");
const AT_DAEMON = new Option(
  "--url <url>",
  "the daemon that takes the token in SENTINEL_TOKEN",
).argParser(daemonUrl);

export const GROUPS: Readonly<Record<string, string>> = {
  tenant: "manage the tenants, which are logs that people share",
  person: "remove a person from a tenant",
  token: "manage who may call the daemon",
};

export const OPERATOR_COMMANDS: readonly OperatorCommand[] = [
  {
    name: "migrate",
    about: "create the schema of the database",
    options: [new Option("--dry-run", "check the database without changing it")],
    run: migrate,
  },
  {
    name: "tenant create",
    about: "add a tenant",
    argument: ["<name>", ""],
    run: createTenant,
  },
  { name: "tenant list", about: "list the tenants", options: [AS_JSON], run: listTenants },
  {
    name: "tenant views",
    about: "set the views, policies and lessons of a tenant",
    argument: [
      "<file...>",
      "like those in .context/views, budgets.yaml, channels.yaml or memory_log.jsonl. An empty one removes it",
    ],
    options: [OF_TENANT],
    run: setViews,
  },
  {
    name: "tenant set-privacy",
    about: "set the words and patterns a daemon never stores for a tenant",
    argument: ["<file>", "like .context/policies/privacy.yaml"],
    options: [OF_TENANT],
    run: setPrivacy,
  },
  {
    name: "tenant set-retention",
    about: "set how many days a daemon keeps the events of a tenant",
    argument: ["<days>", ""],
    options: [OF_TENANT],
    run: setRetention,
  },
  {
    name: "tenant delete",
    about: "delete a tenant with its tokens and events",
    argument: ["<name>", ""],
    options: [new Option("--name <tenant>", "its name again, to confirm without a prompt")],
    run: deleteTenant,
  },
  {
    name: "person remove",
    about: "remove a person with their tokens and private events",
    argument: ["<name>", ""],
    options: [
      OF_TENANT,
      new Option("--export <file>", "write all that they recorded to this new file first"),
      new Option("--name <person>", "their name again, to confirm without a prompt"),
    ],
    run: removePerson,
  },
  {
    name: "token create",
    about: "create a token for a person",
    options: [
      OF_TENANT,
      new Option("--person <name>", "who records and reads with it").makeOptionMandatory(),
      new Option("--channel <channel>", "the most private channel that it reads and records")
        .choices(CHANNELS)
        .default("private"),
      new Option("--expires <time>", "until then, in ISO 8601 (default: in 90 days)"),
      new Option("--read-only", "it changes nothing"),
      new Option("--metrics", "it reads /metrics and nothing else").conflicts("readOnly"),
    ],
    run: createToken,
  },
  {
    name: "token list",
    about: "list the tokens, without their secrets",
    options: [new Option("--tenant <name>", "of this tenant only"), AS_JSON],
    run: listTokens,
  },
  {
    name: "token revoke",
    about: "revoke a token",
    argument: ["<id>", "as daemon token list shows it: the part between the underscores"],
    run: revokeToken,
  },
  {
    name: "token rotate",
    about: "replace the token in SENTINEL_TOKEN with a new one",
    options: [
      new Option("--url <url>", "the daemon that takes the token in SENTINEL_TOKEN")
        .argParser(daemonUrl)
        .makeOptionMandatory(),
      new Option("--overlap <hours>", "hours to keep your old token valid").default("0"),
    ],
    run: rotateToken,
  },
  {
    name: "audit",
    about: "list the actions on tokens",
    options: [
      AT_DAEMON,
      new Option("--tenant <name>", "a tenant, from the database"),
      new Option("--person <name>", "only what concerns this person of the tenant"),
      AS_JSON,
    ],
    run: showAudit,
  },
];

async function migrate({ options, terminal, asOwner }: CommandCall): Promise<void> {
  const how = options.dryRun ? "plan" : "do it";
  const wasMissing = await asOwner((owner) => owner.migrate(how));
  if (!wasMissing) {
    return terminal.print("The schema is up to date.");
  }
  terminal.print(options.dryRun ? "The schema would be created." : "Created the schema.");
}

async function createTenant({ args: [name = ""], terminal, asOwner }: CommandCall): Promise<void> {
  await asOwner((owner) => owner.createTenant(name));
  const next = `sentinel-memory daemon token create --tenant ${quoted(name)} --person NAME`;
  terminal.tell(`The tenant ${name} exists. A token for a person who uses it:\n${next}`);
}

async function listTenants(call: CommandCall): Promise<void> {
  const tenants = await call.asOwner((owner) => owner.listTenants());
  printList(call, tenants, tenantLine, "There is no tenant.");
}

const LESSONS = "memory_log.jsonl";

async function setViews({ args: files, options, terminal, asOwner }: CommandCall): Promise<void> {
  const { tenant = "" } = options;
  const texts = await readTexts(files.filter((file) => basename(file) !== LESSONS));
  for (const file of files) {
    if (basename(file) === LESSONS) {
      texts.set(LESSONS, await mustReadText(file));
    }
  }
  const names = await asOwner((owner) => owner.setTexts(tenant, texts));
  terminal.print(`Bundles of ${tenant} use ${names.join(", ") || "no file"}.`);
}

async function setPrivacy({ args, options, terminal, asOwner }: CommandCall): Promise<void> {
  const [file = ""] = args;
  const { tenant = "" } = options;
  const text = await mustReadText(file);
  // Validate the file now, because a daemon can't store anything with an invalid one.
  const privacy = privacyFrom(text, file);
  privacy.forStoring();
  mustBeFaultless(
    file,
    privacy.files.flatMap(({ problems }) => problems),
  );
  await asOwner((owner) => owner.setRules(tenant, { privacy: text }));
  terminal.print(`From now on the daemon redacts these in new events of ${tenant}.`);
}

async function setRetention({ args, options, terminal, asOwner }: CommandCall): Promise<void> {
  const [days = ""] = args;
  const { tenant = "" } = options;
  if (!/^[1-9]\d{0,4}$/.test(days)) {
    throw new SentinelError(
      "bad_argument",
      `"${days}" is not a number of days.`,
      "Give 1 to 99999, as 365.",
    );
  }
  const keepDays = Number(days);
  await asOwner((owner) => owner.setRules(tenant, { keepDays }));
  terminal.print(
    `Events of ${tenant} older than ${plural(keepDays, "day")} are deleted once a day.`,
  );
}

async function deleteTenant(call: CommandCall): Promise<void> {
  const [name = ""] = call.args;
  await mustConfirmName(
    call,
    `This deletes the tenant ${name} with all of its events. Type its name:`,
    "A tenant that is deleted cannot be restored.",
  );
  const events = await call.asOwner((owner) => owner.deleteTenant(name));
  call.terminal.print(`Deleted: the tenant ${name}, with ${plural(events, "event")}.`);
}

async function removePerson(call: CommandCall): Promise<void> {
  const [name = ""] = call.args;
  const { tenant = "", export: file } = call.options;
  await mustConfirmName(
    call,
    `This ends the tokens of ${name} and deletes their private events. Type the name:`,
    "Private events can't be restored.",
  );
  const write = (lines: AsyncIterable<string>) => writePrivate(file ?? "", lines);
  const events = await call.asOwner((owner) =>
    owner.removePerson({ tenant, name }, file === undefined ? undefined : write),
  );
  call.terminal.print(
    `Removed: ${name}. Their tokens have ended, and ${plural(events, "private event")} of theirs ${events === 1 ? "was" : "were"} deleted.`,
  );
  if (file !== undefined) {
    call.terminal.tell(
      `Written: ${file}. Give it to ${name} alone. sentinel-memory sessions import reads it.`,
    );
  }
}

/** @throws SentinelError `bad_argument` if the answer or `--name` doesn't match the argument. */
async function mustConfirmName(call: CommandCall, question: string, why: string): Promise<void> {
  const [name = ""] = call.args;
  const answer = call.options.name ?? (await call.terminal.mustAnswer(question, why, "--name"));
  if (answer !== name) {
    throw new SentinelError(
      "bad_argument",
      `"${answer}" is not "${name}". Nothing was changed.`,
      `--name ${name}`,
    );
  }
}

async function createToken({ options, terminal, asOwner }: CommandCall): Promise<void> {
  const { tenant = "", person = "", channel = "private", expires } = options;
  const expiresAt = expires === undefined ? undefined : mustBeFuture(expires);
  const scope = scopeIn(options);
  terminal.print(
    await asOwner((owner) =>
      owner.createToken({ tenant, owner: person, channel, scope, expiresAt }),
    ),
  );
  const rotate =
    "Its person replaces it with their own: SENTINEL_TOKEN=… sentinel-memory daemon token rotate --url URL";
  const next = scope === "metrics" ? "It reads /metrics and nothing else." : rotate;
  terminal.note(`It is not shown again. ${next}`);
}

function scopeIn({ metrics, readOnly }: Given): "metrics" | "read" | "write" {
  if (metrics) {
    return "metrics";
  }
  return readOnly ? "read" : "write";
}

/** @throws SentinelError `bad_argument` */
function mustBeFuture(text: string): string {
  const time = isoInstant(text);
  const form = "Give it as 2027-01-31 or 2027-01-31T12:00:00Z.";
  if (Number.isNaN(time)) {
    throw new SentinelError("bad_argument", "--expires is not a time.", form);
  }
  if (time <= Date.now()) {
    throw new SentinelError("bad_argument", "--expires is over already.", form);
  }
  return new Date(time).toISOString();
}

async function listTokens(call: CommandCall): Promise<void> {
  const tokens = await call.asOwner((owner) => owner.listTokens(call.options.tenant));
  printList(call, tokens, tokenLine, "There is no token.");
}

async function revokeToken({ args: [id = ""], terminal, asOwner }: CommandCall): Promise<void> {
  await asOwner((owner) => owner.revokeToken(id));
  terminal.print(`The token ${id} is not in use any more.`);
}

async function rotateToken({ options, terminal, env }: CommandCall): Promise<void> {
  const { url = "", overlap } = options;
  const daemon = { url, token: mustHaveToken(env.SENTINEL_TOKEN) };
  const body = { overlapHours: Number(overlap) };
  const made = await callDaemon<RotatedToken>(daemon, "events/rotate-token", body, ONCE);
  terminal.print(made.token);
  terminal.note(
    `It reads and records up to ${made.channel}, until ${made.expiresAt}, and is not shown again.`,
  );
}

async function showAudit(call: CommandCall): Promise<void> {
  printList(call, await auditFor(call), auditLine, "There is no action on a token.");
}

async function auditFor({ options, env, asOwner }: CommandCall): Promise<readonly Audited[]> {
  const { url, tenant, person } = options;
  if (url !== undefined && tenant === undefined) {
    const daemon = { url, token: mustHaveToken(env.SENTINEL_TOKEN) };
    return (await callDaemon<{ audit: Audited[] }>(daemon, "events/audit", {})).audit;
  }
  if (url === undefined && tenant !== undefined) {
    return asOwner((owner) => owner.readAudit(tenant, person));
  }
  throw new SentinelError(
    "bad_argument",
    "It isn't clear whose audit log to list.",
    "Give --url or --tenant.",
  );
}
