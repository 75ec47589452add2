/** The package: whether the committed entries will find it, or the copy of it, from here. */
import { DEVELOPMENT_DEPENDENCY, VENDORED } from "../clients/launch.ts";
import { isInstalled } from "../setup/installed.ts";
import { examineCopy, missingCopy } from "../setup/server-copy.ts";
import { launchesInUse } from "../setup/server-entry.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export function checkPackage({ files, build }: CheckContext): Diagnosis[] {
  const launches = launchesInUse(files);
  const copy = examineCopy(files, build);
  if (launches === VENDORED) return [copy ?? missingCopy()];
  const copies = copy ? [copy, UNUSED_COPY] : [];
  if (isInstalled(files.folder)) return [ok("The package is installed here."), ...copies];
  if (launches !== DEVELOPMENT_DEPENDENCY)
    return [ok(`The entries start ${launches.here.command}, not a package of this project.`), ...copies];
  return [
    {
      status: "warning",
      what: "The package is not installed here, so the entries that init writes cannot start it.",
      fix: "npm install; if it is not a development dependency yet, npm install --save-dev with its git address or package file.",
    },
    ...copies,
  ];
}

const UNUSED_COPY: Diagnosis = {
  status: "note",
  what: "No entry starts the copy of the server in .context/server.",
  fix: "sentinel-memory init --vendor, so that they start it; or git rm -r .context/server",
};
