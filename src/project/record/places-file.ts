/** The file in which `record on` writes down where a person's folders are, at a place that depends on the home folder alone. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { hasCode } from "../../files/file-errors.ts";

export const OURS = "sentinel-memory";
const NAMES = ["data", "claude", "codex"] as const;

/** Absolute paths; `config`, our own folder of settings, is absent where an environment had none that is. */
export type WrittenPlaces = Readonly<Partial<Record<(typeof NAMES)[number] | "config", string>>>;

/** The folder of all records of this machine. @param data the folder in which programs keep a person's data. */
export function recordsFolder({ data }: { readonly data: string }): string {
  return join(data, OURS, "records");
}

export function placesFile(): string {
  return join(platformData(), OURS, "places.json");
}

/** Nothing where there is no such file. */
export function readPlacesFile(): WrittenPlaces | "broken" {
  try {
    const written = JSON.parse(readFileSync(placesFile(), "utf8")) as Record<string, unknown>;
    const folders = [...NAMES, "config"].flatMap((name) => {
      const folder = written[name];
      return typeof folder === "string" && isAbsolute(folder) ? [[name, folder] as const] : [];
    });
    const places = Object.fromEntries(folders);
    return NAMES.every((name) => name in places) ? places : "broken";
  } catch (error) {
    return hasCode(error, "ENOENT", "ENOTDIR") ? {} : "broken";
  }
}

/**
 * The platform's folder for a person's data, whatever the environment says. `env-paths` has the same table, but follows
 * XDG_DATA_HOME, which one process of a person sees and another does not.
 */
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
