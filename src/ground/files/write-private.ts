import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { newFileError } from "./named-file.ts";
import { patiently } from "./patiently.ts";
import { OWNER_ONLY } from "./private-file.ts";
import { flushFolder, removeStagingLeftovers } from "./replace-file.ts";
import { STAGING } from "./sidecar-names.ts";

/**
 * Writes a new file that only its owner can read. It's flushed, and either complete or absent. It must not exist yet.
 * @param pieces are read only once the file can be created.
 */
export async function writePrivate(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const staging = `${path}${STAGING}${randomUUID()}`;
  try {
    if (existsSync(path)) throw Object.assign(new Error(`${path} is there`), { code: "EEXIST" });
    removeStagingLeftovers(path, readdirSync(dirname(path)));
    const file = await open(staging, "wx", OWNER_ONLY);
    await pipeline(pieces, file.createWriteStream({ flush: true }));
    await patiently(() => renameSync(staging, path));
    flushFolder(dirname(path));
  } catch (error) {
    throw newFileError(error, path);
  } finally {
    rmSync(staging, { force: true });
  }
}
