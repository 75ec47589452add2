/** The server's entry in a client's configuration: where it stands, and by which line it starts the server. */
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
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { nameBelow } from "../../ground/files/named-file.ts";
import { formatOf } from "./edits/entry-edit.ts";
import { isUntouched, readInitManifest } from "./init-manifest.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The file in which this project lists the client's servers. */
export function configOf({ server }: Client, files: ProjectFiles): string {
  return server.files.find((path) => files.exists(path)) ?? server.files[0];
}

/** Our server's entry in a client's configuration; undefined when there is none. @throws SentinelError `config_unreadable`, `bad_place`. */
export function presentEntry(client: Client, files: ProjectFiles): unknown {
  return entryIn(client, files.read(configOf(client, files)));
}

/** The same in a text of that file. */
export function entryIn({ server }: Client, text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  return formatOf(server).valueAt(text.replace(/^\uFEFF/, ""), [server.key, SERVER_NAME]);
}

/** The project's folder from the root of its repository, with forward slashes; empty at the root. */
export const placeInRepository = ({ root, folder }: ProjectFiles): string =>
  nameBelow(root, folder);

/** How the project's entries start its copy. */
export const vendored = (files: ProjectFiles): Launches => vendoredIn(placeInRepository(files));

/** How the project starts the server: from its copy, with the line that an earlier `init --command` chose, or as a dependency. */
export function launchesInUse(files: ProjectFiles): Launches {
  for (const client of CLIENTS) {
    try {
      const entry = presentEntry(client, files);
      if (vendoredBy(commandLine(entry))) return vendored(files);
      if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY)) continue;
      const launches = launchesFor(withoutWorkspace(commandLine(entry)).join(" "));
      // Any other line is somebody's own.
      const isChosen = launches.here.hook !== undefined || isAsWritten(client, files);
      if (isChosen && isOurEntry(entry, client, launches)) return launches;
    } catch (error) {
      if (!(error instanceof SentinelError)) throw error;
    }
  }
  return DEVELOPMENT_DEPENDENCY;
}

/** Whether a client's list of servers is as init left it on this machine. */
export function isAsWritten(client: Client, files: ProjectFiles): boolean {
  const path = configOf(client, files);
  return isUntouched(readInitManifest(files).files[path], files.read(path) ?? "");
}

/** The words of a client's entry that starts a program which is not ours, and that nobody chose on this machine; undefined otherwise. */
export function otherProgram(client: Client, files: ProjectFiles): string[] | undefined {
  const entry = tryOr(() => presentEntry(client, files), undefined);
  if (entry === undefined || isOurEntry(entry, client, launchesInUse(files))) return undefined;
  return commandLine(entry);
}
