/**
 * The folders of the user's data and of the clients. `sessions on` stores them, so that hooks and servers with another environment use the
 * same ones.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { configFolder } from "../../ground/project/config-folders.ts";
import { placesFile, platformData } from "../../ground/project/context-folder.ts";
import { readPlacesFile } from "../../ground/project/places-file.ts";

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

/** For each client, the variable with its folder, and the folder's usual name in the user's home. */
const CLIENTS = {
  claude: ["CLAUDE_CONFIG_DIR", ".claude"],
  codex: ["CODEX_HOME", ".codex"],
  cursor: ["CURSOR_DATA_DIR", ".cursor"],
} as const;

/** The stored places, or those of this environment if none are stored. Writes nothing. */
export function readPlaces(env: Environment): ResolvedPlaces {
  const file = readPlacesFile();
  const isFileBroken = file === "broken";
  const stored: Partial<Places> = isFileBroken ? {} : file;
  const folderOf = (client: keyof typeof CLIENTS) => {
    const [variable, name] = CLIENTS[client];
    return stored[client] ?? folderIn(env, variable) ?? join(homedir(), name);
  };
  return {
    data:
      stored.data ??
      folderIn(env, "SENTINEL_DATA") ??
      folderIn(env, "XDG_DATA_HOME") ??
      platformData(),
    claude: folderOf("claude"),
    codex: folderOf("codex"),
    cursor: folderOf("cursor"),
    isFileBroken,
  };
}

/** Stores the places. Stored values stay, except client folders that this environment sets. */
export async function writePlaces(env: Environment): Promise<void> {
  const { data, claude, codex, cursor } = readPlaces(env);
  const config = configFolder();
  const places = {
    data,
    claude: folderIn(env, CLIENTS.claude[0]) ?? claude,
    codex: folderIn(env, CLIENTS.codex[0]) ?? codex,
    cursor: folderIn(env, CLIENTS.cursor[0]) ?? cursor,
    // JSON has no key for undefined.
    config: isAbsolute(config) ? config : undefined,
  };
  const text = `${JSON.stringify(places, null, 2)}\n`;
  await changeUserFile(placesFile(), (before) => (before === text ? undefined : text));
}

/** Ignores relative paths, which would differ in each process. */
function folderIn(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  return value && isAbsolute(value) ? value : undefined;
}
