import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { join } from "node:path/posix";
import type { Client } from "../../../ground/clients/client.ts";
import { CLIENTS } from "../../../ground/clients/clients.ts";
import {
  DEVELOPMENT_DEPENDENCY,
  type Launches,
  launchesFor,
  mustFitEntry,
} from "../../../ground/clients/launch.ts";
import { type Problem, SentinelError } from "../../../ground/core/errors.ts";
import { CONTEXT_FOLDER, SERVER_FOLDER } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { isTracked, mustReadGit, refusalOf, seenBy } from "../../../ground/project/git.ts";
import { EXCLUDE } from "../../../ground/project/git-exclude.ts";
import { mustNotBeLeftOut } from "../../../ground/project/not-checked-out.ts";
import { quoted } from "../../../ground/terminal/shell.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import { withFix } from "../../../sessions/terminal/project-log.ts";
import { applyInit, changesOf, updatesOf } from "../../setup/apply.ts";
import { privateRule } from "../../setup/edits/exclude-rule.ts";
import { isInstalled } from "../../setup/installed.ts";
import { planInit, type Step } from "../../setup/plan.ts";
import {
  clientEdits,
  distinct,
  emptyMemory,
  gitEdits,
  inCheckout,
} from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { copyEdits } from "../../setup/server-copy.ts";
import { launchesInUse, placeInRepository, vendored } from "../../setup/server-entry.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../steps.ts";

/** The agents to set up where none is in use yet. */
const DEFAULTS = CLIENTS.filter(({ id }) => id === "cursor" || id === "claude");

const NAMES_OF_DEFAULTS = DEFAULTS.map(({ name }) => name).join(" and ");
const AGENTS = `which agents: ${idsOf(CLIENTS)} (default: those whose files are here; where none are, ${idsOf(DEFAULTS)})`;

interface InitOptions {
  readonly agents?: string;
  readonly hooks: boolean;
  readonly command?: string;
  readonly vendor?: boolean;
  readonly force?: boolean;
  readonly private?: boolean;
  readonly dryRun?: boolean;
}

export const addInit: AddCommand = (program, open) => {
  program
    .command("init")
    .description("set up the project for its agents; after git pull a teammate has everything")
    .option("--agents <names>", AGENTS)
    .option(
      "--no-hooks",
      "do not set up the hooks that bring lessons into a session and remind agents to log",
    )
    .option(
      "--command <text>",
      "start the server with this command line instead of the development dependency",
    )
    .option(
      "--vendor",
      "keep the server in the repository, in .context/server; no package manager is needed",
    )
    .option("--private", "keep the memory in this clone only: git ignores it")
    .option("--force", "replace existing entries of the same name that differ")
    .option("--dry-run", "show what would change without changing it")
    .action(async (options) => {
      const context = open();
      if (!(await init(context, options)) || !(await wantsLog(context))) return;
      for (const command of DAY_ONE)
        await program.parseAsync(["--project", context.project.folder, ...command], {
          from: "user",
        });
    });
};

