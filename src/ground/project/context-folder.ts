/** The paths in `.context/`, both shared and in `.local/`, which stays on this machine, and the user's folders. */
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { isWithin } from "../files/paths.ts";

export const CONTEXT_FOLDER = ".context";
export const LOCAL_FOLDER = ".local";
/** The folder of the server's copy, relative to the project's folder. */
export const SERVER_FOLDER = `${CONTEXT_FOLDER}/server`;
export const SERVER_FILE = "sentinel-memory.cjs";

/** Whether a program is a project's copy. @param build its folder. */
export const isCopy = (build: string): boolean => build.endsWith(join(sep, SERVER_FOLDER));

/** Returns a copy's project if a folder is outside it. Otherwise undefined. @param build the folder of the program. */
export function copyElsewhere(build: string, folder: string): string | undefined {
  const own = dirname(dirname(build));
  return isCopy(build) && !isWithin(own, folder) ? own : undefined;
}

/** The files in `.context/.local/`. */
export const LOCAL_FILES = {
  trash: "trash.jsonl",
  hookState: "hook-state.json",
  given: "given.jsonl",
  hookErrors: "hook-errors.log",
  command: "init-command",
  record: "record",
  notes: "candidate-notes.json",
} as const;

/** Absolute paths. None of them has to exist. */
export interface ContextFolder {
  /** The folder that is committed. */
  readonly shared: string;
  readonly memoryFile: string;
  readonly memoryPolicy: string;
  readonly privacyPolicy: string;
  readonly budgetsPolicy: string;
  readonly channelsPolicy: string;
  /** The folder with texts that are added to every bundle. */
  readonly views: string;
  /** The user's own folder. `localFile` checks the files in it. */
  readonly local: string;
}

/** Returns the paths of a memory. @param shared path of the `.context` folder. */
export function contextFolder(shared: string): ContextFolder {
  return {
    shared,
    memoryFile: join(shared, "memory_log.jsonl"),
    memoryPolicy: join(shared, "policies", "memory.yaml"),
    privacyPolicy: join(shared, "policies", "privacy.yaml"),
    budgetsPolicy: join(shared, "policies", "budgets.yaml"),
    channelsPolicy: join(shared, "policies", "channels.yaml"),
    views: join(shared, "views"),
    local: join(shared, LOCAL_FOLDER),
  };
}

/** The name of our folder inside the platform's folders. */
export const OURS = "sentinel-memory";

/** Returns the folder of all session logs on this machine. @param data the platform's folder for user data. */
export const logsFolder = ({ data }: { readonly data: string }): string =>
  join(data, OURS, "records");

/** A file in the folder of each session log. */
export const MANIFEST_NAME = "manifest.json";

/** Returns the file in which `sessions on` notes the user's folders. Its path depends only on the home folder. */
export const placesFile = (): string => join(platformData(), OURS, "places.json");

/** Returns the platform's folder for user data. `env-paths` follows XDG_DATA_HOME, which not all of a user's processes have set. */
export function platformData(): string {
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
