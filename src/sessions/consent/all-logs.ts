/** All session logs of this machine, also those whose project is gone. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isUlid } from "../../ground/core/ulid.ts";
import { fileError, ifThere } from "../../ground/files/file-errors.ts";
import { logsFolder } from "../../ground/project/context-folder.ts";
import { findLog } from "./find-log.ts";
import { stillHolds } from "./log-id.ts";
import { type LogManifest, readManifest } from "./manifest.ts";
import { type Environment, readPlaces } from "./places.ts";

export interface KeptLog {
  readonly id: string;
  readonly folder: string;
  /** Undefined where it cannot be read. */
  readonly manifest: LogManifest | undefined;
  /** Whether its project is where the manifest says, or was moved to the folder from which it is looked for. */
  readonly isThere: boolean;
}

/**
 * In the order in which they were made.
 * @param cwd a project that was moved is known by the folder where it is now; its manifest says the new place.
 * @throws SentinelError where the folder of the session logs is there and cannot be read.
 */
export async function allLogs(env: Environment, cwd: string): Promise<KeptLog[]> {
  const folder = logsFolder(readPlaces(env));
  const { record: moved, home } = await findLog(cwd, env);
  const ids = namesIn(folder).filter(isUlid).sort();
  return Promise.all(
    ids.map(async (id) => {
      const read = readManifest(join(folder, id));
      const manifest = typeof read === "object" ? read : undefined;
      if (manifest && home && moved?.id === id && moved.movedFrom !== undefined)
        return { id, folder: join(folder, id), manifest: { ...manifest, project: home.path }, isThere: true };
      const isThere = manifest !== undefined && (await stillHolds(manifest.project, id));
      return { id, folder: join(folder, id), manifest, isThere };
    }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return ifThere(() => readdirSync(folder)) ?? [];
  } catch (error) {
    throw fileError(error, "read_failed", `reading ${folder}`);
  }
}
