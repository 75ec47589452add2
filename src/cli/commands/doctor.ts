import { SentinelError } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import type { Check, CheckContext, Diagnosis, Status } from "../../doctor/diagnosis.ts";
import { checkGit } from "../../doctor/git.ts";
import { checkInitFiles } from "../../doctor/init-files.ts";
import { checkLeftovers } from "../../doctor/leftovers.ts";
import { checkMemory } from "../../doctor/memory.ts";
import { checkNode } from "../../doctor/node.ts";
import { checkPackage } from "../../doctor/package.ts";
import { checkPolicy } from "../../doctor/policy.ts";
import { checkProject } from "../../doctor/project.ts";
import { checkRecord } from "../../doctor/record.ts";
import { checkServers } from "../../doctor/servers.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { pasteable, programOf } from "../../setup/shell.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { json } from "../terminal/layout.ts";

const CHECKS: readonly Check[] = [
  checkNode,
  checkProject,
  checkPackage,
  checkServers,
  checkInitFiles,
  checkMemory,
  checkPolicy,
  checkLeftovers,
  checkGit,
  checkRecord,
];

interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

export const addDoctor: AddCommand = (program, open) => {
  program
    .command("doctor")
    .description("check the setup, start each agent's server, and explain how to fix what fails")
    .option("--fix", "repair what can be repaired without risk")
    .option("--json", "print the results as a JSON array")
    .action((options) => {
      const context = open();
      const { script, cwd, env } = context;
      const start = { script, cwd, path: env.PATH, project: program.opts().project };
      const names = program.commands.map((command) => command.name());
      return doctor(context, options, (text) => pasteable(text, programOf(start), names));
    });
};

/** @param spelt rewrites the commands in a text as this person can type them. */
async function doctor(
  { project, terminal, env, cwd, programs }: CommandContext,
  options: DoctorOptions,
  spelt: (text: string) => string,
): Promise<void> {
  const context: CheckContext = { project, files: new ProjectFiles(project.folder), env, cwd, programs };
  const found: Diagnosis[] = [];
  let fixed = 0;
  for (const check of CHECKS) {
    for (const diagnosis of await check(context)) {
      const after = options.fix ? await repaired(diagnosis) : diagnosis;
      if (diagnosis.repair && after.status === "ok") fixed += 1;
      const result = { ...after, ...(after.fix !== undefined && { fix: spelt(after.fix) }) };
      found.push(result);
      if (!options.json) terminal.print(inText(result));
    }
  }
  if (options.fix && !options.json) terminal.print(summary(fixed, found));
  if (options.json) terminal.print(json(found.map(({ status, what, fix }) => ({ status, what, fix }))));

  const broken = found.filter(({ status }) => status === "broken").length;
  if (broken > 0)
    throw new SentinelError("check_failed", `${plural(broken, "thing")} broken.`, "Each has its fix beside it.");
}

function summary(fixed: number, found: readonly Diagnosis[]): string {
  const left = found.filter(({ fix }) => fix !== undefined).length;
  return `--fix: ${plural(fixed, "thing")} fixed${left === 0 ? "." : `; ${left} left to you, with what to do below each.`}`;
}

async function repaired(diagnosis: Diagnosis): Promise<Diagnosis> {
  if (!diagnosis.repair) return diagnosis;
  try {
    await diagnosis.repair();
    return { status: "ok", what: `${diagnosis.what} (repaired)` };
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    return { status: diagnosis.status, what: `${diagnosis.what} (not repaired: ${error.message})`, fix: error.fix };
  }
}

const LABELS: Readonly<Record<Status, string>> = {
  ok: "ok      ",
  note: "note    ",
  warning: "warning ",
  broken: "BROKEN  ",
};

function inText({ status, what, fix }: Diagnosis): string {
  return `${LABELS[status]}${what}${fix === undefined ? "" : `\n        fix: ${fix}`}`;
}
