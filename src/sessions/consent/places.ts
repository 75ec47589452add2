/**
 * Where the person's own data and the clients' folders are.
 *
 * Hosts pass different environments to a shell, a hook and a server, so `record on` writes down what it resolved, in a place
 * that depends on the home folder alone. Everybody reads that first; a variable that says otherwise is reported, not followed.
 */
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { configFolder, configFolderHere } from "../../ground/project/config-folders.ts";
import { OURS, placesFile, platformData } from "../../ground/project/context-folder.ts";
import { readPlacesFile, type WrittenPlaces } from "../../ground/project/places-file.ts";

export interface Places {
  /** The folder in which programs keep a person's data; ours is below it. */
  readonly data: string;
  /** The folder of Claude Code's own files. */
  readonly claude: string;
  /** The folder of Codex's own files. */
  readonly codex: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that names another folder than the one in use. */
interface Disagreement {
  readonly variable: string;
  readonly says: string;
  readonly inUse: string;
}

export interface ResolvedPlaces extends Places {
  /** Whether the file in which they are written down is there and cannot be read. */
  readonly isFileBroken: boolean;
  readonly disagreements: readonly Disagreement[];
}

const CONFIG = "XDG_CONFIG_HOME";
const VARIABLES = { data: "SENTINEL_DATA", claude: "CLAUDE_CONFIG_DIR", codex: "CODEX_HOME" } as const;
const NAMES = Object.keys(VARIABLES) as (keyof Places)[];

/** The places as everybody uses them; looks, but writes nothing. */
export function readPlaces(env: Environment): ResolvedPlaces {
  const file = readPlacesFile();
  const written = file === "broken" ? {} : file;
  const fresh = {
    data: folderIn(env, VARIABLES.data) ?? folderIn(env, "XDG_DATA_HOME") ?? platformData(),
    claude: join(homedir(), ".claude"),
    codex: join(homedir(), ".codex"),
    ...clientsBy(env),
  };
  const disagreements = NAMES.flatMap((name) => {
    const variable = VARIABLES[name];
    const says = env[variable];
    const inUse = written[name] ?? fresh[name];
    return says && resolve(says) !== resolve(inUse) ? [{ variable, says, inUse }] : [];
  });
  const { config: _, ...folders } = written;
  return {
    ...fresh,
    ...folders,
    disagreements: [...disagreements, ...configDisagreement(env, written)],
    isFileBroken: file === "broken",
  };
}

/** The variable names the folder above ours, and only some platforms follow it. */
function configDisagreement(env: Environment, { config }: WrittenPlaces): Disagreement[] {
  const says = env[CONFIG];
  if (!says || config === undefined || basename(config) !== OURS || configFolderHere() === config) return [];
  const inUse = dirname(config);
  return resolve(says) === inUse ? [] : [{ variable: CONFIG, says, inUse }];
}

/**
 * Writes the places down, so that everybody finds the same ones. What is written already stays, but for the folder of a
 * client that this environment names.
 */
export async function writePlaces(env: Environment): Promise<void> {
  const { data, claude, codex } = { ...readPlaces(env), ...clientsBy(env) };
  const config = configFolder();
  const places = { data, claude, codex, ...(isAbsolute(config) && { config }) };
  const text = `${JSON.stringify(places, null, 2)}\n`;
  await changeUserFile(placesFile(), (before) => (before === text ? undefined : text));
}

function clientsBy(env: Environment): Partial<Places> {
  const [claude, codex] = [folderIn(env, VARIABLES.claude), folderIn(env, VARIABLES.codex)];
  return { ...(claude !== undefined && { claude }), ...(codex !== undefined && { codex }) };
}

/** A relative path would mean another folder in every process. */
function folderIn(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  return value && isAbsolute(value) ? value : undefined;
}
