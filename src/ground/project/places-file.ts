/** The file in which `sessions on` notes the user's folders. Its path depends only on the home folder. */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { hasCode } from "../files/file-errors.ts";
import { placesFile } from "./context-folder.ts";

const NAMES = ["data", "claude", "codex", "cursor"] as const;

/** Absolute paths. `config`, our settings folder, is undefined if its path wasn't absolute. */
export type WrittenPlaces = Readonly<Partial<Record<(typeof NAMES)[number] | "config", string>>>;

/** Returns the noted folders. Empty if the file is missing. */
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
