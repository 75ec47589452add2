/** All session logs on this machine, including those of deleted projects. */
import { join } from "node:path";
import { isUlid } from "../../ground/core/ulid.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import { logsFolder } from "../../ground/project/context-folder.ts";
import { findLog } from "./find-log.ts";
import { stillHolds } from "./log-id.ts";
import { readManifest } from "./manifest.ts";
import { type Environment, readPlaces } from "./places.ts";

/** The manifest is undefined if it can't be read. `isThere` is whether the project still exists at its recorded or new place. */
export type KeptLog = Awaited<ReturnType<typeof allLogs>>[number];

/** All logs, the oldest first. @param cwd a folder that may be a moved project. @throws SentinelError if the logs can't be read. */
export async function allLogs(env: Environment, cwd: string) {
  const folder = logsFolder(readPlaces(env));
  const { record: moved, home } = await findLog(cwd, env);
  const ids = (await namesIn(folder)).filter(isUlid);
  return Promise.all(
    ids.map(async (id) => {
      const kept = { id, folder: join(folder, id) };
      const manifest = readManifest(kept.folder);
      if (typeof manifest !== "object") return { ...kept, manifest: undefined, isThere: false };
      if (moved?.id === id && moved.movedFrom !== undefined)
        return { ...kept, manifest: { ...manifest, project: home.path }, isThere: true };
      return { ...kept, manifest, isThere: stillHolds(manifest.project, id) };
    }),
  );
}
