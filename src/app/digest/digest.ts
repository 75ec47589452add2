/** The digest of a project. It contains only lessons of the default branch that are unchanged here, because agents follow it as team instructions. */
import { SentinelError } from "../../ground/core/errors.ts";
import { localMinute } from "../../ground/core/time.ts";
import { localFileToWrite } from "../../ground/files/local-folder.ts";
import { withLock } from "../../ground/files/lock.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { defaultBranch, forkFrom, textAt } from "../../ground/project/git.ts";
import { isForAll, type Referred } from "../../lessons/answers/digest.ts";
import { textOf } from "../../lessons/format/lesson.ts";
import { goneNames } from "../../lessons/history/gone-names.ts";
import { snapshotAt, snapshotIn } from "../../lessons/history/known-versions.ts";
import { openMemoryFile } from "../../lessons/hooks/memory-file.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import { mostImportantFirst } from "../../lessons/queries/importance.ts";
import { References } from "../../lessons/queries/references.ts";
import { apply, notable, planInit, planUninstall, type Step } from "../setup/plan.ts";
import { ProjectFiles } from "../setup/project-files.ts";
import { carriersFor, carriersInUse, digestEdits, digestParts } from "./digest-edits.ts";

/** Returns the lessons that the digest may contain, the most important first. @param branch the default branch. @throws SentinelError `not_found`. */
export async function digestible(
  { folder, context }: Project,
  snapshot: Snapshot,
  branch: string | undefined,
): Promise<Referred[]> {
  const agreed = branch === undefined ? undefined : await textAt(context.memoryFile, branch);
  if (agreed === undefined) throw nothingAgreed(folder);
  const texts = new Map<string, string>();
  for (const { version } of snapshotIn(agreed).lessons()) texts.set(version.id, textOf(version));
  const now = localMinute(Date.now());
  const lines = snapshot.lessons().filter(({ version, also }) => {
    const isAgreed = !also && texts.get(version.id) === textOf(version);
    return isAgreed && isForAll(version, now);
  });
  const shown = lines.map(({ version }) => version);
  const gone = await goneNames(shown, folder);
  const current = lines.filter(({ version }) => !gone.has(version.id));
  return referred(snapshot, current.sort(mostImportantFirst));
}

/** Returns all lessons that are on the default branch, or were when this branch left it. An outdated digest may contain any of them. */
export async function agreedOn({ folder, context }: Project, branch: string): Promise<Referred[]> {
  const fork = await forkFrom(folder, branch);
  const agreed: Referred[] = [];
  for (const commit of [branch, fork?.commit ?? branch]) {
    const snapshot = await snapshotAt(context.memoryFile, commit);
    agreed.push(...referred(snapshot, snapshot.lessons()));
  }
  return agreed;
}

interface Refreshed {
  readonly lessons: readonly Referred[];
  readonly steps: readonly Step[];
}

/** Updates the digest under a lock. @param isNew whether to turn it on. @returns the steps, and the lessons in it. */
export async function refreshDigest(project: Project, isNew = false): Promise<Refreshed> {
  const files = new ProjectFiles(project.folder);
  return withLock(localFileToWrite(project.context.local, "digest"), async () => {
    const snapshot = await openMemoryFile(project.context.memoryFile).read();
    const lessons = await digestible(project, snapshot, await defaultBranch(project.folder));
    const carriers = new Set(carriersInUse(files));
    if (isNew && lessons.length > 0) for (const path of carriersFor(files)) carriers.add(path);
    const edits = digestEdits([...carriers], lessons);
    // Two paths may lead to the same file.
    const paths = new Set(edits.map(({ path }) => files.realPath(path)));
    const over = digestParts(files).filter(({ path }) => !paths.has(files.realPath(path)));
    const steps = [...planInit(edits, files), ...planUninstall(over, files)];
    return { lessons, steps: await apply(notable(steps), files) };
  });
}

/** Removes the digest from every file. @returns the steps that change a file, or can't. */
export function removeDigest(files: ProjectFiles): Promise<Step[]> {
  return apply(notable(planUninstall(digestParts(files), files)), files);
}

function referred(snapshot: Snapshot, lines: readonly LessonLine[]): Referred[] {
  const references = new References(snapshot);
  return lines.map((line) => ({ version: line.version, reference: references.short(line) }));
}

function nothingAgreed(folder: string): SentinelError {
  return new SentinelError(
    "not_found",
    `Git does not say which lessons the team of ${folder} agreed on, so nothing was changed: no default branch that is known here has a memory.`,
    "Commit the memory to main or master. If the remote's default branch has another name: git remote set-head origin --auto.",
  );
}
