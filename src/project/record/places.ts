/**
 * Where the person's own data and the clients' folders are.
 *
 * Hosts pass different environments to a shell, a hook and a server, so `record on` writes down what it resolved, in a place
 * that depends on the home folder alone. Everybody reads that first; a variable that says otherwise is reported, not followed.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { hasCode } from "../../files/file-errors.ts";
import { changeUserFile } from "../../files/user-folder.ts";

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

const OURS = "sentinel-memory";
const VARIABLES = { data: "SENTINEL_DATA", claude: "CLAUDE_CONFIG_DIR", codex: "CODEX_HOME" } as const;
const NAMES = Object.keys(VARIABLES) as (keyof Places)[];

/** The file in which `record on` writes the places down. */
export function placesFile(): string {
  return join(platformData(), OURS, "places.json");
}

/** The folder of all records of this machine. */
export function recordsFolder({ data }: Places): string {
  return join(data, OURS, "records");
}

/** The places as everybody uses them; looks, but writes nothing. */
export function readPlaces(env: Environment): ResolvedPlaces {
  const file = readPlacesFile();
  const written = file === "broken" ? {} : file;
  const fresh = placesBy(env);
  const disagreements = NAMES.flatMap((name) => {
    const variable = VARIABLES[name];
    const says = env[variable];
    const inUse = written[name] ?? fresh[name];
    return says && resolve(says) !== resolve(inUse) ? [{ variable, says, inUse }] : [];
  });
  return { ...fresh, ...written, disagreements, isFileBroken: file === "broken" };
}

/**
 * Writes the places down, so that everybody finds the same ones. What is written already stays, but for the folder of a
 * client that this environment names.
 */
export async function writePlaces(env: Environment): Promise<void> {
  const { data, claude, codex } = { ...readPlaces(env), ...clientsBy(env) };
  const text = `${JSON.stringify({ data, claude, codex }, null, 2)}\n`;
  await changeUserFile(placesFile(), (before) => (before === text ? undefined : text));
}

function placesBy(env: Environment): Places {
  return {
    data: folderIn(env, VARIABLES.data) ?? folderIn(env, "XDG_DATA_HOME") ?? platformData(),
    claude: join(homedir(), ".claude"),
    codex: join(homedir(), ".codex"),
    ...clientsBy(env),
  };
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

function readPlacesFile(): Partial<Places> | "broken" {
  try {
    const written = JSON.parse(readFileSync(placesFile(), "utf8")) as Record<string, unknown>;
    const folders = NAMES.flatMap((name) => {
      const folder = written[name];
      return typeof folder === "string" && isAbsolute(folder) ? [[name, folder] as const] : [];
    });
    return folders.length === NAMES.length ? Object.fromEntries(folders) : "broken";
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? {} : "broken";
  }
}

/**
 * The platform's folder for a person's data, whatever the environment says. `env-paths` has the same table, but follows
 * XDG_DATA_HOME, which one process of a person sees and another does not.
 */
function platformData(): string {
  const home = homedir();
  switch (process.platform) {
    case "darwin":
      return join(home, "Library", "Application Support");
    case "win32":
      return join(home, "AppData", "Local");
    default:
      return join(home, ".local", "share");
  }
}
