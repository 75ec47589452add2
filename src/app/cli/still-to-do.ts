/** Prints the end of init's output: the steps that you do yourself. */
import { relative, resolve } from "node:path";
import { join } from "node:path/posix";
import type { Client } from "../../ground/clients/client.ts";
import { DEVELOPMENT_DEPENDENCY, type Launches } from "../../ground/clients/launch.ts";
import { CONTEXT_FOLDER, SERVER_FILE, SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { refusalOf, seenBy, uncommittedOf } from "../../ground/project/git.ts";
import { EXCLUDE } from "../../ground/project/git-files.ts";
import { quoted, spellCommands } from "../../ground/terminal/shell.ts";
import { changesOf } from "../setup/apply.ts";
import type { Step } from "../setup/plan.ts";
import { emptyMemory } from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { COPY_PATH, COPY_SUMS } from "../setup/server-copy.ts";
import { placeInRepository } from "../setup/server-entry.ts";
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
  const { clients, launches, steps, isPrivate } = done;
  const lines = clients.map(({ name, asks }) => `${name}: ${asks}`);
  if (changesOf(steps).some(isOfCopy) && !isPrivate) lines.push(reviewOf(files));
  lines.push(...(await sharing(context, files, done)));
  lines.push("Check the set-up:", `  ${commandToPaste(context, files, launches, "doctor")}`);
  context.terminal.print(["\nStill to do:", ...lines].join("\n  "));
}

const isOfCopy = ({ path }: Step): boolean => path === COPY_PATH;

/** Returns one of our commands, ready to paste. If the project has a server copy, the command runs that copy. */
export function commandToPaste(
  { cwd, env, spelt }: CommandContext,
  { folder }: ProjectFiles,
  { startsCopy }: Launches,
  command: string,
): string {
  const text = `sentinel-memory ${command}`;
  if (!startsCopy) return spelt(text);
  const script = resolve(folder, SERVER_FOLDER, SERVER_FILE);
  const project = relative(cwd, folder) || undefined;
  return spellCommands(text, { script, cwd, path: env.PATH, project });
}

/** Suggests a review, because a change of the copy runs on every teammate's machine. CODEOWNERS needs a backslash before a space in a path. */
function reviewOf(files: ProjectFiles): string {
  const folder = join("/", placeInRepository(files), SERVER_FOLDER).slice(1).replaceAll(" ", "\\ ");
  return `Review changes of the server's copy as code. A line for CODEOWNERS: ${folder}/ @your-team`;
}

/** Explains how to share the files of this init that aren't committed. */
async function sharing(
  { cwd, project }: CommandContext,
  files: ProjectFiles,
  { launches, steps, isPrivate }: Done,
): Promise<string[]> {
  const { folder } = files;
  const done = steps.filter(({ problem }) => !problem);
  const written = done.map((step) => (isOfCopy(step) ? COPY_SUMS : step.path));
  const all = new Set([...written, emptyMemory(project).path]);
  const paths = [...all].filter((path) => path !== EXCLUDE && files.exists(path));
  const seen = await seenBy(folder, paths);
  if (seen === undefined) {
    const refusal = await refusalOf(folder);
    return [
      refusal
        ? `Commit these files once git reads this repository: ${refusal.fix}`
        : "Put these files into a git repository and commit them.",
    ];
  }
  const uncommitted = (await uncommittedOf(folder, placeInRepository(files), seen)).filter(
    ({ path, isNew }) => isNew || written.includes(path),
  );
  // With a private memory, the copy isn't shared and git may not ignore it yet.
  const shared = isPrivate
    ? uncommitted.filter(({ path }) => !path.startsWith(`${CONTEXT_FOLDER}/`))
    : uncommitted;
  const lines = isPrivate ? ["The memory stays in this clone. doctor names the risks."] : [];
  if (shared.length === 0) return lines;
  const names = shared.map(({ path }) => quoted(path === COPY_SUMS ? SERVER_FOLDER : path));
  const isCopyIgnored = paths.includes(COPY_SUMS) && !seen.includes(COPY_SUMS);
  if (isCopyIgnored || (isPrivate && launches.startsCopy)) {
    lines.push(`Don't commit ${names.join(", ")}: git ignores the server's copy, which they need.`);
    return lines;
  }
  const place = relative(cwd, folder);
  const git = place === "" ? "git" : `git -C ${quoted(place)}`;
  const message = shared.some(({ isNew }) => isNew) ? "Set up" : "Update";
  lines.push(
    `Commit these files. A teammate then needs only ${needs(launches)}:`,
    `  ${git} add ${names.join(" ")} && ${git} commit -m "${message} Sentinel Memory"`,
  );
  return lines;
}

function needs(launches: Launches): string {
  if (launches.startsCopy) return "git pull and Node";
  if (launches === DEVELOPMENT_DEPENDENCY) return "git pull and npm install";
  return `git pull and the program that the entries start, ${launches.here.command}`;
}
