/** The edits that init makes in a project and uninstall looks for, and the clients that a project uses. `edits/` has one file for each kind of edit. */
import { basename, dirname, join, relative, sep } from "node:path";
import { type Client, commandLine, SERVER_NAME } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, type Launches, vendoredBy } from "../../ground/clients/launch.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { EXCLUDE, memoryAttributes, memoryIgnores } from "../../ground/project/git-files.ts";
import { leftOut } from "../../ground/project/not-checked-out.ts";
import { type Edit, newFile, ownFile, ownLines, textBlock } from "./edits/edit.ts";
import { entryEdit, formatOf } from "./edits/entry-edit.ts";
import { hookLines, sessionHookLines } from "./edits/hook-edit.ts";
import { holdsBlock } from "./edits/marked-block.ts";
import type { ProjectFiles } from "./project-files.ts";
import { RULES } from "./rules.ts";
import { copyAttributes } from "./server-copy.ts";
import { configOf, presentEntry, vendored } from "./server-entry.ts";

const AGENTS = "AGENTS.md";

/** The server's entry and the hooks of each client, and the rules, which each reads once. */
export function clientEdits(
  clients: readonly Client[],
  launches: Launches,
  files: ProjectFiles,
): Edit[] {
  const edits: Edit[] = [];
  for (const client of clients) {
    edits.push(serverEdit(client, configOf(client, files), launches, files));
    edits.push(...hookEdits(client, launches));
  }
  return [...edits, ...rulesEdits(clients, files)];
}

function serverEdit(client: Client, path: string, launches: Launches, files: ProjectFiles): Edit {
  const { server } = client;
  // `init --vendor`, or a move of the folder, may have written our entry in another spelling.
  const present = tryOr(() => vendoredBy(commandLine(presentEntry(client, files))), undefined);
  const spellings = [launches, DEVELOPMENT_DEPENDENCY, vendored(files), present ?? launches];
  return entryEdit(
    path,
    [server.key, SERVER_NAME],
    server.entry(launches),
    formatOf(server),
    spellings.map((other) => server.entry(other)),
  );
}

/** Returns the hook edits. Empty if the launches have no command line for hooks. */
function hookEdits({ hooks }: Client, launches: Launches): Edit[] {
  const { hook } = launches.here;
  if (!hooks || hook === undefined) {
    return [];
  }
  const { path, table, plugin, frame } = hooks;
  if (plugin) {
    return [ownFile(path, plugin(hook), "hooks")];
  }
  return [hookLines(path, table?.(hook) ?? {}, frame)];
}

/** Adds the rules to the only file that needs them, or to AGENTS.md, which the other files include. */
function rulesEdits(clients: readonly Client[], files: ProjectFiles): Edit[] {
  const isReader = (client: Client): boolean =>
    clients.includes(client) || holdsRules(client.rules, files);
  const paths = new Set(CLIENTS.filter(isReader).map(({ rules }) => rules));
  const [first, ...others] = paths;
  if (first === undefined) {
    return [];
  }
  const home = others.length > 0 || files.includesAgents(first) ? AGENTS : first;
  paths.delete(home);
  const edits = [rulesEdit(home)];
  for (const path of paths) {
    if (files.isSame(path, home)) {
      continue;
    }
    if (holdsRules(path, files) || !files.includesAgents(path)) {
      edits.push(textBlock(path, `@${AGENTS}`));
    }
  }
  return edits;
}

/** Whether a file contains our rules. One that can't be read doesn't. */
const holdsRules = (path: string, files: ProjectFiles): boolean =>
  tryOr(() => holdsBlock(files.read(path) ?? ""), false);

/** The rules in a file. @internal */
export const rulesEdit = (path: string): Edit => textBlock(path, RULES);