/** Adds our entries to the project's files, and replaces what differs only when asked. @returns whether it changed something. */
async function init(context: CommandContext, options: InitOptions): Promise<boolean> {
  const { project, terminal, cwd, build } = context;
  const files = new ProjectFiles(project.folder);
  const launches = chosenLaunches(options, files);
  const found = new Map(
    CLIENTS.map(({ name, signs }) => [name, signs.find((sign) => files.exists(sign))]),
  );
  const inUse = CLIENTS.filter(({ name }) => found.get(name) !== undefined);
  const clients =
    options.agents === undefined
      ? inUse.length > 0
        ? inUse
        : DEFAULTS
      : options.agents.split(",").map(named);
  if (options.private) await refuseShared(project, cwd);
  if (!existsSync(project.context.memoryFile)) await mustNotBeLeftOut(project.context.memoryFile);
  const wanted = distinct([
    ...(options.private ? [privateRule(files)] : []),
    ...gitEdits(project, launches),
    ...(options.vendor ? copyEdits(build) : []),
    ...[emptyMemory(project)].filter(({ path }) => !files.exists(path)),
    ...clients.flatMap((client) => clientEdits(client, launches, files)),
  ]).filter(({ what }) => options.hooks || what !== "hooks");
  const edits = await inCheckout(wanted, files);
  const steps = planInit(edits, files, { replaceOthers: options.force ?? false });
  terminal.print(`Project: ${project.folder} (${project.how})`);
  terminal.print(
    options.agents === undefined && inUse.length === 0
      ? `No files of an agent here: this sets up ${NAMES_OF_DEFAULTS}; --agents chooses others.`
      : whichAgents(clients, found),
  );
  if (options.dryRun) printDiffs(terminal, steps);
  const done = options.dryRun ? steps : await applyInit(steps, files);
  printSteps(terminal, done, (step) => `${verb(step, options.dryRun ?? false)}  ${step.what}`);
  if (changesOf(steps).length === 0) terminal.print("Nothing to change.");
  const updates = updatesOf(done);
  if (updates.length > 0 && !options.dryRun) {
    terminal.print("\nWhat was there before, and is now:");
    printDiffs(terminal, updates);
  }

  const isMissing = launches === DEVELOPMENT_DEPENDENCY && !isInstalled(project.folder);
  if (isMissing) terminal.note(`\n${context.spelt(withFix(cannotStart(files, options)))}`);
  terminal.print("\nStill to do:");
  for (const { name, asks } of clients) terminal.print(`  ${name}: ${asks}`);
  if (options.private)
    terminal.print("  The memory stays in this clone; doctor says what could remove it.");
  const changed = changesOf(steps).map(({ path }) => path);
  const isNowhere = isMissing && !files.exists("package.json");
  const needed = isNowhere ? context.spelt(serverToo(options)) : needs(launches);
  for (const text of await toShare(project.folder, changed, options.private ?? false))
    terminal.print(`  ${text}; a teammate then needs ${needed}.`);
  if (launches.startsCopy) terminal.print(`  ${reviewOf(files)}`);
  if (options.hooks && launches.here.hook === undefined)
    terminal.print("  Hooks were left out: --command does not say how to start them.");
  throwIfLeftAlone(done);
  return !options.dryRun && changed.length > 0;
}

/** The agents that are set up and those that are left out. @param found the file of each that shows it is in use. */
function whichAgents(
  clients: readonly Client[],
  found: ReadonlyMap<string, string | undefined>,
): string {
  const named = (some: readonly Client[]) =>
    some
      .map(({ name }) =>
        found.get(name) === undefined ? name : `${name} (found ${found.get(name)})`,
      )
      .join(", ");
  const others = CLIENTS.filter((client) => !clients.includes(client));
  return `Agents: ${named(clients)}.${others.length === 0 ? "" : ` Left out: ${named(others)}; --agents chooses.`}`;
}

/** Turns the session log on, reads the last days of this project, and shows the candidates. */
const DAY_ONE = [
  ["sessions", "on"],
  ["sessions", "capture", "--since", "30d", "--yes"],
  ["review"],
] as const;
const RECORD_ON =
  "Off until you say so: sentinel-memory sessions on keeps a private session log on this machine.";
const KEEP_A_LOG =
  "Keep a private session log of this project on this machine, with its last 30 days? Git never sees it.";

/** Asks where a person can be asked, and sessions were never recorded. */
async function wantsLog({ project, env, terminal, spelt }: CommandContext): Promise<boolean> {
  if ((await findLog(project.folder, env)).status !== "never") return false;
  if (terminal.isInteractive) return terminal.confirm(`\n${KEEP_A_LOG}`);
  terminal.print(spelt(`\n${RECORD_ON}`));
  return false;
}

/** What no agent's server can start without: the entries find the package from here upward. */
function cannotStart(files: ProjectFiles, options: InitOptions): Problem {
  const why = files.exists("package.json") ? "" : ", nor is there a package.json";
  const install = "npm install --save-dev with a package file in the repository";
  return {
    what: `warning: These entries cannot start the server yet: sentinel-memory is not installed here${why}.`,
    fix: options.private
      ? `${install}.`
      : `sentinel-memory init --vendor keeps the server in the repository, without npm; or ${install}.`,
  };
}

