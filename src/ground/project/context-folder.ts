/** Every path below `.context/`, shared or in `.local/`, which stays on this machine; and where the person's own folders begin. */
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { isWithin } from "../files/named-file.ts";

export const CONTEXT_FOLDER = ".context";
export const LOCAL_FOLDER = ".local";
/** Where a project can keep the server as one file; from the project's folder. */
export const SERVER_FOLDER = `${CONTEXT_FOLDER}/server`;
export const SERVER_FILE = "sentinel-memory.cjs";

/** Whether a program is the copy that a project keeps. @param build its folder. */
export const isCopy = (build: string): boolean => build.endsWith(join(sep, SERVER_FOLDER));

/** The project of a copy, if a folder lies outside it. @param build the folder of the program. */
export function copyElsewhere(build: string, folder: string): string | undefined {
  const own = dirname(dirname(build));
  return isCopy(build) && !isWithin(own, folder) ? own : undefined;
}

/** Names in the local root. */
export const LOCAL_FILES = {
  trash: "trash.jsonl",
  hookState: "hook-state.json",
  given: "given.jsonl",
  hookErrors: "hook-errors.log",
  manifest: "init.json",
  record: "record",
  notes: "candidate-notes.jsonl",
  never: "never-candidates.jsonl",
} as const;

/** Absolute paths; none of them need exist. */
export type ContextFolder = Readonly<ReturnType<typeof contextFolder>>;

/** @param shared path of the `.context` folder. */
export function contextFolder(shared: string) {
  return {
    /** The root of what is committed. */
    shared,
    memoryFile: join(shared, "memory_log.jsonl"),
    memoryPolicy: join(shared, "policies", "memory.yaml"),
    privacyPolicy: join(shared, "policies", "privacy.yaml"),
    budgetsPolicy: join(shared, "policies", "budgets.yaml"),
    channelsPolicy: join(shared, "policies", "channels.yaml"),
    /** The folder of what people wrote for every bundle. */
    views: join(shared, "views"),
    /** The root of what is the person's own; the files below it are checked by `localFile`. */
    local: join(shared, LOCAL_FOLDER),
  };
}

/** The name of our folder among those of other programs. */
export const OURS = "sentinel-memory";

/** The folder of all session logs of this machine. @param data the folder in which programs keep a person's data. */
export const logsFolder = ({ data }: { readonly data: string }): string =>
  join(data, OURS, "records");

/** In the folder of each session log. */
export const MANIFEST_NAME = "manifest.json";

/** Where `sessions on` writes down where a person's folders are: a place that depends on the home folder alone. */
export const placesFile = (): string => join(platformData(), OURS, "places.json");

/** The platform's folder for a person's data. `env-paths` follows XDG_DATA_HOME, which one process of a person sees and another does not. */
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
