import { problemOf, SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { json } from "../../../ground/terminal/layout.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import { checkCursorFiles } from "../../doctor/cursor-files.ts";
import {
  type Check,
  type CheckContext,
  type Diagnosis,
  ok,
  type Status,
} from "../../doctor/diagnosis.ts";
import { checkGit } from "../../doctor/git.ts";
import { checkHooks } from "../../doctor/hooks.ts";
import { checkInitFiles } from "../../doctor/init-files.ts";
import { checkCheckout, checkLeftovers, checkMemory, checkWritable } from "../../doctor/memory.ts";
import { checkNode, checkPackage } from "../../doctor/package.ts";
import { checkPolicy, checkPrivacy } from "../../doctor/policy.ts";
import { checkServers } from "../../doctor/servers.ts";
import { checkSessionLog } from "../../doctor/session-log.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import type { AddCommand } from "../command.ts";

const OF_ANY_PROJECT: readonly Check[] = [
  checkNode,
  ({ project }) => [ok(`Project ${project.folder}: ${project.how}`)],
];
/** Without .context on the disk each of the other checks would advise to write what git has. */
const OF_A_CHECKOUT: readonly Check[] = [
  checkPackage,
  checkServers,
  checkInitFiles,
  checkHooks,
  checkCursorFiles,
  checkMemory,
  checkWritable,
  checkPolicy,
  checkPrivacy,
  checkLeftovers,
  checkGit,
  checkSessionLog,
];

export const addDoctor: AddCommand = (program, open) => {
  program
    .command("doctor")
    .description("check the setup and explain how to fix it")
    .option("--fix", "make the repairs that carry no risk")
    .option("--json", "print the results as a JSON array")
    .action(async (options) => {
      const { project, terminal, env, cwd, build, spelt } = open();
      const context: CheckContext = {
        project,
        files: new ProjectFiles(project.folder),
        env,
        cwd,
        build,
      };
      const found: Diagnosis[] = [];
      const report = reporter(terminal);
      let fixed = 0;
      const left = await checkCheckout(context);
      for (const check of [
        ...OF_ANY_PROJECT,
        ...(left.length > 0 ? [() => left] : OF_A_CHECKOUT),
      ]) {
        for (const diagnosis of await check(context)) {
          const after = options.fix ? await repaired(diagnosis) : diagnosis;
          if (diagnosis.repair && after.status === "ok") fixed += 1;
          const result = { ...after, ...(after.fix !== undefined && { fix: spelt(after.fix) }) };
          found.push(result);
          if (!options.json) report(result);
        }
      }
      report();
      if (options.fix && !options.json) terminal.print(summary(fixed, found));
      if (options.json)
        terminal.print(json(found.map(({ status, what, fix }) => ({ status, what, fix }))));

      const broken = found.filter(({ status }) => status === "broken").length;
      if (broken > 0)
        throw new SentinelError(
          "check_failed",
          `${plural(broken, "thing")} broken.`,
          "Each finding has its fix.",
        );
    });
};

function summary(fixed: number, found: readonly Diagnosis[]): string {
  const left = found.filter(({ fix }) => fix !== undefined).length;
  return `--fix: ${plural(fixed, "thing")} fixed${left === 0 ? "." : `; ${left} left to you, with what to do below each.`}`;
}

async function repaired(diagnosis: Diagnosis): Promise<Diagnosis> {
  if (!diagnosis.repair) return diagnosis;
  try {
    await diagnosis.repair();
    return ok(`${diagnosis.what} (repaired)`);
  } catch (error) {
    const { what, fix } = problemOf(error);
    return { status: diagnosis.status, what: `${diagnosis.what} (not repaired: ${what})`, fix };
  }
}

const LABELS: Readonly<Record<Status, string>> = {
  ok: "ok      ",
  note: "note    ",
  warning: "warning ",
  broken: "BROKEN  ",
};

/** Prints each diagnosis as it comes, and a fix once below all that it applies to, when they follow each other; without one, the last fix. */
function reporter(terminal: Terminal): (diagnosis?: Diagnosis) => void {
  let [last, count]: [string | undefined, number] = [undefined, 0];
  return (diagnosis) => {
    const fix = diagnosis?.fix;
    if (last !== undefined && fix !== last)
      terminal.tell(`        fix${count > 1 ? ` for these ${count}` : ""}: ${last}`);
    [last, count] = [fix, fix === last ? count + 1 : 1];
    if (diagnosis) terminal.tell(`${LABELS[diagnosis.status]}${diagnosis.what}`);
  };
}
