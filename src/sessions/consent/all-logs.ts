/** All session logs on this machine, including those of deleted projects. */
import { join } from "node:path";
import { isUlid } from "../../ground/core/ulid.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { logsFolder } from "../../ground/project/context-folder.ts";
import { stillHolds } from "./log-id.ts";
import { type LogManifest, readManifest } from "./manifest.ts";
import { type Environment, readPlaces } from "./places.ts";

export interface KeptLog {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  /** Undefined if it can't be read. */
  readonly manifest: LogManifest | undefined;
  /** Whether the project still exists at its recorded path. */
  readonly isThere: boolean;
}

/** All logs, the oldest first. @throws SentinelError if the logs can't be read. */
export async function allLogs(env: Environment): Promise<KeptLog[]> {
  const root = logsFolder(readPlaces(env));
  const ids = (await namesIn(root)).filter(isUlid);
  return ids.map((id) => {
    const folder = join(root, id);
    const manifest = readManifest(folder);
    if (typeof manifest !== "object") return { id, folder, manifest: undefined, isThere: false };
    return { id, folder, manifest, isThere: stillHolds(manifest.project, id) };
  });
}
