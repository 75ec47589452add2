/** Checks the memory, the digest and the server's copy in a team's CI. Prints each problem with its line and its fix. */
import { existsSync } from "node:fs";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { nameBelow } from "../../../ground/files/paths.ts";
import { mustNotBeTracked } from "../../../ground/project/not-checked-out.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { lineRanges } from "../../../lessons/health/finding.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { type Area, type FindingInArea, findingsIn } from "../../findings/areas.ts";

const CHECKED: readonly Area[] = ["server copy", "privacy", "memory", "lessons", "digest"];

export const addCheck: AddSessionCommand = (program, open) => {
  program
    .command("check")
    .description("check the memory file, as in CI")
    .option("--strict", "fail on warnings too, such as a lesson that two branches changed")
    .action(({ strict = false }: { strict?: boolean }) => check(open(), strict));
};

/** @throws SentinelError `check_failed`, `not_found` without a memory, `privacy_unreadable` if the privacy files can't be read. */
async function check(context: SessionCommandContext, strict: boolean): Promise<void> {
  const { readPrivacy, terminal } = context;
  (await readPrivacy()).forStoring();
  await mustHaveMemory(context);
  const found = await findingsIn(CHECKED, context);
  for (const finding of found) {
    if (!isShown(finding)) {
      continue;
    }
    // Never uses colors, so that logs of different machines can be compared.
    terminal.print(report(finding));
    if (finding.fix !== undefined) {
      terminal.tell(`  fix: ${safeLine(finding.fix)}`);
    }
  }
  const isProblem = ({ level }: FindingInArea) =>
    level === "broken" || (strict && level === "warning");
  const problems = found.filter(isProblem).length;
  if (problems === 0) {
    return;
  }
  const fix = `Fix the findings${strict ? "" : " marked as broken"} above, then check again.`;
  throw new SentinelError("check_failed", `${plural(problems, "problem")} found.`, fix);
}

/** Fails without a memory, because a check in the wrong folder would always pass. @throws SentinelError `not_found`, `not_checked_out`. */
async function mustHaveMemory({ project }: SessionCommandContext): Promise<void> {
  const { memoryFile } = project.context;
  if (existsSync(memoryFile)) {
    return;
  }
  await mustNotBeTracked(memoryFile);
  throw new SentinelError(
    "not_found",
    `${project.folder} has no ${nameBelow(project.folder, memoryFile)} to check.`,
    "Name the project's folder with --project DIR; sentinel-memory init writes an empty memory to commit.",
  );
}

/** Hides notes about lines of the memory file, because the next save repairs those. */
const isShown = ({ area, level }: FindingInArea): boolean =>
  !(area === "memory" && level === "note");

/** Formats a finding like a compiler error, so that editors and CI can link to the line. */
function report({ file, lines = [], level, id, what }: FindingInArea): string {
  const [line] = lines;
  const place = line === undefined ? file : `${file}:${line}`;
  const others = lines.length > 1 ? ` (lines ${lineRanges(lines)})` : "";
  const text = level === "ok" ? what : `${level} ${id}: ${what}${others}`;
  return safeLine(place === undefined ? text : `${place}: ${text}`);
}
