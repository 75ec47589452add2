/** All session logs of this machine, also those whose project is gone. */
import { join } from "node:path";
import { isUlid } from "../../ground/core/ulid.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import { logsFolder } from "../../ground/project/context-folder.ts";
import { findLog } from "./find-log.ts";
import { stillHolds } from "./log-id.ts";
import { readManifest } from "./manifest.ts";
import { type Environment, readPlaces } from "./places.ts";

/** Its manifest is undefined where it cannot be read; `isThere` says whether its project is where the manifest says, or was moved to. */
export type KeptLog = Awaited<ReturnType<typeof allLogs>>[number];

/** In the order in which they were made. @param cwd where a project may be now that was moved. @throws SentinelError where they are unreadable. */
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
