/** Servers with fewer rights or less room than the tests have. */
import { chmod, chown, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { testFolder } from "../../support/in-test.ts";
import { Project } from "../../support/project.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { BUNDLE, type Conditions } from "./server.ts";

const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;

/** Conditions for a server that permissions hold for: root's own are never refused. */
export async function withoutPrivileges({
  home,
  folder,
  context,
  file,
}: Project): Promise<Conditions> {
  if (!IS_ROOT) {
    return {};
  }
  // The usual bundle may lie in a folder that only root can enter.
  const bundle = join(testFolder(), "bundle");
  await cp(BUNDLE, bundle, { recursive: true });
  for (const path of [join(bundle, ".."), home, folder, context, file]) {
    await chown(path, NOBODY, NOBODY).catch(() => undefined);
    if (path !== file) {
      await chmod(path, 0o755).catch(() => undefined);
    }
  }
  return {
    bundle,
    home,
    through: ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"],
  };
}

/** A project on a disk of its own of so many bytes; undefined where disks cannot be mounted. */
export async function makeSmallDisk(bytes: number): Promise<Project | undefined> {
  const project = new Project(testFolder());
  const { folder } = project;
  await mkdir(folder);
  if (!mountSmallDisk(folder, bytes)) {
    return undefined;
  }
  await mkdir(project.context);
  return project;
}
