/** Prints the steps of init and uninstall, and findings. */
import { createTwoFilesPatch } from "diff";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { lineRanges } from "../../lessons/health/finding.ts";
import type { FindingInArea } from "../findings/areas.ts";
import type { Finding } from "../findings/finding.ts";
import type { Step } from "../setup/plan.ts";

/** Prints one line per step: the change, or the reason for no change. @param isTrial whether nothing has changed yet. */
export function printSteps(terminal: Terminal, steps: readonly Step[], isTrial = false): void {
  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  for (const step of steps) {
    const { path, what, problem } = step;
    terminal.print(`${path.padEnd(width)}  ${verb(step, isTrial).padEnd(VERB_WIDTH)}  ${what}`);
    if (problem) {
      terminal.tell(indent(`${problem.message}\nfix: ${problem.fix}`));
    }
  }
}

const VERB_WIDTH = "left alone".length;

function verb({ before, after, problem }: Step, isTrial: boolean): string {
  if (problem) {
    return "left alone";
  }
  if (before === after) {
    return "unchanged";
  }
  if (isTrial) {
    return "would change";
  }
  if (after === undefined) {
    return "removed";
  }
  return before === undefined ? "created" : "changed";
}

/** Prints the pending changes as a unified diff, and the versions of the server's copy. */
export function printDiffs(terminal: Terminal, steps: readonly Step[]): void {
  for (const { path, before, after, carryOut } of steps) {
    if (before === after) {
      continue;
    }
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
  if (left === 0) {
    return;
  }
  throw new SentinelError("left_alone", `${plural(left, "file")} left alone.`, fix);
}

const indent = (text: string): string => text.replaceAll(/^/gm, () => "    ");

const LEVEL_WIDTH = "warning ".length;

/** Prints a finding and its fix. */
export function printFinding(terminal: Terminal, finding: Finding): void {
  const { level, fix } = finding;
  const label = level === "broken" ? "BROKEN" : level;
  terminal.tell(`${label.padEnd(LEVEL_WIDTH)}${safeLine(sentenceOf(finding))}`);
  if (fix !== undefined) {
    terminal.tell(`${" ".repeat(LEVEL_WIDTH)}fix: ${safeLine(fix)}`);
  }
}

/** Returns a finding's fields for programs. `what` is a full sentence that includes the file and its lines. */
export function findingAsJson(finding: FindingInArea, spelt: Spell): object {
  const { id, area, level, fix, file, lines } = finding;
  const spelled = fix === undefined ? undefined : spelt(fix);
  return { id, area, level, what: sentenceOf(finding), fix: spelled, file, lines };
}

/** Returns a finding as a sentence, with its place first. */
function sentenceOf({ file, lines = [], what }: Finding): string {
  if (file === undefined) {
    return what;
  }
  if (lines.length === 0) {
    return `${file}: ${what}`;
  }
  return `${file}, ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)}: ${what}`;
}
