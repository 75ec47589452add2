/**
 * The edits that init makes in a project and uninstall looks for, the clients that a project uses, and how their entries start the server:
 * its copy, the package or another program. `edits/` has one file for each kind of edit.
 */
import { createRequire } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { type Client, commandLine, isOurEntry, SERVER_NAME } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import {
  DEVELOPMENT_DEPENDENCY,
  type Launches,
  launchesFor,
  vendoredBy,
  vendoredIn,
  withoutWorkspace,
} from "../../ground/clients/launch.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { nameBelow } from "../../ground/files/paths.ts";
import { CONTEXT_FOLDER, LOCAL_FILES } from "../../ground/project/context-folder.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { EXCLUDE, memoryAttributes, memoryIgnores } from "../../ground/project/git-files.ts";
import { leftOut } from "../../ground/project/not-checked-out.ts";
import { type Edit, newFile, ownFile, ownLines, textBlock } from "./edits/edit.ts";
import { entryEdit, formatOf } from "./edits/entry-edit.ts";
import { hookLines, sessionHookLines } from "./edits/hook-edit.ts";
import { holdsBlock } from "./edits/marked-block.ts";
import { LOCAL } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";
import { RULES } from "./rules.ts";
import { copyAttributes } from "./server-copy.ts";

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
function hookEdits({ hooks }: Client, { hook }: Launches): Edit[] {
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

/** The file in which this project lists the client's servers. */
export function configOf({ server }: Client, files: ProjectFiles): string {
  return server.files.find((path) => files.exists(path)) ?? server.files[0];
}

/**
 * Our server's entry in a client's configuration, or undefined.
 * @throws SentinelError `config_unreadable`, `bad_place`.
 */
export function presentEntry(client: Client, files: ProjectFiles): unknown {
  const { server } = client;
  const text = files.read(configOf(client, files));
  if (text === undefined) {
    return undefined;
  }
  return formatOf(server).valueAt(text, [server.key, SERVER_NAME]);
}

/** The project's folder from the root of its repository, with forward slashes. Empty at the root. */
export const placeInRepository = ({ root, folder }: ProjectFiles): string =>
  nameBelow(root, folder);

/** How the project's entries start its copy. */
export const vendored = (files: ProjectFiles): Launches => vendoredIn(placeInRepository(files));

/**
 * How the project starts the server: its copy, the command line that `init --command` chose, or as
 * a dependency.
 */
export function launchesInUse(files: ProjectFiles): Launches {
  for (const client of CLIENTS) {
    const launches = tryOr(() => launchesOf(client, files), undefined);
    if (launches) {
      return launches;
    }
  }
  return DEVELOPMENT_DEPENDENCY;
}

/** The launches of a client's entry. Undefined for a dependency, and for a program of the user. */
function launchesOf(client: Client, files: ProjectFiles): Launches | undefined {
  const entry = presentEntry(client, files);
  const words = commandLine(entry);
  if (vendoredBy(words)) {
    return vendored(files);
  }
  if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY)) {
    return undefined;
  }
  const launches = launchesFor(withoutWorkspace(words).join(" "));
  const isChosen = launches.hook !== undefined || isChosenHere(entry, client, files);
  return isChosen && isOurEntry(entry, client, launches) ? launches : undefined;
}

/** The note of the command line that `init --command` was given on this machine. */
export const COMMAND_NOTE = `${LOCAL}/${LOCAL_FILES.command}`;

/** Whether an entry starts the command line that was chosen on this machine. */
export function isChosenHere(entry: unknown, client: Client, files: ProjectFiles): boolean {
  const line = tryOr(() => files.read(COMMAND_NOTE), undefined);
  if (line === undefined) {
    return false;
  }
  return tryOr(() => isOurEntry(entry, client, launchesFor(line)), false);
}

/** Whether a client's entry starts a program that isn't ours and wasn't chosen on this machine. */
export function startsAnother(client: Client, files: ProjectFiles): boolean {
  const entry = tryOr(() => presentEntry(client, files), undefined);
  return entry !== undefined && !isOurEntry(entry, client, launchesInUse(files));
}

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];

/** Whether an import from the folder finds the package, as Node resolves it from there upward. */
export function isInstalled(folder: string): boolean {
  const require = createRequire(join(folder, "package.json"));
  return tryOr(() => require.resolve(`${packageJson.name}/cli`), undefined) !== undefined;
}

/** Whether the project depends on the package. A clone lists it before `npm install` has run. */
export function isDependency(files: ProjectFiles): boolean {
  if (isInstalled(files.folder)) {
    return true;
  }
  for (let folder = files.folder; ; folder = dirname(folder)) {
    if (isListedIn(folder, files)) {
      return true;
    }
    if (folder === files.root) {
      return false;
    }
  }
}

/** Whether a folder's package.json lists the package. npm reports a file that it can't read. */
function isListedIn(folder: string, files: ProjectFiles): boolean {
  const path = join(relative(files.folder, folder), "package.json");
  const manifest = tryOr(() => JSON.parse(files.read(path) ?? "{}"), undefined);
  return KINDS.some((kind) => manifest?.[kind]?.[packageJson.name] !== undefined);
}
