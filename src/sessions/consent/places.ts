/**
 * The folders of the user's data and of the clients. `sessions on` stores them, so that hooks and servers with another environment use the
 * same ones.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { configFolder, readPlacesFile } from "../../ground/project/config-folders.ts";
import { placesFile, platformData } from "../../ground/project/context-folder.ts";

/** Absolute paths of the user's data folder, which contains ours, and of the folders of Claude Code, Codex and Cursor. */
export interface Places {
  readonly data: string;
  readonly claude: string;
  readonly codex: string;
  readonly cursor: string;
}
export interface ResolvedPlaces extends Places {
  readonly isFileBroken: boolean;
}
export type Environment = Readonly<Record<string, string | undefined>>;

/** The stored places, or those of this environment if none are stored. Writes nothing. */
export function readPlaces(env: Environment): ResolvedPlaces {
  const file = readPlacesFile();
  const isFileBroken = file === "broken";
  const stored: Partial<Places> = isFileBroken ? {} : file;
  const clients = clientsIn(env);
  return {
    data:
      stored.data ??
      folderIn(env, "SENTINEL_DATA") ??
      folderIn(env, "XDG_DATA_HOME") ??
      platformData(),
    claude: stored.claude ?? clients.claude ?? join(homedir(), ".claude"),
    codex: stored.codex ?? clients.codex ?? join(homedir(), ".codex"),
    cursor: stored.cursor ?? clients.cursor ?? join(homedir(), ".cursor"),
    isFileBroken,
  };
}

/** Stores the places. Stored values stay, except client folders that this environment sets. */
export async function writePlaces(env: Environment): Promise<void> {
  const { data, ...stored } = readPlaces(env);
  const clients = clientsIn(env);
  const config = configFolder();
  const places = {
    data,
    claude: clients.claude ?? stored.claude,
    codex: clients.codex ?? stored.codex,
    cursor: clients.cursor ?? stored.cursor,
    // JSON has no key for undefined.
    config: isAbsolute(config) ? config : undefined,
  };
  const text = `${JSON.stringify(places, null, 2)}\n`;
  await changeUserFile(placesFile(), (before) => (before === text ? undefined : text));
}

function clientsIn(env: Environment) {
  return {
    claude: folderIn(env, "CLAUDE_CONFIG_DIR"),
    codex: folderIn(env, "CODEX_HOME"),
    cursor: folderIn(env, "CURSOR_DATA_DIR"),
  };
}

/** Ignores relative paths, which would differ in each process. */
function folderIn(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  return value && isAbsolute(value) ? value : undefined;
}
