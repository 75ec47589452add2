/** The command line. Each command has a file, which adds the command to the program. */
import { Command, CommanderError, Help, type Option } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { addDaemon } from "../../daemon/commands/daemon.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { findProject, type ProjectHints } from "../../ground/project/find-project.ts";
import type { Surroundings } from "../../ground/terminal/command.ts";
import { safeLines } from "../../ground/terminal/layout.ts";
import { spellCommands } from "../../ground/terminal/shell.ts";
import { Terminal } from "../../ground/terminal/terminal.ts";
import { addDiff } from "../../lessons/commands/diff.ts";
import { addExport } from "../../lessons/commands/export.ts";
import { addHistory } from "../../lessons/commands/history.ts";
import { addCompact, addList } from "../../lessons/commands/list.ts";
import { addForget, addPurge } from "../../lessons/commands/remove.ts";
import { addRestore } from "../../lessons/commands/restore.ts";
import { addSearch } from "../../lessons/commands/search.ts";
import { addShow } from "../../lessons/commands/show.ts";
import { addWhy } from "../../lessons/commands/why.ts";
import { addAdd, addEdit } from "../../lessons/commands/write.ts";
import { addContext } from "../../sessions/commands/context.ts";
import { addDecisions, addTasks } from "../../sessions/commands/ledger.ts";
import { addPin } from "../../sessions/commands/pin.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../sessions/terminal/project-log.ts";
import { openEvents, openStores } from "../stores.ts";
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
import { completeHelp } from "./help-pages.ts";

/** The groups of commands, in the order of the help. */
const GROUPS: readonly {
  readonly heading: string;
  readonly commands: readonly AddSessionCommand[];
}[] = [
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

const EXIT_STATUSES = `
Exit status:
  0  done
  1  wrong usage, a failure, or something that check or doctor reports as
     broken. Standard error says what happened and what to do

Output fits the terminal's width and uses colours. In a pipe it has no colours
and is not cut. NO_COLOR turns colours off everywhere.`;

export interface Start extends Pick<Surroundings, "env" | "cwd" | "build"> {
  /** The path of Node, the path of the script, and the arguments. */
  readonly argv: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
}

/** Runs the given command. @returns the exit status: 0 for success, 1 for wrong usage or a failure, 130 if it was interrupted. */
export async function runCommand(start: Start): Promise<number> {
  const { program, terminal } = createProgram(start);
  try {
    await program.parseAsync(start.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode;
    }
    if (!(error instanceof SentinelError)) {
      throw error;
    }
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
  const { argv, env, cwd, build } = start;
  const program = rootCommand();
  const spelt = (text: string) => {
    const { project } = program.opts();
    return spellCommands(text, { script: argv[1] ?? "", cwd, path: env.PATH, project });
  };
  const terminal = new Terminal(start.input, start.output, start.errors, spelt);
  const here: Surroundings = { terminal, env, cwd, build, spelt };
  const openFor = (hints: Pick<ProjectHints, "build">) => (): SessionCommandContext => {
    const project = findProject({ flag: program.opts().project, env, cwd, ...hints });
    return { ...here, project, ...openStores(project), openEvents };
  };
  const open = openFor({ build });
  // A server copy can set up other projects, too.
  const openHere = openFor({});
  for (const { heading, commands } of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) {
      add(program, add === addInit ? openHere : open, here);
    }
  }
  // This puts `help` into the last group.
  program.helpCommand(true);
  completeHelp(program, spelt);
  program.hook("preAction", (_, command) => mustNameSomething(command));
  return { program, terminal };
}

function rootCommand(): Command {
  return new Command("sentinel-memory")
    .description(
      "A project memory for coding agents. Without a command it runs the MCP server on standard input and output.",
    )
    .version(packageJson.version)
    .option("--project <dir>", "the project's folder (default: found from the working directory)")
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error:/, "error bad_argument:")),
    })
    .configureHelp({ optionDescription })
    .addHelpText("after", EXIT_STATUSES)
    .showHelpAfterError("fix: See the same command with --help for its arguments and options.")
    .exitOverride();
}

function optionDescription(this: Help, option: Option): string {
  const text = Help.prototype.optionDescription.call(this, option);
  return option.mandatory ? `${text} (required)` : text;
}

/** Arguments and options that accept any text, by their names in the help. Their commands validate them. */
const FREE_TEXTS: readonly string[] = ["text", "query", "what"];

/**
 * Refuses blank ids, file names and the like before a command runs. In a script, an unset variable
 * such as `$ID` would pass one. @throws SentinelError `bad_argument`.
 */
function mustNameSomething(command: Command): void {
  const given = new Map<string, unknown>();
  for (const [at, argument] of command.registeredArguments.entries()) {
    given.set(argument.name(), command.processedArgs[at]);
  }
  for (let level: Command | null = command; level; level = level.parent) {
    for (const option of level.options) {
      given.set(option.flags, level.getOptionValue(option.attributeName()));
    }
  }
  for (const [name, value] of given) {
    const [, kind = name] = /<(\w+)>/.exec(name) ?? [];
    if (FREE_TEXTS.includes(kind) || !isBlank(value)) {
      continue;
    }
    const what = `${name} is blank, so nothing was done.`;
    const fix = "Give it a value, or leave it out if it is optional. For its meaning see --help.";
    throw new SentinelError("bad_argument", what, fix);
  }
}

/** Whether a value is blank. A list is blank if any of its values is. */
function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some(isBlank);
  }
  return typeof value === "string" && value.trim() === "";
}
