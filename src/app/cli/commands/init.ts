import { existsSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { join } from "node:path/posix";
import { Option } from "commander";
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
import { quoted } from "../../../ground/files/paths.ts";
import {
  CONTEXT_FOLDER,
  LOCAL_FILES,
  SERVER_FILE,
  SERVER_FOLDER,
} from "../../../ground/project/context-folder.ts";
import type { Project } from "../../../ground/project/find-project.ts";
import {
  isTracked,
  mustReadGit,
  refusalOf,
  seenBy,
  uncommittedOf,
} from "../../../ground/project/git.ts";
import { EXCLUDE } from "../../../ground/project/git-files.ts";
import { mustNotBeLeftOut } from "../../../ground/project/not-checked-out.ts";
import { spellCommands } from "../../../ground/terminal/shell.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { apply, changesOf, planInit, type Step } from "../../setup/plan.ts";
import {
  clientEdits,
  distinct,
  emptyMemory,
  gitEdits,
  inCheckout,
  isDependency,
  isInstalled,
  launchesInUse,
  placeInRepository,
  privateRule,
  signOf,
  vendored,
} from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { COPY_PATH, COPY_SUMS, planCopy } from "../../setup/server-copy.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../print.ts";

const IDS = CLIENTS.map(({ id }) => id).join(",");
const AGENTS = `set up these agents: ${IDS} (default: those with files here, or claude)`;
const COPY_ANYWAY = "keep a copy even if the project depends on the package";

interface InitOptions {
  readonly agents?: string;
  readonly hooks: boolean;
  readonly command?: string;
  readonly vendor?: boolean;
  readonly force?: boolean;
  readonly private?: boolean;
  readonly dryRun?: boolean;
}

export const addInit: AddSessionCommand = (program, open) => {
  program
    .command("init")
    .description("set up the project for its agents, with a copy of the server in .context/server")
    .option("--agents <names>", AGENTS)
    .option("--no-hooks", "leave out the hooks that show lessons and remind agents to log")
    .option("--command <text>", "start the server with this command line instead of a copy")
    .addOption(new Option("--vendor", COPY_ANYWAY).conflicts("command"))
    .option("--private", "keep the memory in this clone only: git ignores it")
    .option(
      "--force",
      "replace existing entries of the same name that differ, and a changed copy of the server",
    )
    .option("--dry-run", "show the changes without making them")
    .action(async (options) => {
      const context = open();
      if (!(await init(context, options))) {
        return;
      }
      for (const command of DAY_ONE) {
        await program.parseAsync(["--project", context.project.folder, ...command], {
          from: "user",
        });
      }
    });
};

/** Adds our parts to the project's files. @returns whether the user wants a session log now. */
async function init(context: SessionCommandContext, options: InitOptions): Promise<boolean> {
  const { project, terminal } = context;
  const { dryRun = false, private: isPrivate = false } = options;
  const { memoryFile } = project.context;
  const files = new ProjectFiles(project.folder);
  const launches = chosenLaunches(options, files);
  if (isPrivate) {
    await refuseShared(project, context.cwd);
  }
  if (!existsSync(memoryFile)) {
    await mustNotBeLeftOut(memoryFile);
  }
  const clients = chosenClients(context, options, files);
  const steps = await planFor(context, files, launches, clients, options);
  if (dryRun) {
    printDiffs(terminal, steps);
  }
  const done = dryRun ? steps : await apply(steps, files);
  printSteps(terminal, done, dryRun);
  if (done.every(({ before, after, problem }) => before === after && !problem)) {
    terminal.print("Nothing to change.");
  }
  if (options.hooks && launches.hook === undefined) {
    terminal.print("Hooks were left out: --command does not say how to start them.");
  }
  if (launches === DEVELOPMENT_DEPENDENCY && !isInstalled(files.folder)) {
    terminal.note(CANNOT_START);
  }
  if (!dryRun) {
    if (options.command !== undefined) {
      noteCommand(project, options.command);
    }
    await printStillToDo(context, files, { clients, launches, steps: done, isPrivate });
  }
  throwIfLeftAlone(done);
  const hasChanged = !dryRun && changesOf(done).length > 0;
  return hasChanged && wantsLog(context, files, launches);
}

/** Plans the steps of this init, except for files that a sparse checkout leaves out. */
async function planFor(
  { project, build }: SessionCommandContext,
  files: ProjectFiles,
  launches: Launches,
  clients: readonly Client[],
  options: InitOptions,
): Promise<Step[]> {
  const { force = false } = options;
  const edits = options.private ? [privateRule(files)] : [];
  edits.push(...gitEdits(project, launches));
  const memory = emptyMemory(project);
  if (!files.exists(memory.path)) {
    edits.push(memory);
  }
  edits.push(...clientEdits(clients, launches, files));
  const wanted = distinct(edits).filter(({ what }) => options.hooks || what !== "hooks");
  const steps = planInit(await inCheckout(wanted, files), files, force);
  const program = { path: `${SERVER_FOLDER}/${SERVER_FILE}` };
  const isCopied = launches.startsCopy && (await inCheckout([program], files)).length > 0;
  return isCopied ? [planCopy(files, build, force), ...steps] : steps;
}

/** Returns the agents to set up: the chosen ones, those in use, or Claude Code. Prints the choice and the reason. */
function chosenClients(
  { project, terminal }: SessionCommandContext,
  { agents }: InitOptions,
  files: ProjectFiles,
): readonly Client[] {
  terminal.print(`Project: ${project.folder} (${project.how})`);
  const inUse = CLIENTS.filter((client) => signOf(client, files) !== undefined);
  if (agents === undefined && inUse.length === 0) {
    terminal.print("No files of an agent here: this sets up Claude Code; --agents chooses others.");
    return [named("claude")];
  }
  const clients = agents === undefined ? inUse : agents.split(",").map(named);
  const others = CLIENTS.filter((client) => !clients.includes(client));
  terminal.print(`Agents: ${agentsInWords(clients, files)}.`);
  if (others.length > 0) {
    terminal.print(`Left out: ${agentsInWords(others, files)}; --agents chooses.`);
  }
  return clients;
}

/** Lists agents, each with the file that shows it's in use. */
function agentsInWords(clients: readonly Client[], files: ProjectFiles): string {
  const words = clients.map((client) => {
    const sign = signOf(client, files);
    return sign === undefined ? client.name : `${client.name} (found ${sign})`;
  });
  return words.join(", ");
}

/** Stores the chosen command line on this machine, because `doctor` starts no other program. */
function noteCommand({ context }: Project, command: string): void {
  writeFileSync(localFileToWrite(context.local, LOCAL_FILES.command), command);
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
async function wantsLog(
  context: SessionCommandContext,
  files: ProjectFiles,
  launches: Launches,
): Promise<boolean> {
  const { project, env, terminal } = context;
  if ((await findLog(project.folder, env)).status !== "never") {
    return false;
  }
  if (terminal.isInteractive) {
    return terminal.confirm(`\n${KEEP_A_LOG}`);
  }
  const command = commandToPaste(context, files, launches, "sessions on");
  terminal.print(`\nOptional: ${command} keeps a private session log on this machine.`);
  return false;
}

const CANNOT_START =
  "\nwarning: These entries cannot start the server yet: package.json lists sentinel-memory, and it is not installed here.\n" +
  "fix: npm install; or sentinel-memory init --vendor keeps a copy of the server in the repository instead.";

/**
 * Returns the launches that the options choose. By default, keeps those in use. Without any in use, uses the project's dependency on
 * the package, or else a copy. @throws SentinelError `bad_argument`, `bad_place`.
 */
function chosenLaunches({ vendor, command, force }: InitOptions, files: ProjectFiles): Launches {
  if (command !== undefined) {
    return launchesFor(command);
  }
  const inUse: Launches = force ? DEVELOPMENT_DEPENDENCY : launchesInUse(files);
  const isOther = inUse !== DEVELOPMENT_DEPENDENCY || isDependency(files);
  if (isOther && !vendor && !inUse.startsCopy) {
    return inUse;
  }
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
  if (!tracked) {
    return;
  }
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
  if (client) {
    return client;
  }
  throw new SentinelError(
    "bad_argument",
    `There is no agent "${name}".`,
    `Choose from ${IDS.replaceAll(",", ", ")}, separated by commas.`,
  );
}

/** The changes that init made. */
interface Done {
  readonly clients: readonly Client[];
  readonly launches: Launches;
  readonly steps: readonly Step[];
  readonly isPrivate: boolean;
}

/** Lists the approvals, the review and the commit that you still have to do, then the command that checks the setup. */
async function printStillToDo(
  context: SessionCommandContext,
  files: ProjectFiles,
  done: Done,
): Promise<void> {
  const { clients, launches, steps, isPrivate } = done;
  const lines = clients.map(({ name, asks }) => `${name}: ${asks}`);
  if (changesOf(steps).some(isOfCopy) && !isPrivate) {
    lines.push(reviewOf(files));
  }
  lines.push(...(await sharing(context, files, done)));
  lines.push("Check the set-up:", `  ${commandToPaste(context, files, launches, "doctor")}`);
  context.terminal.print(["\nStill to do:", ...lines].join("\n  "));
}

const isOfCopy = ({ path }: Step): boolean => path === COPY_PATH;

/** Returns one of our commands, ready to paste. If the project has a server copy, the command runs that copy. */
function commandToPaste(
  { cwd, env, spelt }: SessionCommandContext,
  { folder }: ProjectFiles,
  { startsCopy }: Launches,
  command: string,
): string {
  const text = `sentinel-memory ${command}`;
  if (!startsCopy) {
    return spelt(text);
  }
  const script = resolve(folder, SERVER_FOLDER, SERVER_FILE);
  const project = relative(cwd, folder) || undefined;
  return spellCommands(text, { script, cwd, path: env.PATH, project });
}

/** Suggests a review, because a change of the copy runs on every teammate's machine. CODEOWNERS needs a backslash before a space in a path. */
function reviewOf(files: ProjectFiles): string {
  const folder = join("/", placeInRepository(files), SERVER_FOLDER).slice(1).replaceAll(" ", "\\ ");
  return `Review changes of the server's copy as code. A line for CODEOWNERS: ${folder}/ @your-team`;
}

/** Explains how to share the files of this init that aren't committed. */
async function sharing(
  { cwd, project }: SessionCommandContext,
  files: ProjectFiles,
  { launches, steps, isPrivate }: Done,
): Promise<string[]> {
  const { folder } = files;
  const done = steps.filter(({ problem }) => !problem);
  const written = done.map((step) => (isOfCopy(step) ? COPY_SUMS : step.path));
  const all = new Set([...written, emptyMemory(project).path]);
  const paths = [...all].filter((path) => path !== EXCLUDE && files.exists(path));
  const seen = await seenBy(folder, paths);
  if (seen === undefined) {
    const refusal = await refusalOf(folder);
    return [
      refusal
        ? `Commit these files once git reads this repository: ${refusal.fix}`
        : "Put these files into a git repository and commit them.",
    ];
  }
  const uncommitted = (await uncommittedOf(folder, placeInRepository(files), seen)).filter(
    ({ path, isNew }) => isNew || written.includes(path),
  );
  // With a private memory, the copy isn't shared and git may not ignore it yet.
  const shared = isPrivate
    ? uncommitted.filter(({ path }) => !path.startsWith(`${CONTEXT_FOLDER}/`))
    : uncommitted;
  const lines = isPrivate ? ["The memory stays in this clone. doctor names the risks."] : [];
  if (shared.length === 0) {
    return lines;
  }
  const names = shared.map(({ path }) => quoted(path === COPY_SUMS ? SERVER_FOLDER : path));
  const isCopyIgnored = paths.includes(COPY_SUMS) && !seen.includes(COPY_SUMS);
  if (isCopyIgnored || (isPrivate && launches.startsCopy)) {
    lines.push(`Don't commit ${names.join(", ")}: git ignores the server's copy, which they need.`);
    return lines;
  }
  const place = relative(cwd, folder);
  const git = place === "" ? "git" : `git -C ${quoted(place)}`;
  const message = shared.some(({ isNew }) => isNew) ? "Set up" : "Update";
  lines.push(
    `Commit these files. A teammate then needs only ${needs(launches)}:`,
    `  ${git} add ${names.join(" ")} && ${git} commit -m "${message} Sentinel Memory"`,
  );
  return lines;
}

function needs(launches: Launches): string {
  if (launches.startsCopy) {
    return "git pull and Node";
  }
  if (launches === DEVELOPMENT_DEPENDENCY) {
    return "git pull and npm install";
  }
  return `git pull and the program that the entries start, ${launches.here.command}`;
}
