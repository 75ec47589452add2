import { existsSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Client } from "../../../ground/clients/client.ts";
import { CLIENTS } from "../../../ground/clients/clients.ts";
import {
  DEVELOPMENT_DEPENDENCY,
  type Launches,
  launchesFor,
  mustFitEntry,
} from "../../../ground/clients/launch.ts";
import { SentinelError } from "../../../ground/core/errors.ts";
import { localFileToWrite } from "../../../ground/files/local-folder.ts";
import { LOCAL_FILES } from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import { isTracked, mustReadGit } from "../../../ground/project/git.ts";
import { mustNotBeLeftOut } from "../../../ground/project/not-checked-out.ts";
import { quoted } from "../../../ground/terminal/shell.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import { applyInit, changesOf, updatesOf } from "../../setup/apply.ts";
import { signOf } from "../../setup/client-signs.ts";
import { withCreatedList } from "../../setup/created-list.ts";
import type { Edit } from "../../setup/edits/edit.ts";
import { privateRule } from "../../setup/edits/exclude-rule.ts";
import { isDependency, isInstalled } from "../../setup/installed.ts";
import { planInit } from "../../setup/plan.ts";
import {
  clientEdits,
  distinct,
  emptyMemory,
  gitEdits,
  inCheckout,
} from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { copyEdits, examineCopy, isInCopy, keepChangedCopy } from "../../setup/server-copy.ts";
import { launchesInUse, placeInRepository, vendored } from "../../setup/server-entry.ts";
import type { Step } from "../../setup/step.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../steps.ts";
import { commandToPaste, printStillToDo } from "../still-to-do.ts";

/** The agents to set up if none is in use yet. */
const DEFAULTS = CLIENTS.filter(({ id }) => id === "claude");

const NAMES_OF_DEFAULTS = DEFAULTS.map(({ name }) => name).join(" and ");
const AGENTS = `set up these agents: ${idsOf(CLIENTS)} (default: those with files here, or ${idsOf(DEFAULTS)})`;

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
    .description("set up the project for its agents, with a copy of the server in .context/server")
    .option("--agents <names>", AGENTS)
    .option("--no-hooks", "leave out the hooks that show lessons and remind agents to log")
    .option("--command <text>", "start the server with this command line instead of a copy")
    .option("--vendor", "keep a copy even if the project depends on the package")
    .option("--private", "keep the memory in this clone only: git ignores it")
    .option(
      "--force",
      "replace existing entries of the same name that differ, and a changed copy of the server",
    )
    .option("--dry-run", "show the changes without making them")
    .action(async (options) => {
      const context = open();
      const setup = await init(context, options);
      if (!setup || !(await wantsLog(context, setup))) return;
      for (const command of DAY_ONE)
        await program.parseAsync(["--project", context.project.folder, ...command], {
          from: "user",
        });
    });
};

/** The project's files, and how its entries start the server now. */
interface Setup {
  readonly files: ProjectFiles;
  readonly launches: Launches;
}

/** Adds our parts to the project's files. @returns undefined if it changed nothing. */
async function init(context: CommandContext, options: InitOptions): Promise<Setup | undefined> {
  const { project, terminal } = context;
  const { dryRun = false } = options;
  const files = new ProjectFiles(project.folder);
  const setup = { files, launches: chosenLaunches(options, files) };
  await mustBeAllowed(context, options);
  const clients = chosenClients(context, options, files);
  const steps = await planFor(context, setup, clients, options);
  if (dryRun) printDiffs(terminal, steps);
  const done = dryRun ? steps : await applyInit(steps, files);
  printDone(context, setup, done, options);
  if (!dryRun) {
    if (options.command !== undefined) noteCommand(project, options.command);
    printUpdates(context, done);
    const { private: isPrivate = false } = options;
    await printStillToDo(context, files, { ...setup, clients, steps: done, isPrivate });
  }
  throwIfLeftAlone(done);
  const hasChanged = !dryRun && changesOf(done).length > 0;
  return hasChanged ? setup : undefined;
}

/** @throws SentinelError `not_private`, `not_checked_out`. */
async function mustBeAllowed({ project, cwd }: CommandContext, options: InitOptions) {
  const { memoryFile } = project.context;
  if (options.private) await refuseShared(project, cwd);
  if (!existsSync(memoryFile)) await mustNotBeLeftOut(memoryFile);
}

/** Plans the steps of this init. A modified server copy is kept, unless you force the update. */
async function planFor(
  context: CommandContext,
  setup: Setup,
  clients: readonly Client[],
  options: InitOptions,
): Promise<Step[]> {
  const { files } = setup;
  const { force = false } = options;
  const edits = await editsFor(context, setup, clients, options);
  const planned = planInit(edits, files, { replaceOthers: force });
  const copy = force ? undefined : examineCopy(files, context.build);
  return withCreatedList(keepChangedCopy(planned, copy), files);
}

/** Prints the outcome of each step, and the problems that remain. */
function printDone(
  context: CommandContext,
  setup: Setup,
  done: readonly Step[],
  { hooks, dryRun = false }: InitOptions,
): void {
  const { terminal } = context;
  printSteps(terminal, done, (step) => `${verb(step, dryRun)}  ${step.what}`);
  if (done.every(({ before, after, problem }) => before === after && !problem))
    terminal.print("Nothing to change.");
  if (hooks && setup.launches.here.hook === undefined)
    terminal.print("Hooks were left out: --command does not say how to start them.");
  const isCopyKept = done.some(({ path, problem }) => isInCopy(path) && problem);
  if (!isCopyKept) warnOfProgram(context, setup);
}

