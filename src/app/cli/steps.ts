/** Prints the steps of init and uninstall. */
import { createTwoFilesPatch } from "diff";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import type { Step } from "../setup/plan.ts";

/** Prints one line per step: the change, or why there is none. @param verb describes a step without a problem. */
export function printSteps(
  terminal: Terminal,
  steps: readonly Step[],
  verb: (step: Step) => string,
): void {
  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  for (const step of steps) {
    const { path, problem } = step;
    terminal.print(`${path.padEnd(width)}  ${problem ? "left alone" : verb(step)}`);
    if (problem) terminal.tell(indent(`${problem.message}\nfix: ${problem.fix}`));
  }
}

/** Prints the pending changes as a unified diff, and the versions of the server's copy. */
export function printDiffs(terminal: Terminal, steps: readonly Step[]): void {
  for (const { path, before, after, carryOut } of steps) {
    if (before === after) continue;
    if (carryOut) {
      terminal.print(`${path}: ${before ?? "none"} -> ${after ?? "none"}`);
      continue;
    }
    const from = before === undefined ? "/dev/null" : `a/${path}`;
    const to = after === undefined ? "/dev/null" : `b/${path}`;
    const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", { context: 3 });
    terminal.print(patch.trimEnd());
  }
}

/** @throws SentinelError `left_alone`, so that scripts get an error status. */
export function throwIfLeftAlone(
  steps: readonly Step[],
  fix = "See above what to do with each.",
): void {
  const left = steps.filter(({ problem }) => problem).length;
  if (left === 0) return;
  throw new SentinelError("left_alone", `${plural(left, "file")} left alone.`, fix);
}

const indent = (text: string): string => text.replaceAll(/^/gm, () => "    ");
