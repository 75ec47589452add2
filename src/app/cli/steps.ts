/** How the steps of init and uninstall look in a terminal. */
import { createTwoFilesPatch } from "diff";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import type { Step } from "../setup/plan.ts";
import { versionOf } from "../setup/server-copy.ts";

/** One line a file: what was done to it, or why nothing was. @param verb of one that nothing kept from it. */
export function printSteps(
  terminal: Terminal,
  steps: readonly Step[],
  verb: (step: Step) => string,
): void {
  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  for (const step of steps) {
    terminal.print(`${step.path.padEnd(width)}  ${step.problem ? "left alone" : verb(step)}`);
    if (step.problem) terminal.tell(indent(`${step.problem.message}\nfix: ${step.problem.fix}`));
  }
}

/** What would change, as a unified diff. */
export function printDiffs(terminal: Terminal, steps: readonly Step[]): void {
  for (const { path, before, after } of steps) {
    if (before === after) continue;
    if (path.startsWith(`${SERVER_FOLDER}/`)) {
      terminal.print(`${path}: ${nameOfCopy(before)} -> ${nameOfCopy(after)}`);
      continue;
    }
    const from = before === undefined ? "/dev/null" : `a/${path}`;
    const to = after === undefined ? "/dev/null" : `b/${path}`;
    terminal.print(
      createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", { context: 3 }).trimEnd(),
    );
  }
}

/** A file of the server's copy is too long to show. */
function nameOfCopy(text: string | undefined): string {
  if (text === undefined) return "none";
  const version = versionOf(text);
  return `${version === undefined ? "" : `version ${version}, `}${text.length.toLocaleString("en")} characters`;
}

/** @throws SentinelError `left_alone`, so that scripts notice it as well. */
export function throwIfLeftAlone(
  steps: readonly Step[],
  fix = "See above what to do with each.",
): void {
  const left = steps.filter(({ problem }) => problem).length;
  if (left === 0) return;
  throw new SentinelError("left_alone", `${plural(left, "file")} left alone.`, fix);
}

const indent = (text: string): string => text.replaceAll(/^/gm, () => "    ");
