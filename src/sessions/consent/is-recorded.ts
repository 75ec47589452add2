/** A quick check whether a project is recorded. It runs at every start, without git. False if anything is unusual. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { logsFolder, MANIFEST_NAME, placesFile } from "../../ground/project/context-folder.ts";
import { namesProject } from "../../ground/project/repository.ts";
import { readLogId } from "./log-id.ts";
import type { LogManifest } from "./manifest.ts";
import type { Places } from "./places.ts";

/** @param folder the project's. */
export function isRecorded(folder: string): boolean {
  try {
    const places: Places = JSON.parse(readFileSync(placesFile(), "utf8"));
    const id = readLogId(folder) ?? "";
    const file = join(logsFolder(places), id, MANIFEST_NAME);
    const manifest: LogManifest = JSON.parse(readFileSync(file, "utf8"));
    const isOn = manifest.intervals.some(({ off }) => off === undefined);
    return (
      isOn &&
      manifest.id === id &&
      (namesProject(manifest.project, folder) || !existsSync(manifest.project))
    );
  } catch {
    return false;
  }
}
