import { DEVELOPMENT_DEPENDENCY, type Launches } from "../../../ground/clients/launch.ts";
import { present } from "../../../ground/core/text.ts";
import { folderSize } from "../../../ground/files/folder-size.ts";
import { sizeOfFile } from "../../../ground/files/named-file.ts";
import { CONTEXT_FOLDER, LOCAL_FILES } from "../../../ground/project/context-folder.ts";
import { EXCLUDE } from "../../../ground/project/git-exclude.ts";
import { gitRootOf } from "../../../ground/project/git-root.ts";
import { inMegabytes } from "../../../ground/terminal/layout.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import { turnOff } from "../../../sessions/consent/change-log.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import { removeDigest } from "../../digest/digest.ts";
import { applyUninstall, changesOf, notable } from "../../setup/apply.ts";
import { LOCAL, readInitManifest } from "../../setup/init-manifest.ts";
import { isInstalled } from "../../setup/installed.ts";
import { keepCommitted } from "../../setup/keep-committed.ts";
import { planUninstall, type Step } from "../../setup/plan.ts";
import { allEdits } from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { launchesInUse } from "../../setup/server-entry.ts";
import { removeSessionHooks } from "../../setup/session-hooks.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../steps.ts";

/** As long as there is a trash, forgotten records can be restored; without git the session log is found by its id. */
const KEPT = [`${LOCAL}/${LOCAL_FILES.trash}`, `${LOCAL}/${LOCAL_FILES.record}`];

export const addUninstall: AddCommand = (program, open) => {
  program
    .command("uninstall")
    .description("remove what init added")
    .option("--dry-run", "show what would change without changing it")
    .action((options) => uninstall(open(), options));
};

/** Restores the files that init changed here and nobody edited since, byte for byte; takes our part out of all others. */
async function uninstall(context: CommandContext, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const { project, terminal } = context;
  const files = new ProjectFiles(project.folder);
  // First, because init may have made the folder in which its hooks are.
  const hadLog = await endLog(context, dryRun ?? false);
  const digest = await removeDigest(files, dryRun);
  const hasMemory =
    (await sizeOfFile(project.context.memoryFile)) > 0 || KEPT.some((path) => files.exists(path));
  const launches = launchesInUse(files);
  const edits = allEdits(launches, project, files).filter(
    ({ path, what }) =>
      !hasMemory || what === "server copy" || !path.startsWith(`${CONTEXT_FOLDER}/`),
  );
  const manifest = readInitManifest(files);
  const planned = notable(planUninstall(edits, files, manifest));
  const steps = await keepCommitted(planned, files, manifest);
  if (dryRun) printDiffs(terminal, [...digest, ...steps]);
  const taken = dryRun ? steps : await applyUninstall(steps, files, { keepsMemory: hasMemory });
  const done = [...digest, ...taken];
  printSteps(terminal, done, (step) => verb(step, dryRun ?? false));
  if (changesOf(done).length === 0 && !hadLog) terminal.print("Nothing to remove.");
  if (hasMemory)
    terminal.print("The memory itself stays in .context; delete that folder to remove it.");
  if (
    hasMemory &&
    changesOf(done).some(({ path, what }) => path === EXCLUDE && what === "private memory")
  )
    terminal.print("It was private: from now on git sees it, and git add takes it along.");
  if (!dryRun) printStillToDo(terminal, files.folder, changesOf(done).length > 0, launches);
  throwIfLeftAlone(done);
}

/** Turns recording off and takes its hooks out. What is recorded stays, because it cannot be had again. @returns whether there is a session log. */
async function endLog(
  { project, terminal, env }: CommandContext,
  isTrial: boolean,
): Promise<boolean> {
  const { status, record } = await findLog(project.folder, env);
  if (!record) return false;
  if (!isTrial) {
    if (status === "on" || status === "moved") await turnOff(record, Date.now());
    await removeSessionHooks(record.folder, project.folder);
  }
  if (status === "on")
    terminal.print(
      `Recording ${isTrial ? "would be turned" : "is"} off, and its hooks ${isTrial ? "would go" : "are gone"}.`,
    );
  const size = inMegabytes(folderSize(record.folder));
  terminal.tell(
    `${size} of recorded events stay in ${record.folder}. To remove them: sentinel-memory sessions delete`,
  );
  return true;
}

function printStillToDo(
  terminal: Terminal,
  folder: string,
  hasChanged: boolean,
  launches: Launches,
): void {
  const { here, startsCopy = false } = launches;
  const isCommand = here !== DEVELOPMENT_DEPENDENCY.here && !startsCopy;
  const isShared = hasChanged && gitRootOf(folder) !== undefined;
  const left = present(
    isShared && "Commit the changes that git shows, so that your teammates get them.",
    isInstalled(folder) && "npm uninstall sentinel-memory",
    isCommand && `Remove ${here.command}, which the entries started, if nothing else needs it.`,
  );
  if (left.length > 0) terminal.print(["\nStill to do:", ...left].join("\n  "));
}

function verb({ after, restores }: Step, isTrial: boolean): string {
  if (after === undefined) return isTrial ? "would be removed" : "removed";
  if (restores) return isTrial ? "would be restored" : "restored";
  return isTrial ? "would lose our part" : "our part removed";
}
