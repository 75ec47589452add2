/** Which edits init makes in a project, and which uninstall looks for. `edits/` says how each is made. */
import { basename, join } from "node:path";
import {
  type Client,
  commandLine,
  type RulesFile,
  SERVER_NAME,
} from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, type Launches, vendoredBy } from "../../ground/clients/launch.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { earlierAttributes, gitFiles, memoryAttributes } from "../../ground/project/git-files.ts";
import { leftOut } from "../../ground/project/not-checked-out.ts";
import { type Edit, newFile, newLine, ownFile, textBlock } from "./edits/edit.ts";
import { entryEdit, formatOf } from "./edits/entry-edit.ts";
import { privateRule } from "./edits/exclude-rule.ts";
import { hookLines } from "./edits/hook-edit.ts";
import { holdsBlock } from "./edits/marked-block.ts";
import { readInitManifest } from "./init-manifest.ts";
import type { ProjectFiles } from "./project-files.ts";
import { RULES } from "./rules.ts";
import { copyAttributes, copyRemovals } from "./server-copy.ts";
import { configOf, presentEntry, vendored } from "./server-entry.ts";

const AGENTS = "AGENTS.md";

/** The edits for clients: the entry of the server, rules, and hooks unless the launches have no line for them. */
export function clientEdits(
  clients: readonly Client[],
  launches: Launches,
  files: ProjectFiles,
): Edit[] {
  const reader = clients.find((client) => sharesRules(client, clients, files));
  const edits = clients.flatMap((client) => [
    serverEdit(client, launches, configOf(client, files), files),
    ...(reader ? [] : ownRules(client, files)),
    ...hooksEdits(client, launches),
  ]);
  return reader ? [...edits, ...sharedRules(reader, clients, files)] : edits;
}

function hooksEdits({ hooks }: Client, launches: Launches): Edit[] {
  const { hook } = launches.here;
  return hooks && hook !== undefined ? [hooksEdit(hooks, hook)] : [];
}

function hooksEdit(
  { path, table, plugin, frame }: NonNullable<Client["hooks"]>,
  hook: string,
): Edit {
  return plugin
    ? ownFile(path, plugin(hook), "hooks")
    : hookLines(path, table?.(hook) ?? {}, frame);
}

function serverEdit(client: Client, launches: Launches, path: string, files: ProjectFiles): Edit {
  const { server } = client;
  // An entry that starts the server in another of our ways is ours too: `init --vendor` changes it, or an `init` after a move of the folder.
  const present = tryOr(() => vendoredBy(commandLine(presentEntry(client, files))), undefined);
  const ways = [launches, DEVELOPMENT_DEPENDENCY, vendored(files), present ?? launches];
  const others = ways.map((other) => server.entry(other));
  return entryEdit(
    path,
    [server.key, SERVER_NAME],
    server.entry(launches),
    formatOf(server),
    others,
  );
}

function ownRules(client: Client, files: ProjectFiles): Edit[] {
  return rulesOf(client, files).map((rules) =>
    rulesEdit(files.includesAgents(rules.path) ? { path: AGENTS } : rules),
  );
}

/** Whether a client finds our rules in a file of another client. */
function sharesRules(
  { rules, alsoReads = [] }: Client,
  clients: readonly Client[],
  files: ProjectFiles,
): boolean {
  // Some of its versions read only the older of its files.
  if (rules.slice(1).some(({ path }) => holdsOurRules(path, files))) return false;
  const others = clients.flatMap((client) => client.rules.map(({ path }) => path));
  return alsoReads.some((path) => others.includes(path) || holdsOurRules(path, files));
}

/** Our rules in AGENTS.md, which the other files that the reader finds them in include, so that each client gets them once. */
function sharedRules(reader: Client, clients: readonly Client[], files: ProjectFiles): Edit[] {
  const { rules, alsoReads = [] } = reader;
  const includes = alsoReads
    .filter((path) => needsInclude(path, clients, files))
    .map((path) => textBlock(path, `@${AGENTS}`));
  const others = clients
    .filter((client) => client !== reader)
    .flatMap((client) => ownRules(client, files))
    .filter(({ path }) => !alsoReads.includes(path));
  const moved = rules
    .filter(({ path }) => holdsOurRules(path, files))
    .map((rule): Edit => ({ ...rulesEdit(rule), isMoved: true }));
  return [rulesEdit({ path: AGENTS }), ...includes, ...others, ...moved];
}

