/** Prints the end of init's output: the steps that you do yourself. */
import { relative, resolve } from "node:path";
import { join } from "node:path/posix";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../ground/clients/client.ts";
import { DEVELOPMENT_DEPENDENCY, type Launches } from "../../ground/clients/launch.ts";
import { CONTEXT_FOLDER, SERVER_FILE, SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { refusalOf, seenBy, uncommittedOf } from "../../ground/project/git.ts";
import { EXCLUDE } from "../../ground/project/git-exclude.ts";
import { quoted, spellCommands } from "../../ground/terminal/shell.ts";
import { changesOf } from "../setup/apply.ts";
import { CREATED_LIST, readCreatedList } from "../setup/created-list.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { isInCopy } from "../setup/server-copy.ts";
import { configOf, entryIn, placeInRepository } from "../setup/server-entry.ts";
import type { Step } from "../setup/step.ts";
import type { CommandContext } from "./command.ts";

/** The changes that init made. */
interface Done {
  readonly clients: readonly Client[];
  readonly launches: Launches;
  readonly steps: readonly Step[];
  readonly isPrivate: boolean;
}

/** Lists the approvals, the review and the commit that you still have to do, then the command that checks the setup. */
export async function printStillToDo(
  context: CommandContext,
  files: ProjectFiles,
  done: Done,
): Promise<void> {
  const { clients, launches, steps } = done;
  const isCopied = changesOf(steps).some(({ path }) => isInCopy(path));
  const lines = [
    ...clients.map((client) => approvalBy(client, files, steps)),
    ...(isCopied && !done.isPrivate ? [reviewOf(files)] : []),
    ...(await sharing(context, files, done)),
    "Check the set-up:",
    `  ${commandToPaste(context, files, launches, "doctor")}`,
  ];
  context.terminal.print(["\nStill to do:", ...lines].join("\n  "));
}

/** Returns the approval that a client needs. Clients that approved a different entry ask again. */
function approvalBy(client: Client, files: ProjectFiles, steps: readonly Step[]): string {
  const { name, asks } = client;
  const path = configOf(client, files);
  const step = changesOf(steps).find((one) => one.path === path);
  const entry = entryIn(client, step?.before);
  const isReplaced = entry !== undefined && !isDeepStrictEqual(entry, entryIn(client, step?.after));
  return `${name}: ${asks}${isReplaced ? " It asks again, because its entry changed." : ""}`;
}

/** Returns one of our commands, ready to paste. If the project has a server copy, the command runs that copy. */
export function commandToPaste(
  { cwd, env, spelt }: CommandContext,
  { folder }: ProjectFiles,
  { startsCopy }: Launches,
  command: string,
): string {
  const text = `sentinel-memory ${command}`;
  if (!startsCopy) return spelt(text);
  const place = relative(cwd, folder);
  return spellCommands(text, {
    script: resolve(folder, SERVER_FOLDER, SERVER_FILE),
    cwd,
    path: env.PATH,
    project: place === "" ? undefined : place,
  });
}

/** Suggests a review, because a change of the copy runs on every teammate's machine. CODEOWNERS needs a backslash before a space in a path. */
function reviewOf(files: ProjectFiles): string {
  const folder = join("/", placeInRepository(files), SERVER_FOLDER).slice(1).replaceAll(" ", "\\ ");
  return `Review changes of the server's copy as code. A line for CODEOWNERS: ${folder}/ @your-team`;
}

/** Explains how to share the uncommitted files with the team, including those of an earlier init. */
async function sharing(
  { cwd }: CommandContext,
  files: ProjectFiles,
  { launches, steps, isPrivate }: Done,
): Promise<string[]> {
  const { folder } = files;
  const paths = pathsOf(steps, files);
  if (paths.length === 0) return [];
  const seen = await seenBy(folder, paths);
  if (seen === undefined) {
    const refusal = await refusalOf(folder);
    return [
      refusal
        ? `Commit these files once git reads this repository: ${refusal.fix}`
        : "Put these files into a git repository and commit them.",
    ];
  }
  const now = steps.map(({ path }) => path);
  const uncommitted = (await uncommittedOf(folder, placeInRepository(files), seen)).filter(
    ({ path, isNew }) => isNew || now.includes(path),
  );
  // With a private memory, the copy isn't shared and git may not ignore it yet.
  const shared = isPrivate
    ? uncommitted.filter(({ path }) => !path.startsWith(`${CONTEXT_FOLDER}/`))
    : uncommitted;
  const stays = isPrivate ? ["The memory stays in this clone. doctor names the risks."] : [];
  if (shared.length === 0) return stays;
  const names = [...new Set(shared.map(({ path }) => (isInCopy(path) ? SERVER_FOLDER : path)))];
  if (
    launches.startsCopy &&
    (isPrivate || paths.some((path) => isInCopy(path) && !seen.includes(path)))
  )
    return [
      ...stays,
      `Don't commit ${names.join(", ")}: git ignores the server's copy, which they need.`,
    ];
  const isFirst = shared.some(({ isNew }) => isNew);
  return [
    ...stays,
    `Commit these files. A teammate then needs only ${needs(launches)}:`,
    `  ${commitLine(relative(cwd, folder), names, isFirst)}`,
  ];
}

/** Returns the files of this init, and those that an earlier one created. */
function pathsOf(steps: readonly Step[], files: ProjectFiles): string[] {
  const done = steps.filter(({ problem }) => !problem).map(({ path }) => path);
  const all = new Set([...done, CREATED_LIST, ...readCreatedList(files)]);
  return [...all].filter((path) => path !== EXCLUDE && files.exists(path));
}

/** Returns the git command to paste. @param place the project's folder, relative to the current folder. */
function commitLine(place: string, names: readonly string[], isFirst: boolean): string {
  const git = place === "" ? "git" : `git -C ${quoted(place)}`;
  const message = `${isFirst ? "Set up" : "Update"} Sentinel Memory`;
  return `${git} add ${names.map(quoted).join(" ")} && ${git} commit -m "${message}"`;
}

function needs(launches: Launches): string {
  if (launches.startsCopy) return "git pull and Node";
  if (launches === DEVELOPMENT_DEPENDENCY) return "git pull and npm install";
  return `git pull and the program that the entries start, ${launches.here.command}`;
}
