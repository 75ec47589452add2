/** The server's entry in a client's configuration: what stands there, and by which line it starts the server. */
import { isDeepStrictEqual } from "node:util";
import { CLIENTS, type Client, type Entry, SERVER_NAME } from "../clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, type Launches, launchesFor, withoutWorkspace } from "../clients/launch.ts";
import { SentinelError } from "../core/errors.ts";
import { valueAt } from "./edits/json.ts";
import { tableAt } from "./edits/toml.ts";
import { configOf } from "./project-edits.ts";
import type { ProjectFiles } from "./project-files.ts";

/**
 * What a client's configuration says of our server; undefined when it says nothing.
 *
 * @throws SentinelError `config_unreadable`, `bad_place`.
 */
export function presentEntry(client: Client, files: ProjectFiles): unknown {
  const path = configOf(client, files);
  const text = files.read(path)?.replace(/^\uFEFF/, "");
  if (text === undefined) return undefined;
  return path.endsWith(".toml") ? tableAt(text, [client.key, SERVER_NAME]) : valueAt(text, [client.key, SERVER_NAME]);
}

/** The words of the command line of an entry, in the spelling of any client; none for what is no entry. */
export function commandLine(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args = [] } = entry as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** The variables that an entry sets for its server, in the spelling of any client. */
export function environmentOf(entry: unknown): [string, string][] {
  const { env, environment = env } = { ...(entry as { env?: unknown; environment?: unknown } | null) };
  const pairs: [string, unknown][] = Object.entries({ ...(environment as object | undefined) });
  return pairs.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

/** Whether an entry is the wanted one, whatever its user added to it: an environment, a time limit. */
export function holdsEntry(present: unknown, wanted: Entry): boolean {
  if (typeof present !== "object" || present === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    isDeepStrictEqual((present as Record<string, unknown>)[key], value),
  );
}

/** Whether init wrote an entry, in this version or in an earlier one, for these launches. */
export function isOurEntry(present: unknown, { entry, earlierEntry }: Client, launches: Launches): boolean {
  return [entry, earlierEntry].some((spelt) => spelt !== undefined && holdsEntry(present, spelt(launches)));
}

/** How the project starts the server: by the line that an earlier `init --command` chose, or as a dependency. */
export function launchesInUse(files: ProjectFiles): Launches {
  for (const client of CLIENTS) {
    try {
      const entry = presentEntry(client, files);
      if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY)) continue;
      const launches = launchesFor(withoutWorkspace(commandLine(entry)).join(" "));
      // A line of somebody's own is no choice of ours to keep to; one that names the program was told to init.
      if (launches.here.hook !== undefined && isOurEntry(entry, client, launches)) return launches;
    } catch (error) {
      if (!(error instanceof SentinelError)) throw error;
    }
  }
  return DEVELOPMENT_DEPENDENCY;
}
