import { DEVELOPMENT_DEPENDENCY, type Launches } from "../../../ground/clients/launch.ts";
import { present } from "../../../ground/core/text.ts";
import { folderSize, sizeOfFile } from "../../../ground/files/read-files.ts";
import { LOCAL_FILES } from "../../../ground/project/context-folder.ts";
import { gitRootOf } from "../../../ground/project/repository.ts";
import { inMegabytes } from "../../../ground/terminal/layout.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import { turnOff } from "../../../sessions/consent/change-log.ts";
import { findLog } from "../../../sessions/consent/find-log.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { digestParts } from "../../digest/digest.ts";
import { apply, changesOf, LOCAL, notable, planUninstall, type Step } from "../../setup/plan.ts";
import { allEdits, isInstalled, launchesInUse } from "../../setup/project-edits.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { planCopyRemoval } from "../../setup/server-copy.ts";
import { removeSessionHooks } from "../../setup/session-hooks.ts";
import { printDiffs, printSteps, throwIfLeftAlone } from "../print.ts";

/** The trash, which is needed to restore lessons, and the id of a session log without git. */
const KEPT = [`${LOCAL}/${LOCAL_FILES.trash}`, `${LOCAL}/${LOCAL_FILES.record}`];

export const addUninstall: AddSessionCommand = (program, open) => {
  program
    .command("uninstall")
    .description("remove what init added")
    .option("--dry-run", "show what would change without changing it")
    .action((options) => uninstall(open(), options));
};

/** Removes our parts of the project's files, and files in which nothing else is left. */
async function uninstall(
  context: SessionCommandContext,
  { dryRun = false }: { dryRun?: boolean },
): Promise<void> {
  const { project, terminal } = context;
  const files = new ProjectFiles(project.folder);
  const hadLog = await endLog(context, dryRun);
  const hasMemory =
    (await sizeOfFile(project.context.memoryFile)) > 0 || KEPT.some((path) => files.exists(path));
  const launches = launchesInUse(files);
  // Lessons stay, with their git settings. The settings of the server's copy, in the same file, are removed.
  const edits = allEdits(launches, project, files).filter(
    ({ what }) => !hasMemory || (what !== "memory" && what !== "git settings"),
  );
  const planned = planUninstall([...digestParts(files), ...edits], files);
  const steps = notable([...planned, ...planCopyRemoval(files)]);
  if (dryRun) {
    printDiffs(terminal, steps);
  }
  const done = dryRun ? steps : await apply(steps, files);
  if (!dryRun) {
    removeLocal(done, files, hasMemory);
  }
  printSteps(terminal, done, dryRun);
  const changes = changesOf(done);
  if (changes.length === 0 && !hadLog) {
    terminal.print("Nothing to remove.");
  }
  if (hasMemory) {
    terminal.print("The memory itself stays in .context; delete that folder to remove it.");
    if (changes.some(({ what }) => what === "private memory")) {
      terminal.print("It was private. Git no longer ignores it, so git add includes it.");
    }
  }
  if (!dryRun) {
    printStillToDo(terminal, files.folder, changes.length > 0, launches);
  }
  throwIfLeftAlone(done);
}

/** Removes this machine's own files. After a failure they stay for another try. */
function removeLocal(done: readonly Step[], files: ProjectFiles, keepsMemory: boolean): void {
  if (done.some(({ problem }) => problem)) {
    return;
  }
  const path = keepsMemory ? `${LOCAL}/${LOCAL_FILES.command}` : LOCAL;
  files.remove(path);
  files.removeEmptyAbove(path);
}

/** Turns recording off and removes its hooks. Recorded events stay. @returns whether there is a session log. */
async function endLog(
  { project, terminal, env }: SessionCommandContext,
  isTrial: boolean,
): Promise<boolean> {
  const { status, record } = await findLog(project.folder, env);
  if (!record) {
    return false;
  }
  if (!isTrial) {
    if (status === "on" || status === "moved") {
      await turnOff(record, Date.now());
    }
    await removeSessionHooks(record.folder, project.folder);
  }
  if (status === "on") {
    terminal.print(isTrial ? "Recording would be turned off." : "Recording is off.");
  }
  const size = inMegabytes(folderSize(record.folder));
  const remove = isTrial ? "run sentinel-memory sessions delete first." : "delete that folder.";
  terminal.tell(`${size} of recorded events stay in ${record.folder}. To remove them: ${remove}`);
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
  if (left.length > 0) {
    terminal.print(["\nStill to do:", ...left].join("\n  "));
  }
}
