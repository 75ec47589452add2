import { relative } from "node:path";
import { SentinelError } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import { readBytes } from "../../files/named-file.ts";
import { examine, type Finding, lineRanges } from "../../lessons/health/examine.ts";
import { privacyNotes } from "../../project/privacy.ts";
import type { AddCommand, CommandContext } from "../command.ts";

export const addCheck: AddCommand = (program, open) => {
  program
    .command("check")
    .description("check the memory file, as in CI: every line is a record, no secrets, no conflict markers")
    .action(() => check(open()));
};

/** Prints plain text on every terminal, so that the logs of different machines can be compared. */
async function check({ project, store, readPrivacy, terminal }: CommandContext): Promise<void> {
  const name = relative(project.folder, store.location);
  const privacy = await readPrivacy();
  for (const note of privacyNotes(privacy)) terminal.note(note);
  privacy.forStoring(); // A check that does not know what to look for must not pass.
  const bytes = await readBytes(store.location);
  if (!bytes) {
    terminal.print(`${name}: ${project.folder} has none yet, so there is nothing to check.`);
    return;
  }
  const expectations = { clients: [], compactThreshold: Number.POSITIVE_INFINITY, words: privacy.known };
  const { snapshot, findings } = examine(bytes, expectations);
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
