/** The command line. Each command has a file, which adds the command to the program. */
import { Command, CommanderError } from "commander";
import { addDaemon } from "../../daemon/commands/daemon.ts";
import type { DaemonSurroundings } from "../../daemon/terminal/surroundings.ts";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { findProject, type Project, type ProjectHints } from "../../ground/project/find-project.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import type { Surroundings } from "../../ground/terminal/command.ts";
import { safeLines } from "../../ground/terminal/layout.ts";
import { spellCommands } from "../../ground/terminal/shell.ts";
import { Terminal } from "../../ground/terminal/terminal.ts";
import { addCompact } from "../../lessons/commands/compact.ts";
import { addDiff } from "../../lessons/commands/diff.ts";
import { addForget } from "../../lessons/commands/forget.ts";
import { addHistory } from "../../lessons/commands/history.ts";
import { addExport, addList } from "../../lessons/commands/list.ts";
import { addPurge } from "../../lessons/commands/purge.ts";
import { addRestore } from "../../lessons/commands/restore.ts";
import { addSearch } from "../../lessons/commands/search.ts";
import { addShow } from "../../lessons/commands/show.ts";
import { addWhy } from "../../lessons/commands/why.ts";
import { addAdd, addEdit } from "../../lessons/commands/write.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { addContext } from "../../sessions/commands/context.ts";
import { addDecisions } from "../../sessions/commands/decisions.ts";
import { addPin } from "../../sessions/commands/pin.ts";
import { addTasks } from "../../sessions/commands/tasks.ts";
import { isRecorded } from "../../sessions/consent/find-log.ts";
import { mustNameSomething } from "./blank-names.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { addCheck } from "./commands/check.ts";
import { addConfig } from "./commands/config.ts";
import { addDigest } from "./commands/digest.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addImport } from "./commands/import.ts";
import { addInit } from "./commands/init.ts";
import { addMine } from "./commands/mine.ts";
import { addReview } from "./commands/review.ts";
import { addSessions } from "./commands/sessions.ts";
import { addUninstall } from "./commands/uninstall.ts";
import { addView } from "./commands/view.ts";
import { addHelp } from "./help.ts";
import { completeHelp } from "./help-pages.ts";
import { refuseUnknownCommands } from "./unknown-command.ts";

/** The groups of commands, in the order of the help. */
const GROUPS: readonly { readonly heading: string; readonly commands: readonly AddCommand[] }[] = [
  {
    heading: "Lessons:",
    commands: [
      addSearch,
      addList,
      addShow,
      addWhy,
      addAdd,
      addEdit,
      addForget,
      addRestore,
      addPurge,
      addExport,
      addImport,
    ],
  },
  {
    heading: "Review:",
    commands: [addMine, addView, addReview, addDiff, addCompact, addCheck, addHistory],
  },
  {
    heading: "Session log:",
    commands: [addSessions, addContext, addDecisions, addTasks, addPin],
  },
  {
    heading: "Set-up:",
    commands: [addInit, addDoctor, addDigest, addConfig, addUninstall, addDaemon],
  },
];

/** Commands that only `help --all` lists. */
const ADVANCED: readonly string[] = [
  "restore",
  "purge",
  "export",
  "import",
  "check",
  "history",
  "digest",
  "config",
  "uninstall",
  "daemon",
];
/** Commands that have nothing to show without a session log. */
const OF_SESSION_LOG: readonly string[] = ["context", "decisions", "tasks", "pin"];

export interface Start extends Pick<Surroundings, "env" | "cwd" | "build"> {
  /** The path of Node, the path of the script, and the arguments. */
  readonly argv: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  readonly version: string;
  readonly openEvents: CommandContext["openEvents"];
  readonly loadDaemon: DaemonSurroundings["loadDaemon"];
  readonly loadViewer: CommandContext["loadViewer"];
  readonly openStores: (project: Project) => {
    readonly lessons: LessonStore;
    readonly readPrivacy: ReadPrivacy;
  };
}

/** Runs the given command. @returns the exit status: 0 for success, 1 for wrong usage or a failure, 130 if it was interrupted. */
export async function runCommand(start: Start): Promise<number> {
  const { program, terminal } = createProgram(start);
  try {
    await program.parseAsync(start.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof SentinelError)) throw error;
    // An error may quote stored text.
    terminal.note(
      `error ${error.code}: ${safeLines(error.message, "  ")}\nfix: ${safeLines(error.fix, "  ")}`,
    );
    return 1;
  } finally {
    await terminal.flush();
  }
}

/** Returns the program with all its commands, before it parses arguments. @internal */
export function createProgram(start: Start): { program: Command; terminal: Terminal } {
  const { argv, env, cwd, build, openEvents, openStores, loadDaemon, loadViewer } = start;
  const program = rootCommand(start.version);
  const spelt = (text: string) => {
    const { project } = program.opts();
    return spellCommands(text, { script: argv[1] ?? "", cwd, path: env.PATH, project });
  };
  const terminal = new Terminal(start.input, start.output, start.errors, spelt);
  const here: DaemonSurroundings = { terminal, env, cwd, build, spelt, loadDaemon };
  const openFor = (hints: Pick<ProjectHints, "build">) => (): CommandContext => {
    const project = findCommandProject({ flag: program.opts().project, env, cwd, ...hints });
    const { lessons, readPrivacy } = openStores(project);
    return { ...here, project, lessons, readPrivacy, openEvents, loadViewer };
  };
  const open = openFor({ build });
  // A server copy can set up other projects, too.
  const openHere = openFor({});
  addHelp(program, (name) => {
    if (OF_SESSION_LOG.includes(name)) return isRecordedHere(program.opts().project, start);
    return !ADVANCED.includes(name);
  });
  for (const { heading, commands } of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, add === addInit ? openHere : open, here);
  }
  completeHelp(program, spelt);
  refuseUnknownCommands(program);
  program.hook("preAction", (_, command) => mustNameSomething(command));
  return { program, terminal };
}

function rootCommand(version: string): Command {
  return new Command("sentinel-memory")
    .description(
      "A project memory for coding agents. Without a command it runs the MCP server on standard input and output.",
    )
    .version(version)
    .option("--project <dir>", "the project's folder (default: found from the working directory)")
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error:/, "error bad_argument:")),
    })
    .showHelpAfterError("fix: See the same command with --help for its arguments and options.")
    .exitOverride();
}

/** Whether sessions of the project are recorded. False without a project. */
const isRecordedHere = (flag: string | undefined, { env, cwd, build }: Start): boolean =>
  tryOr(() => isRecorded(findProject({ flag, env, cwd, build }).folder, env), false);

/** Finds the project for a command. @throws SentinelError `no_project`, with a fix for the command line. */
function findCommandProject(hints: ProjectHints): Project {
  try {
    return findProject(hints);
  } catch (error) {
    if (!(error instanceof SentinelError) || error.code !== "no_project") throw error;
    const fix =
      "Run the command in the project's folder, or name that folder with --project DIR or SENTINEL_PROJECT.";
    throw new SentinelError("no_project", error.message, fix);
  }
}
