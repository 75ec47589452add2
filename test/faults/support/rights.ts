/** Servers with fewer rights or less room than the tests have. */
import { execFileSync } from "node:child_process";
import { chmod, chown, cp, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { testFolder } from "../../support/in-test.ts";
import { Project } from "../../support/project.ts";
import { BUNDLE, type Conditions } from "./server.ts";

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;

/** Conditions for a server that permissions hold for: root's own are never refused. */
export async function withoutPrivileges({ home, folder, context, file }: Project): Promise<Conditions> {
  if (!IS_ROOT) return {};
  // The usual bundle may lie in a folder that only root can enter.
  const bundle = join(testFolder(), "bundle");
  await cp(BUNDLE, bundle, { recursive: true });
  for (const path of [join(bundle, ".."), home, folder, context, file]) {
    await chown(path, NOBODY, NOBODY).catch(() => undefined);
    if (path !== file) await chmod(path, 0o755).catch(() => undefined);
  }
  return { bundle, home, through: ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] };
}

/** A project on a disk of its own of so many bytes; undefined where disks cannot be mounted. */
export async function makeSmallDisk(bytes: number): Promise<Project | undefined> {
  const project = new Project(testFolder());
  const { folder } = project;
  await mkdir(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  await mkdir(project.context);
  return project;
}

/** Fills a disk and leaves so many bytes; `release` gives the room back. */
export async function fillDisk({ folder }: Project, leave: number): Promise<{ release(): Promise<void> }> {
  const ballast = join(folder, "ballast");
  const handle = await open(ballast, "w");
  const page = Buffer.alloc(4_096, 1);
  let size = 0;
  try {
    for (;;) size += (await handle.write(page)).bytesWritten;
  } catch {
    await handle.truncate(Math.max(0, size - leave));
  } finally {
    await handle.close();
  }
  return { release: () => rm(ballast) };
}
