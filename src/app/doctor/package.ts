/** Node, and the package: whether the committed entries will find it, or the copy of it, from here. */
import { resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { DEVELOPMENT_DEPENDENCY } from "../../ground/clients/launch.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import { isDependency, isInstalled, isWithoutBuild, listingsOf } from "../setup/installed.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { examineCopy, missingCopy } from "../setup/server-copy.ts";
import { launchesInUse, otherProgram } from "../setup/server-entry.ts";
import { broken, type CheckContext, type Diagnosis, note, ok, warning } from "./diagnosis.ts";
import { clientsInUse } from "./init-files.ts";

export function checkNode(): Diagnosis[] {
  const oldest = packageJson.engines.node.replace(/^\D+/, "");
  const { node } = process.versions;
  if (node.localeCompare(oldest, "en", { numeric: true }) >= 0) return [ok(`Node ${node}`)];
  const what = `Node ${node} is older than ${oldest}, the oldest that is supported.`;
  return [broken(what, "Install a newer Node, and see that your agents find it in their PATH.")];
}

export function checkPackage({ files, build }: CheckContext): Diagnosis[] {
  const launches = launchesInUse(files);
  const copy = examineCopy(files, build);
  if (launches.startsCopy) return [copy ?? missingCopy()];
  const other = launches === DEVELOPMENT_DEPENDENCY ? ownProgram(files) : launches.here.command;
  const found = other === undefined ? dependency(files) : program(other, files);
  return copy ? [...found, copy, UNUSED_COPY] : found;
}

/** The program of somebody's own that an entry starts, in a project that does not depend on the package. */
function ownProgram(files: ProjectFiles): string | undefined {
  if (isDependency(files)) return undefined;
  return clientsInUse(files).flatMap((client) => otherProgram(client, files) ?? [])[0];
}

function program(command: string, { folder }: ProjectFiles): Diagnosis[] {
  return [
    ok(
      isInstalled(folder)
        ? INSTALLED
        : `The entries start ${command}, not a package of this project.`,
    ),
  ];
}

function dependency(files: ProjectFiles): Diagnosis[] {
  const elsewhere = checkDependency(files);
  if (isInstalled(files.folder)) return elsewhere.length > 0 ? elsewhere : [ok(INSTALLED)];
  if (isWithoutBuild(files.folder)) return [WITHOUT_BUILD, ...elsewhere];
  return [NOT_INSTALLED, ...elsewhere];
}

const INSTALLED = "The package is installed here.";

const NOT_INSTALLED = warning(
  "The package is not installed here, so the entries that init writes cannot start it.",
  "npm install, where package.json has it; else sentinel-memory init --vendor, which needs no npm, or npm install --save-dev with a package file in the repository.",
);
const WITHOUT_BUILD = broken(
  "The package is installed without dist/: from a git address, with scripts ignored, nothing builds it.",
  "npm install --save-dev with a package file in the repository; or sentinel-memory init --vendor",
);
const UNUSED_COPY = note(
  "No entry starts the copy of the server in .context/server.",
  "sentinel-memory init --vendor, so that they start it; or git rm -r .context/server",
);

const TAKE_IT_IN =
  "Put the package file into the repository and npm install --save-dev it from there; or sentinel-memory init --vendor";
const NAME = packageJson.name;
/** A path, with or without the scheme that npm, pnpm and yarn write before it. */
const LOCAL = /^(?:(?:file|link|portal):|(?=\.{0,2}[/\\]))(.+)$/;

/** A dependency on a file that lies outside the repository: nobody else has it. */
function checkDependency(files: ProjectFiles): Diagnosis[] {
  for (const { folder, wanted } of listingsOf(files)) {
    const [, path] = LOCAL.exec(wanted) ?? [];
    if (path === undefined) continue;
    if (isWithin(files.root, resolve(folder, path))) return [];
    const what = `package.json takes ${NAME} from ${path}, outside of the repository: a teammate cannot install it.`;
    return [warning(what, TAKE_IT_IN)];
  }
  return [];
}
