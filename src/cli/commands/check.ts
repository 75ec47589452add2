/** What a team's CI runs: problems of the memory file, each with its line and its fix. */
import { relative } from "node:path";
import { SentinelError } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import { readBytes } from "../../files/named-file.ts";
import { examine, type Finding, lineRanges } from "../../lessons/health/examine.ts";
import type { AddCommand, CommandContext } from "../command.ts";

export const addCheck: AddCommand = (program, open) => {
  program
    .command("check")
    .description("check the memory file, as in CI: every line is a record, no secrets, no conflict markers")
    .action(() => check(open()));
};

/** Prints plain text on every terminal, so that the logs of different machines can be compared. */
async function check({ project, store, terminal }: CommandContext): Promise<void> {
  const name = relative(project.folder, store.location);
  const bytes = await readBytes(store.location);
  // A check that passed in the wrong folder would pass for ever.
  if (!bytes) {
    const fix = "Name the project's folder with --project DIR; sentinel-memory init writes an empty memory to commit.";
    throw new SentinelError("not_found", `${project.folder} has no ${name} to check.`, fix);
  }
  const { snapshot, findings } = examine(bytes, { clients: [], compactThreshold: Number.POSITIVE_INFINITY });
  const broken = findings.filter(({ level }) => level === "broken");
  const shown = findings.filter(({ level }) => level !== "note");
  for (const finding of shown) terminal.print(report(name, finding));
  if (broken.length > 0) {
    throw new SentinelError(
      "check_failed",
      `${name} has ${plural(broken.length, "problem")}.`,
      "Fix the lines reported as broken above, then commit the file.",
    );
  }
  terminal.print(`${name}: ${plural(snapshot.count, "record")}, no secret, no conflict marker.`);
}

/** Formats a finding as compilers do, so that editors and CI find the line. */
function report(name: string, { code, level, what, lines, fix }: Finding): string {
  const place = lines.length === 0 ? name : `${name}:${lines[0]}`;
  const others = lines.length > 1 ? ` (lines ${lineRanges(lines)})` : "";
  return `${place}: ${level} ${code}: ${what}${others}\n  fix: ${fix}`;
}
