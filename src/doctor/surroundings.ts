/** Node, the project and the package, on which everything else depends. */
import { createRequire } from "node:module";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { DEVELOPMENT_DEPENDENCY } from "../clients/launch.ts";
import { launchesInUse } from "../setup/server-entry.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export function checkNode(): Diagnosis[] {
  const floor = packageJson.engines.node.replace(/^\D+/, "");
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = floor.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return [ok(`Node ${process.versions.node}`)];
  const what = `Node ${process.versions.node} is older than ${floor}, the oldest that is supported.`;
  return [{ status: "broken", what, fix: "Install a newer Node, and see that your agents find it in their PATH." }];
}

export function checkProject({ project }: CheckContext): Diagnosis[] {
  return [ok(`Project ${project.folder}: ${project.how}`)];
}

/** Whether the committed entries will find the package from here. */
export function checkPackage({ files }: CheckContext): Diagnosis[] {
  if (isInstalled(files.folder)) return [ok("The package is installed here.")];
  const { here } = launchesInUse(files);
  if (here !== DEVELOPMENT_DEPENDENCY.here)
    return [ok(`The entries start ${here.command}, not a package of this project.`)];
  return [
    {
      status: "warning",
      what: "The package is not installed here, so the entries that init writes cannot start it.",
      fix: "npm install; if it is no development dependency yet, npm install --save-dev with its git address or package file.",
    },
  ];
}

/** Whether an import from the folder finds the package, as Node resolves it from there upward. */
export function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(`${packageJson.name}/cli`);
    return true;
  } catch {
    return false;
  }
}
