/** What a team's CI runs: problems of the memory file, each with its line and its fix. */
import { dirname } from "node:path";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { nameBelow, readBytes } from "../../../ground/files/named-file.ts";
import { namesIn } from "../../../ground/files/names-in.ts";
import { defaultBranch } from "../../../ground/project/git-history.ts";
import { mustNotBeTracked } from "../../../ground/project/not-checked-out.ts";
import { privacyNotes } from "../../../ground/project/privacy.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { examineCopies } from "../../../lessons/health/copies.ts";
import { examine, type Finding, lineRanges } from "../../../lessons/health/examine.ts";
import { carriesDigest } from "../../../lessons/hooks/digested.ts";
import { leftOutOfSources } from "../../../lessons/looking-back/difference.ts";
import { goneNames, namesGone } from "../../../lessons/looking-back/gone-names.ts";
import { knownVersions, lastTexts } from "../../../lessons/looking-back/known-versions.ts";
import type { Snapshot } from "../../../lessons/merge/fold.ts";
import { agreedOn, digestible } from "../../digest/digest.ts";
import { examineDigest } from "../../digest/digest-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { examineCopy } from "../../setup/server-copy.ts";
import type { AddCommand, CommandContext } from "../command.ts";

export const addCheck: AddCommand = (program, open) => {
  program
    .command("check")
    .description("check the memory file, as in CI")
    .option("--strict", "fail on warnings too, such as a lesson that two branches changed")
    .action(async ({ strict = false }) => {
      const context = open();
      // Plain text on every terminal, so that the logs of different machines can be compared.
      const broken =
        checkCopy(context) + (await checkMemory(context, strict)) + (await checkDigest(context));
      if (broken === 0) return;
      const fix = `Fix the findings${strict ? "" : " marked as broken"} above, then check again.`;
      throw new SentinelError("check_failed", `${plural(broken, "problem")} found.`, fix);
    });
};

/** The server's copy in the repository, if there is one. @returns how many problems it has. */
function checkCopy({ project, terminal, build }: CommandContext): number {
  const copy = examineCopy(new ProjectFiles(project.folder), build);
  if (!copy) return 0;
  const { status, what, fix } = copy;
  terminal.print(status === "broken" ? `broken server_copy: ${what}` : what);
  if (fix !== undefined) terminal.tell(`  fix: ${fix}`);
  return status === "broken" ? 1 : 0;
}

/** @returns how many problems the memory has. */
async function checkMemory(context: CommandContext, strict: boolean): Promise<number> {
  const { project, lessons, readPrivacy, terminal } = context;
  const name = nameBelow(project.folder, lessons.location);
  const privacy = await readPrivacy();
  for (const note of privacyNotes(privacy)) terminal.note(note);
  privacy.forStoring(); // A check that does not know what to look for must not pass.
  const bytes = await readBytes(lessons.location);
  // A check that passed in the wrong folder would pass for ever.
  if (!bytes) {
    await mustNotBeTracked(lessons.location);
    const fix =
      "Name the project's folder with --project DIR; sentinel-memory init writes an empty memory to commit.";
    throw new SentinelError("not_found", `${project.folder} has no ${name} to check.`, fix);
  }
  const expectations = {
    clients: [],
    compactThreshold: Number.POSITIVE_INFINITY,
    words: privacy.known,
  };
  const { snapshot, findings: inFile } = examine(bytes, expectations);
  const findings = [...inFile, ...examineCopies(name, await namesIn(dirname(lessons.location)))];
  for (const finding of findings)
    if (finding.level !== "note") {
      terminal.print(report(name, finding));
      terminal.tell(`  fix: ${finding.fix}`);
    }
  await noteAged(context, name, snapshot);
  await noteLeftOut(context, name, snapshot);
  const broken = findings.filter(
    ({ level }) => level === "broken" || (strict && level === "warning"),
  ).length;
  if (broken === 0)
    terminal.print(`${name}: ${plural(snapshot.count, "lesson")}, no secret, no conflict marker.`);
  return broken;
}

/** The digest, where it is on: a line that nobody agreed on would be followed as an instruction. @returns how many problems it has. */
async function checkDigest({ project, lessons, terminal }: CommandContext): Promise<number> {
  if (!carriesDigest(project.folder)) return 0;
  const branch = await defaultBranch(project.folder);
  if (!branch)
    terminal.print(
      "digest: git does not say here which branch is the default; it is held against the last commit.",
    );
  const agreed = branch ?? "HEAD";
  const now = await digestible(project, await lessons.read(), agreed);
  const findings = examineDigest(
    now,
    await agreedOn(project, agreed),
    new ProjectFiles(project.folder),
  );
  for (const { path, foreign } of findings) {
    const [first] = foreign;
    if (first === undefined)
      terminal.print(`${path}: note digest_behind: it differs from the memory.`);
    else
      terminal.print(
        `${path}: broken digest_differs: ${plural(foreign.length, "line")} that no lesson of the default branch says: ${safeLine(first.slice(0, 80))}`,
      );
    terminal.tell("  fix: sentinel-memory digest");
  }
  return findings.filter(({ foreign }) => foreign.length > 0).length;
}

/** Prints lessons that name missing files or options. They may still be right, so they don't fail a check. */
async function noteAged(
  { project, terminal }: CommandContext,
  file: string,
  snapshot: Snapshot,
): Promise<void> {
  const lessons = snapshot.lessons().map(({ version }) => version);
  for (const [id, names] of await goneNames(lessons, project.folder)) {
    terminal.print(aged(file, id, names));
    terminal.tell("  fix: sentinel-memory review");
  }
}

/** Prints principles that lack numbers, names or prohibitions of their sources. */
async function noteLeftOut(
  { lessons, terminal }: CommandContext,
  file: string,
  snapshot: Snapshot,
): Promise<void> {
  const versions = await knownVersions(lessons.location, snapshot, await lessons.removed());
  for (const { id, leftOut } of leftOutOfSources(snapshot, lastTexts(versions))) {
    const short = id.slice(0, 8);
    const what = `${short} leaves out of its sources: ${safeLine(leftOut)}`;
    terminal.print(`${file}: note left_out: ${what}`);
    terminal.tell(`  fix: edit it, or bring the sources back: sentinel-memory restore ${short}`);
  }
}

const aged = (name: string, id: string, names: readonly string[]): string =>
  `${name}: note aged: ${id.slice(0, 8)} ${safeLine(namesGone(names))}`;

/** Formats a finding as compilers do, so that editors and CI find the line. */
function report(name: string, { code, level, what, lines }: Finding): string {
  const place = lines.length === 0 ? name : `${name}:${lines[0]}`;
  const others = lines.length > 1 ? ` (lines ${lineRanges(lines)})` : "";
  return `${place}: ${level} ${code}: ${what}${others}`;
}