/** Returns the agents to set up: the chosen ones, those in use, or the default. Prints the choice and the reason. */
function chosenClients(
  { project, terminal }: CommandContext,
  { agents }: InitOptions,
  files: ProjectFiles,
): readonly Client[] {
  const found = new Map(CLIENTS.map((client) => [client.name, signOf(client, files)]));
  const inUse = CLIENTS.filter(({ name }) => found.get(name) !== undefined);
  terminal.print(`Project: ${project.folder} (${project.how})`);
  if (agents === undefined && inUse.length === 0) {
    terminal.print(
      `No files of an agent here: this sets up ${NAMES_OF_DEFAULTS}; --agents chooses others.`,
    );
    return DEFAULTS;
  }
  const clients = agents === undefined ? inUse : agents.split(",").map(named);
  terminal.print(whichAgents(clients, found));
  return clients;
}

/** Stores the chosen command line on this machine, because `doctor` starts no other program. */
function noteCommand({ context }: Project, command: string): void {
  writeFileSync(localFileToWrite(context.local, LOCAL_FILES.command), command);
}

/** Returns the edits of this init, except for files that a sparse checkout leaves out. */
async function editsFor(
  { project, build }: CommandContext,
  { files, launches }: Setup,
  clients: readonly Client[],
  options: InitOptions,
) {
  const edits: Edit[] = [];
  if (options.private) edits.push(privateRule(files));
  edits.push(...gitEdits(project, launches));
  if (launches.startsCopy) edits.push(...copyEdits(build));
  const memory = emptyMemory(project);
  if (!files.exists(memory.path)) edits.push(memory);
  edits.push(...clientEdits(clients, launches, files));
  const wanted = distinct(edits).filter(({ what }) => options.hooks || what !== "hooks");
  return inCheckout(wanted, files);
}

/** Warns if the package that the entries start is missing, or if the copy was modified. */
function warnOfProgram({ terminal, build }: CommandContext, { files, launches }: Setup): void {
  if (launches === DEVELOPMENT_DEPENDENCY && !isInstalled(files.folder))
    terminal.note(CANNOT_START);
  const copy = launches.startsCopy && examineCopy(files, build);
  if (copy && copy.status === "broken") terminal.note(`\nwarning: ${copy.what}\nfix: ${copy.fix}`);
}

/** Prints the changes to parts of ours that already existed. */
function printUpdates({ terminal }: CommandContext, done: readonly Step[]): void {
  const updates = updatesOf(done);
  if (updates.length === 0) return;
  terminal.print("\nWhat was there before, and is now:");
  printDiffs(terminal, updates);
}

/** Lists the agents that are set up and those that are left out. @param found for each agent, the file that shows it's in use. */
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

/** The commands that turn the session log on, read the last days of this project, and show the candidates. */
const DAY_ONE = [
  ["sessions", "on"],
  ["sessions", "capture", "--since", "30d", "--yes"],
  ["review"],
] as const;
const KEEP_A_LOG =
  "Keep a private session log of this project on this machine, with its last 30 days? Git never sees it.";

/** Asks whether to record sessions, if they never were. Without a terminal it prints the command. */
async function wantsLog(context: CommandContext, { files, launches }: Setup): Promise<boolean> {
  const { project, env, terminal } = context;
  if ((await findLog(project.folder, env)).status !== "never") return false;
  if (terminal.isInteractive) return terminal.confirm(`\n${KEEP_A_LOG}`);
  const command = commandToPaste(context, files, launches, "sessions on");
  terminal.print(`\nOptional: ${command} keeps a private session log on this machine.`);
  return false;
}

const CANNOT_START =
  "\nwarning: These entries cannot start the server yet: package.json lists sentinel-memory, and it is not installed here.\n" +
  "fix: npm install; or sentinel-memory init --vendor keeps a copy of the server in the repository instead.";

/**
 * Returns the launches that the options choose. By default, keep those in use. If there are none, use the project's dependency on
 * the package, or else a copy. @throws SentinelError `bad_argument` for options that exclude each other, `bad_place`.
 */
function chosenLaunches({ vendor, command, force }: InitOptions, files: ProjectFiles): Launches {
  if (vendor && command !== undefined)
    throw new SentinelError(
      "bad_argument",
      "--vendor keeps a copy of the server, and --command starts another program.",
      "Choose one.",
    );
  if (command !== undefined) return launchesFor(command);
  const inUse: Launches = force ? DEVELOPMENT_DEPENDENCY : launchesInUse(files);
  const isOther = inUse !== DEVELOPMENT_DEPENDENCY || isDependency(files);
  if (isOther && !vendor && !inUse.startsCopy) return inUse;
  mustFitEntry(placeInRepository(files));
  return vendored(files);
}

/** Refuses a private memory that can't be private. @throws SentinelError `not_private` if git already tracks the memory, or there is no repository. */
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
    `git rm -r --cached ${quoted(contextFolder)} && git commit, then call this again. A teammate's pull of that commit removes their file too. Pushed lessons stay in the history.`,
  );
}

/** Finds a client by its name. @throws SentinelError `bad_argument` for an unknown name. */
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
  if (after === undefined) return isTrial ? "would be removed" : "removed   ";
  if (isTrial) return before === undefined ? "would be created" : "would change";
  return before === undefined ? "created   " : "changed   ";
}
