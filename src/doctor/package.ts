/** The package: whether the committed entries will find it from here. */
import { DEVELOPMENT_DEPENDENCY } from "../clients/launch.ts";
import { isInstalled } from "../setup/installed.ts";
import { launchesInUse } from "../setup/server-entry.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export function checkPackage({ files }: CheckContext): Diagnosis[] {
  if (isInstalled(files.folder)) return [ok("The package is installed here.")];
  const { here } = launchesInUse(files);
  if (here !== DEVELOPMENT_DEPENDENCY.here)
    return [ok(`The entries start ${here.command}, not a package of this project.`)];
  return [
    {
      status: "warning",
      what: "The package is not installed here, so the entries that init writes cannot start it.",
      fix: "npm install; if it is not a development dependency yet, npm install --save-dev with its git address or package file.",
    },
  ];
}
