/**
 * The digest of a project: which lessons it has, how its files are brought up to date, and whether they are what they should be. It has
 * only lessons of the default branch as they still stand here, because agents follow it as the team's own instructions.
 */
import { SentinelError } from "../../ground/core/errors.ts";
import { localDay } from "../../ground/core/time.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { defaultBranch } from "../../ground/project/git-history.ts";
import { foreignLines, isForAll, type Referred } from "../../lessons/answers/digest.ts";
import { textOf } from "../../lessons/format/lesson.ts";
import { goneNames } from "../../lessons/looking-back/gone-names.ts";
import { snapshotAt } from "../../lessons/looking-back/known-versions.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import { mostImportantFirst } from "../../lessons/queries/importance.ts";
import { References } from "../../lessons/queries/references.ts";
import { carryOutAll, notable, removeEmptied } from "../setup/apply.ts";
import type { Edit } from "../setup/edits/edit.ts";
import { NOTHING_WRITTEN } from "../setup/init-manifest.ts";
import { planInit, planUninstall, type Step } from "../setup/plan.ts";
import { ProjectFiles } from "../setup/project-files.ts";
import { carriersInUse, digestEdits, digestParts, partOf } from "./digest-edits.ts";

/** The lessons that it may have, the most important first. @throws SentinelError `not_found` where nothing tells what the team agreed on. */
export async function digestible({ folder, context }: Project, snapshot: Snapshot): Promise<Referred[]> {
  const branch = await defaultBranch(folder);
  if (branch === undefined) {
    const what = `${folder} is not in a git repository with a commit, so nothing says which lessons its team agreed on.`;
    throw new SentinelError(
      "not_found",
      `${what} Nothing was changed.`,
      "Commit the memory first, then call this again.",
    );
  }
  const agreed = await snapshotAt(context.memoryFile, branch);
  const texts = new Map(agreed.lessons().map(({ version }) => [version.id, textOf(version)]));
  const today = localDay(Date.now());
  const lines = snapshot.lessons().filter(({ version, also }) => {
    return !also && texts.get(version.id) === textOf(version) && isForAll(version, today);
  });
  const shown = lines.map(({ version }) => version);
  const gone = await goneNames(shown, folder);
  const references = new References(snapshot);
  return lines
    .filter(({ version }) => !gone.has(version.id))
    .sort(mostImportantFirst)
    .map((line) => ({ version: line.version, reference: references.short(line) }));
}

/** Brings its files up to date, and takes out what it no longer has. @returns the steps that changed something or could not. */
export async function writeDigest(
  carriers: readonly string[],
  lessons: readonly Referred[],
  files: ProjectFiles,
): Promise<Step[]> {
  const edits = digestEdits(carriers, lessons);
  const paths = new Set(edits.map(({ path }) => path));
  const over = digestParts(files).filter(({ path }) => !paths.has(path));
  return applied([...planInit(edits, files, {}), ...planTaking(over, files)], files);
}

/** Brings the digest of a project up to date with what its memory shows now. */
export async function refreshDigest(project: Project, snapshot: Snapshot): Promise<void> {
  const files = new ProjectFiles(project.folder);
  await writeDigest(carriersInUse(files), await digestible(project, snapshot), files);
}

/** Takes it out of every file, byte for byte. @returns as `writeDigest` does. */
export function removeDigest(files: ProjectFiles, isTrial = false): Promise<Step[]> {
  return applied(planTaking(digestParts(files), files), files, isTrial);
}

/** A part that is not as it would be written now. */
export interface DigestFinding {
  readonly path: string;
  /** Lines that no lesson of the default branch says: an edit by hand, or what was forgotten since. */
  readonly foreign: readonly string[];
}

/** Looks at the files where it is on. */
export function examineDigest(lessons: readonly Referred[], files: ProjectFiles): DigestFinding[] {
  const edits = digestEdits(carriersInUse(files), lessons);
  const expected = new Map(edits.map(({ path, put }) => [path, partOf(path, put(files.read(path)))]));
  const missing = edits.filter(({ path }) => !files.exists(path)).map(({ path }) => ({ path, foreign: [] }));
  const differing = digestParts(files).flatMap(({ path }) => {
    const text = partOf(path, files.read(path) ?? "");
    const right = expected.get(path);
    const rightLines = new Set(right?.split("\n"));
    return text === right
      ? []
      : [{ path, foreign: foreignLines(text, lessons).filter((line) => !rightLines.has(line)) }];
  });
  return [...missing, ...differing];
}

const planTaking = (edits: readonly Edit[], files: ProjectFiles): Step[] =>
  planUninstall(edits, files, NOTHING_WRITTEN);

async function applied(steps: readonly Step[], files: ProjectFiles, isTrial = false): Promise<Step[]> {
  if (isTrial) return notable(steps);
  const done = await carryOutAll(notable(steps), files);
  removeEmptied(done, files);
  return done;
}
