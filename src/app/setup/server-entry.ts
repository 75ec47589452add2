/** The server's entry in a client's configuration: its file, and the program that it starts: the copy, the package or another one. */
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
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
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { formatOf } from "./edits/entry-edit.ts";
import { LOCAL } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

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
  const isChosen = launches.here.hook !== undefined || isChosenHere(entry, client, files);
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
