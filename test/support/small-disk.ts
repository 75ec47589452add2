/** Disks that are soon full. */
import { execFileSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const CANNOT_MOUNT = "this user cannot mount a small disk (tmpfs)";

/** A disk of so many bytes in a folder that is there, as long as the test runs; false where disks cannot be mounted. */
export function mountSmallDisk(folder: string, bytes: number): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return true;
}

/** Fills a disk and leaves so many bytes; `release` gives the room back. */
export async function fillDisk(
  { folder }: { readonly folder: string },
  leave: number,
): Promise<{ release(): Promise<void> }> {
  const ballast = join(folder, "ballast");
  const handle = await open(ballast, "w");
  const page = Buffer.alloc(4_096, 1);
  let size = 0;
  try {
    for (;;) {
      size += (await handle.write(page)).bytesWritten;
    }
  } catch {
    await handle.truncate(Math.max(0, size - leave));
  } finally {
    await handle.close();
  }
  return { release: () => rm(ballast) };
}
