/**
 * The folders of the user's data and of the clients, as stored by `sessions on`. Later differences in the environment are reported but not
 * used.
 */
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { comparablePath } from "../../ground/files/windows-paths.ts";
import { configFolder, configFolderHere } from "../../ground/project/config-folders.ts";
import { OURS, placesFile, platformData } from "../../ground/project/context-folder.ts";
import { readPlacesFile, type WrittenPlaces } from "../../ground/project/places-file.ts";

/** The user's data folder, which contains ours, and the folders of Claude Code, Codex and Cursor. */
export type Places = Readonly<Record<keyof typeof VARIABLES, string>>;
export type Environment = Readonly<Record<string, string | undefined>>;
export type ResolvedPlaces = ReturnType<typeof readPlaces>;

const CONFIG = "XDG_CONFIG_HOME";
const VARIABLES = {
  data: "SENTINEL_DATA",
  claude: "CLAUDE_CONFIG_DIR",
  codex: "CODEX_HOME",
  cursor: "CURSOR_DATA_DIR",
} as const;
const NAMES = Object.keys(VARIABLES) as (keyof Places)[];

/** The stored places, and the variables that differ from them. Writes nothing. */
export function readPlaces(env: Environment) {
  const file = readPlacesFile();
  const { config, ...written }: WrittenPlaces = file === "broken" ? {} : file;
  const places: Places = {
    data: folderIn(env, VARIABLES.data) ?? folderIn(env, "XDG_DATA_HOME") ?? platformData(),
    claude: join(homedir(), ".claude"),
    codex: join(homedir(), ".codex"),
    cursor: join(homedir(), ".cursor"),
    ...clientsBy(env),
    ...written,
  };
  const disagreements = NAMES.flatMap((name) => {
    const [variable, inUse] = [VARIABLES[name], places[name]];
    const says = env[variable];
    return says && !isSame(says, inUse) ? [{ variable, says, inUse }] : [];
  });
  return {
    ...places,
    disagreements: [...disagreements, ...configDisagreement(env, config)],
    isFileBroken: file === "broken",
  };
}

const isSame = (a: string, b: string): boolean =>
  comparablePath(resolve(a)) === comparablePath(resolve(b));

/** The variable points to the parent folder, and only some platforms use it. */
function configDisagreement(env: Environment, config: string | undefined) {
  const says = env[CONFIG];
  if (!says || config === undefined || basename(config) !== OURS || configFolderHere() === config)
    return [];
  const inUse = dirname(config);
  return isSame(says, inUse) ? [] : [{ variable: CONFIG, says, inUse }];
}

/** Stores the places. Stored values stay, except client folders that this environment sets. */
export async function writePlaces(env: Environment): Promise<void> {
  const { data, claude, codex, cursor } = { ...readPlaces(env), ...clientsBy(env) };
  const config = configFolder();
  const places = { data, claude, codex, cursor, ...(isAbsolute(config) && { config }) };
  const text = `${JSON.stringify(places, null, 2)}\n`;
  await changeUserFile(placesFile(), (before) => (before === text ? undefined : text));
}

function clientsBy(env: Environment): Partial<Places> {
  const places: Partial<Record<keyof Places, string>> = {};
  for (const name of ["claude", "codex", "cursor"] as const) {
    const folder = folderIn(env, VARIABLES[name]);
    if (folder !== undefined) places[name] = folder;
  }
  return places;
}

/** Ignores relative paths, which would differ in each process. */
function folderIn(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  return value && isAbsolute(value) ? value : undefined;
}