/** @throws SentinelError `bad_argument` for options that exclude each other. */
function chosenLaunches(
  { vendor, command, force, private: isPrivate }: InitOptions,
  files: ProjectFiles,
): Launches {
  if (vendor && (command !== undefined || isPrivate)) {
    const other = isPrivate
      ? "--private keeps .context/ out of git"
      : "--command starts another program";
    throw new SentinelError(
      "bad_argument",
      `--vendor shares the server through git, and ${other}.`,
      "Choose one.",
    );
  }
  if (vendor) {
    mustFitEntry(placeInRepository(files));
    return vendored(files);
  }
  return command === undefined && !force ? launchesInUse(files) : launchesFor(command);
}

function needs(launches: Launches): string {
  if (launches.startsCopy) return "git pull, and Node";
  if (launches === DEVELOPMENT_DEPENDENCY) return "git pull and npm install";
  return `git pull and the program that the entries start: ${launches.here.command}`;
}

/** Whoever changes the copy runs code on every teammate's machine. A blank in a path of CODEOWNERS has to be escaped. */
function reviewOf(files: ProjectFiles): string {
  const folder = join("/", placeInRepository(files), SERVER_FOLDER).slice(1).replaceAll(" ", "\\ ");
  return `Review changes of the server's copy as code; a line for CODEOWNERS: ${folder}/ @your-team`;
}

/** Where there is nothing to npm install. */
function serverToo(options: InitOptions): string {
  return options.private
    ? "npm install, once a package.json has sentinel-memory"
    : "the server too: sentinel-memory init --vendor puts it into the repository, without npm";
}

/** @throws SentinelError `not_private` when git tracks the memory already, or there is no repository to keep it from. */
async function refuseShared(
  { folder, context: { memoryFile } }: Project,
  cwd: string,
): Promise<void> {
  const tracked = await isTracked(relative(folder, memoryFile), folder);
  if (tracked === undefined) {
    await mustReadGit(folder);
    const fix = "Leave --private out, or call git init first.";
    throw new SentinelError(
      "not_private",
      `${folder} is not in a git repository, so its memory is not shared.`,
      fix,
    );
  }
  if (!tracked) return;
  const contextFolder = relative(cwd, dirname(memoryFile));
  throw new SentinelError(
    "not_private",
    `git tracks ${memoryFile}, so it is shared already; nothing was changed.`,
    `git rm -r --cached ${quoted(contextFolder)} && git commit, then call this again. A teammate's pull of that commit removes the file there; what was pushed stays in the history.`,
  );
}

/** How the files get to the team: nothing where git sees none of them. */
async function toShare(
  folder: string,
  changed: readonly string[],
  isPrivate: boolean,
): Promise<string[]> {
  // In a dry run the rule that keeps the memory private is not there yet.
  const shared = isPrivate
    ? changed.filter((path) => path !== EXCLUDE && !path.startsWith(`${CONTEXT_FOLDER}/`))
    : changed;
  if (shared.length === 0) return [];
  const seen = await seenBy(folder, shared);
  const refusal = seen ? undefined : await refusalOf(folder);
  if (refusal) return [`Commit these files once git reads this repository: ${refusal.fix}`];
  if (!seen) return ["Put these files into a git repository and commit them"];
  if (seen.length === 0) return [];
  return [seen.length === changed.length ? "Commit these files" : `Commit ${seen.join(", ")}`];
}

/** @throws SentinelError `bad_argument` for a name that is not a client's. */
function named(name: string): Client {
  const client = CLIENTS.find(({ id }) => id === name.trim());
  if (client) return client;
  const known = idsOf(CLIENTS).replaceAll(",", ", ");
  throw new SentinelError(
    "bad_argument",
    `There is no agent "${name}".`,
    `Choose from ${known}, separated by commas.`,
  );
}

function idsOf(clients: readonly Client[]): string {
  return clients.map(({ id }) => id).join(",");
}

function verb({ before, after }: Step, isTrial: boolean): string {
  if (before === after) return "unchanged ";
  if (isTrial) return before === undefined ? "would be created" : "would change";
  return before === undefined ? "created   " : "changed   ";
}
