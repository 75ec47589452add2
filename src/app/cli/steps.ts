/** Prints the steps of init and uninstall. */
import { createTwoFilesPatch } from "diff";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { inMegabytes } from "../../ground/terminal/layout.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { isInCopy, versionOf } from "../setup/server-copy.ts";
import type { Step } from "../setup/step.ts";

interface Row {
  readonly path: string;
  readonly text: string;
  readonly problem?: SentinelError | undefined;
}

/** Prints one line per file and one for the server's copy: the change, or why there is none. @param verb describes a step without a problem. */
export function printSteps(
  terminal: Terminal,
  steps: readonly Step[],
  verb: (step: Step) => string,
): void {
  const rows = rowsOf(steps, verb);
  const width = Math.max(0, ...rows.map(({ path }) => path.length));
  for (const { path, text, problem } of rows) {
    terminal.print(`${path.padEnd(width)}  ${text}`);
    if (problem) terminal.tell(indent(`${problem.message}\nfix: ${problem.fix}`));
  }
}

function rowsOf(steps: readonly Step[], verb: (step: Step) => string): Row[] {
  const copied = steps.filter(({ path, problem }) => isInCopy(path) && !problem);
  // One file represents the whole copy: a changed file if there is one.
  const sample = copied.find(({ before, after }) => before !== after) ?? copied[0];
  const rows: Row[] = [];
  for (const step of steps) {
    const { path, problem } = step;
    if (step === sample)
      rows.push({ path: `${SERVER_FOLDER}/`, text: `${verb(step)} ${sizeOf(copied)}` });
    else if (problem) rows.push({ path, text: "left alone", problem });
    else if (!copied.includes(step)) rows.push({ path, text: verb(step) });
  }
  return rows;
}

function sizeOf(copied: readonly Step[]): string {
  let bytes = 0;
  for (const { before, after } of copied) bytes += Buffer.byteLength(after ?? before ?? "");
  return `(${plural(copied.length, "file")}, ${inMegabytes(bytes)})`;
}

/** Prints the pending changes as a unified diff. The server's copy is too long for that, so one line shows its old and new version. */
export function printDiffs(terminal: Terminal, steps: readonly Step[]): void {
  const changed = steps.filter(({ before, after }) => before !== after);
  for (const { path, before, after } of changed) {
    if (isInCopy(path)) continue;
    const from = before === undefined ? "/dev/null" : `a/${path}`;
    const to = after === undefined ? "/dev/null" : `b/${path}`;
    const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", { context: 3 });
    terminal.print(patch.trimEnd());
  }
  const copied = changed.filter(({ path }) => isInCopy(path));
  if (copied.length === 0) return;
  const before = versionIn(copied.map((step) => step.before));
  const after = versionIn(copied.map((step) => step.after));
  terminal.print(`${SERVER_FOLDER}/: ${before} -> ${after}, ${plural(copied.length, "file")}`);
}

function versionIn(texts: readonly (string | undefined)[]): string {
  const present = texts.filter((text) => text !== undefined);
  if (present.length === 0) return "none";
  const versions = [...new Set(present.flatMap((text) => versionOf(text) ?? []))];
  return versions.length === 0 ? "no version" : `version ${versions.join(" and ")}`;
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
