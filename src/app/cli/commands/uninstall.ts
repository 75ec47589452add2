import { DEVELOPMENT_DEPENDENCY, type Launches } from "../../../ground/clients/launch.ts";
import { present } from "../../../ground/core/text.ts";
import { folderSize } from "../../../ground/files/folder-size.ts";
import { sizeOfFile } from "../../../ground/files/named-file.ts";
import { LOCAL_FILES } from "../../../ground/project/context-folder.ts";
import { EXCLUDE } from "../../../ground/project/git-exclude.ts";
import { gitRootOf } from "../../../ground/project/git-root.ts";
import { inMegabytes } from "../../../ground/terminal/layout.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import { turnOff } from "../../../sessions/consent/change-log.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import { removeDigest } from "../../digest/digest.ts";
import { applyUninstall, changesOf, LOCAL, notable } from "../../setup/apply.ts";
import { CREATED_LIST, remainingList } from "../../setup/created-list.ts";
import { isInstalled } from "../../setup/installed.ts";
import { planUninstall } from "../../setup/plan.ts";
import { allEdits } from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { launchesInUse } from "../../setup/server-entry.ts";
import { removeSessionHooks } from "../../setup/session-hooks.ts";
import type { Step } from "../../setup/step.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../steps.ts";

/** The trash, which is needed to restore lessons, and the id of a session log without git. */
const KEPT = [`${LOCAL}/${LOCAL_FILES.trash}`, `${LOCAL}/${LOCAL_FILES.record}`];

export const addUninstall: AddCommand = (program, open) => {
  program
    .command("uninstall")
    .description("remove what init added")
    .option("--dry-run", "show what would change without changing it")
    .action((options) => uninstall(open(), options));
};

/** Removes our parts of the project's files. Also deletes files that init created, if they're empty. */
async function uninstall(context: CommandContext, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const { project, terminal } = context;
  const files = new ProjectFiles(project.folder);
  // Runs first, because init may have created the folder that contains the hooks.
  const hadLog = await endLog(context, dryRun ?? false);
  const digest = (await removeDigest(files, dryRun)).filter(({ path }) => path !== CREATED_LIST);
  const hasMemory =
    (await sizeOfFile(project.context.memoryFile)) > 0 || KEPT.some((path) => files.exists(path));
  const launches = launchesInUse(files);
  const edits = allEdits(launches, project, files).filter(
    ({ what }) => !hasMemory || (what !== "memory" && what !== "git settings"),
  );
  const steps = notable(planUninstall(edits, files));
  const trial = notable([...steps, remainingList(steps, files)]);
  if (dryRun) printDiffs(terminal, [...digest, ...trial]);
  const taken = dryRun ? trial : await applyUninstall(steps, files, { keepsMemory: hasMemory });
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

/** Turns recording off and removes its hooks. Recorded events stay. @returns whether there is a session log. */
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

function verb({ after }: Step, isTrial: boolean): string {
  if (after === undefined) return isTrial ? "would be removed" : "removed";
  return isTrial ? "would lose our part" : "our part removed";
}
