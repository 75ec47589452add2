/** What an entry of a server says, as any client may spell it. Where it stands in a file, `setup/server-entry.ts` knows. */
import { isDeepStrictEqual } from "node:util";
import type { Client, Entry } from "./client.ts";
import type { Launches } from "./launch.ts";

/** The name of our entry. */
export const SERVER_NAME = "sentinel-memory";

/** The words of an entry's command line; none for a value that is not an entry. */
export function commandLine(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args = [] } = entry as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** The variables that an entry sets for its server. */
export function environmentOf(entry: unknown): [string, string][] {
  const { env, environment = env } = { ...(entry as { env?: unknown; environment?: unknown } | null) };
  const pairs: [string, unknown][] = Object.entries({ ...(environment as object | undefined) });
  return pairs.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

/** Whether an entry is the wanted one, with or without what its user added: an environment, a time limit. */
export function holdsEntry(present: unknown, wanted: Entry): boolean {
  if (typeof present !== "object" || present === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    isDeepStrictEqual((present as Record<string, unknown>)[key], value),
  );
}

/** Whether `init` wrote an entry for these launches, in this version or in an earlier one. */
export function isOurEntry(present: unknown, client: Client, launches: Launches): boolean {
  return spellings(client, launches).some((entry) => holdsEntry(present, entry));
}

/** The entry for these launches, as this version spells it and as an earlier one did. */
export function spellings({ server }: Client, launches: Launches): readonly Entry[] {
  return [server.entry(launches), ...(server.earlierEntry ? [server.earlierEntry(launches)] : [])];
}