/** Whether our block in a file includes AGENTS.md: clients read the file, and nothing else in it includes AGENTS.md. */
function needsInclude(path: string, clients: readonly Client[], files: ProjectFiles): boolean {
  if (path === AGENTS || files.isSame(path, AGENTS)) return false;
  if (holdsOurRules(path, files)) return true;
  const isRead = clients.some(({ rules }) => rules.some((rule) => rule.path === path));
  return isRead && !files.includesAgents(path);
}

function rulesOf({ rules }: Client, files: ProjectFiles): readonly RulesFile[] {
  const inUse = rules.filter(({ path }) => holdsOurRules(path, files));
  return inUse.length > 0 ? inUse : rules.slice(0, 1);
}

function holdsOurRules(path: string, files: ProjectFiles): boolean {
  // Whatever is wrong with it, ours are not in it.
  return tryOr(() => holdsBlock(files.read(path) ?? ""), false);
}

/** Our rules in a file of that path. @internal */
export const rulesEdit = ({ path, head }: RulesFile): Edit => textBlock(path, RULES, head);

/** The files that let git share the memory, and the copy of the server if the project keeps one. */
export function gitEdits({ context: { memoryFile } }: Project, launches: Launches): Edit[] {
  const [attributes, earlier] = [memoryAttributes(memoryFile), earlierAttributes(memoryFile)];
  const edits = Object.entries(gitFiles(memoryFile)).map(([name, text]) => {
    const path = `${CONTEXT_FOLDER}/${name}`;
    if (name === ".gitattributes") return newLine(path, attributes, earlier, "git settings");
    return newFile(path, text, "git settings");
  });
  return launches.startsCopy ? [...edits, copyAttributes()] : edits;
}

/** An empty memory. Once committed, the first lessons of two people merge; in a folder of a larger repository it marks a project of its own. */
export function emptyMemory({ context: { memoryFile } }: Project): Edit {
  return newFile(`${CONTEXT_FOLDER}/${basename(memoryFile)}`, "", "memory");
}

/** Every edit that any init may have made in the project, for taking out. */
export function allEdits(launches: Launches, project: Project, files: ProjectFiles): Edit[] {
  const edits = CLIENTS.flatMap((client) => [
    ...client.server.files.map((path) => serverEdit(client, launches, path, files)),
    ...hooksEdits(client, launches),
    ...client.rules.map(rulesEdit),
  ]);
  const memory = emptyMemory(project);
  const memories = mayBeOurs(memory, files) ? [memory] : [];
  return distinct([
    ...edits,
    ...gitEdits(project, vendored(files)),
    ...copyRemovals(files),
    ...memories,
    privateRule(files),
  ]);
}

/** Whether init may have written the empty memory: the manifest says so, or is missing as in a clone. A link is never ours. */
function mayBeOurs({ path }: Edit, files: ProjectFiles): boolean {
  const { files: noted } = readInitManifest(files);
  return (Object.keys(noted).length === 0 || path in noted) && !files.isLink(path);
}

/** Without the edits of files that git tracks and this checkout leaves out: they may be in place. */
export async function inCheckout(edits: readonly Edit[], files: ProjectFiles): Promise<Edit[]> {
  const paths = edits.map(({ path }) => join(files.folder, path));
  const left = new Set(await leftOut(files.folder, paths));
  return edits.filter((_, at) => !left.has(paths[at] as string));
}

/** Without repetitions: several clients read AGENTS.md. */
export function distinct(edits: readonly Edit[]): Edit[] {
  return [...new Map(edits.map((edit) => [`${edit.path} ${edit.what}`, edit])).values()];
}
