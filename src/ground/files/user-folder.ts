/** Changes the user's files outside projects, each under its lock. Folders have mode 0700, files 0600. */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileError } from "./file-errors.ts";
import { type HeldLock, withLock } from "./lock.ts";
import { makePrivateFolder, OWNER_ONLY } from "./private-file.ts";
import { readWhole, removeStagingLeftovers, replaceWhole } from "./replace-file.ts";

/** Runs a function under the lock of a path. Creates its folder if it's missing. */
export async function alone<T>(path: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  try {
    makePrivateFolder(dirname(path));
    return await withLock(path, work);
  } catch (error) {
    throw fileError(error, "write_failed", `Writing ${path}`);
  }
}

/** Reads, changes and replaces a small file under its lock. @param change returns undefined to leave it. If it throws, nothing changes. */
export async function changeUserFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  await alone(path, async (lock) => {
    removeStagingLeftovers(path, readdirSync(dirname(path)));
    const old = await readWhole(path);
    const text = change(old?.bytes.toString("utf8"));
    if (text === undefined) return;
    const rights = old ?? { mode: OWNER_ONLY };
    const written = await replaceWhole(path, Buffer.from(text), rights, lock.token, () =>
      lock.stillHeld(),
    );
    if (written === undefined) throw new Error("another host took the lock meanwhile");
  });
}