/** The files that let git share the memory, and the attributes of the server's copy if there is one. */
export function gitEdits({ context: { memoryFile } }: Project, launches: Launches): Edit[] {
  const attributes = [memoryAttributes(memoryFile)];
  const edits = [
    ownLines(`${CONTEXT_FOLDER}/.gitattributes`, attributes, "git settings"),
    newFile(`${CONTEXT_FOLDER}/.gitignore`, memoryIgnores(memoryFile), "git settings"),
  ];
  if (launches.startsCopy) {
    edits.push(copyAttributes());
  }
  return edits;
}

/**
 * An empty memory. Once it's committed, git can merge the first lessons of two people. In a
 * subfolder of a repository, it marks a project.
 */
export function emptyMemory({ context: { memoryFile } }: Project): Edit {
  return newFile(`${CONTEXT_FOLDER}/${basename(memoryFile)}`, "", "memory");
}

/** Every edit that any `init` may have made in the project, to remove. */
export function allEdits(launches: Launches, project: Project, files: ProjectFiles): Edit[] {
  const edits: Edit[] = [];
  for (const client of CLIENTS) {
    for (const path of client.server.files) {
      edits.push(serverEdit(client, path, launches, files));
    }
    edits.push(...hookEdits(client, launches), rulesEdit(client.rules));
  }
  edits.push(...gitEdits(project, vendored(files)));
  edits.push(privateRule(files));
  const memory = emptyMemory(project);
  // Another memory may be a link, even to a place outside of the repository.
  if (!files.isLinked(memory.path)) {
    edits.push(memory);
  }
  return distinct(edits);
}

/** The edits without those of files that git tracks and a sparse checkout leaves out. */
export async function inCheckout<T extends { readonly path: string }>(
  edits: readonly T[],
  files: ProjectFiles,
): Promise<T[]> {
  const fullPath = ({ path }: T): string => join(files.folder, path);
  const left = new Set(leftOut(files.folder, edits.map(fullPath)));
  return edits.filter((edit) => !left.has(fullPath(edit)));
}

/** The edits without repetitions, because several clients read AGENTS.md. */
export function distinct(edits: readonly Edit[]): Edit[] {
  const byPlace = new Map<string, Edit>();
  for (const edit of edits) {
    byPlace.set(`${edit.path} ${edit.what}`, edit);
  }
  return [...byPlace.values()];
}

const PRIVATE = "# The memory is private (sentinel-memory init --private)";
const PERSONAL = "# Hooks of the person's own (sentinel-memory sessions on)";

/** Hides the memory from git. */
export function privateRule(files: ProjectFiles): Edit {
  return ownLines(EXCLUDE, [PRIVATE, `${ruleFor(files, CONTEXT_FOLDER)}/`], "private memory");
}

/** Hides a personal hook file from git. @param path from the project's folder. */
export function personalRule(files: ProjectFiles, path: string): Edit {
  return ownLines(EXCLUDE, [PERSONAL, ruleFor(files, path)], "exclude rule");
}

/** A rule from the root of the worktree, so that it doesn't match the name in another package. */
function ruleFor({ root, folder }: ProjectFiles, name: string): string {
  const folders = relative(root, folder).split(sep);
  const parts = [...folders, name].filter(Boolean);
  const path = parts.join("/");
  const escaped = path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`);
  return `/${escaped}`;
}

/** A file or folder that shows that a client is in use, if there is one. */
export function signOf({ signs, sessionHooks }: Client, files: ProjectFiles): string | undefined {
  const hookFile = sessionHooks?.path ?? "";
  return signs.find((sign) => files.exists(sign) && !holdsOurHooksOnly(sign, hookFile, files));
}

/** Whether a folder only contains the personal hook file that `sessions on` wrote. */
function holdsOurHooksOnly(folder: string, hookFile: string, files: ProjectFiles): boolean {
  if (dirname(hookFile) !== folder) {
    return false;
  }
  if (!files.holdsOnly(folder, basename(hookFile))) {
    return false;
  }
  const ours = sessionHookLines(hookFile, {});
  const text = tryOr(() => files.read(hookFile), undefined) ?? "";
  const rest = tryOr(() => ours.take(text), text);
  return rest === undefined;
}
