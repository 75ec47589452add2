/** Checks Node and the package: whether the entries that init writes can start the server here. */
import { resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { DEVELOPMENT_DEPENDENCY } from "../../ground/clients/launch.ts";
import { isWithin } from "../../ground/files/paths.ts";
import { isDependency, isInstalled, isWithoutBuild, listingsOf } from "../setup/installed.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { type CopyFinding, examineCopy, missingCopy } from "../setup/server-copy.ts";
import { launchesInUse, otherProgram } from "../setup/server-entry.ts";
import { broken, type Context, type Finding, note, ok, warning } from "./finding.ts";
import { clientsInUse } from "./init-files.ts";

export function checkNode(): Finding[] {
  const oldest = packageJson.engines.node.replace(/^\D+/, "");
  const { node } = process.versions;
  if (node.localeCompare(oldest, "en", { numeric: true }) >= 0) return [ok("node", `Node ${node}`)];
  const what = `Node ${node} is older than ${oldest}, the oldest that is supported.`;
  const fix = "Install a newer Node, and see that your agents find it in their PATH.";
  return [broken("node_too_old", what, fix)];
}

/** Checks the program that the entries start, if it isn't the copy in the repository. */
export function checkPackage({ files }: Context): Finding[] {
  const launches = launchesInUse(files);
  if (launches.startsCopy) return [];
  const command =
    launches === DEVELOPMENT_DEPENDENCY ? otherProgramInUse(files) : launches.here.command;
  if (command === undefined) return checkDependency(files);
  if (isInstalled(files.folder)) return [INSTALLED];
  return [ok("package", `The entries start ${command}, not a package of this project.`)];
}

/** Checks the server copy in the repository. Empty if there is no copy and no entry starts one. */
export function checkCopy({ files, build }: Context): Finding[] {
  const copy = examineCopy(files, build);
  if (launchesInUse(files).startsCopy) return [findingOf(copy ?? missingCopy())];
  return copy ? [findingOf(copy), UNUSED_COPY] : [];
}

const findingOf = ({ status, what, fix }: CopyFinding): Finding => ({
  id: "server_copy",
  level: status,
  what,
  fix,
});

/** Returns the program of another kind that an entry starts, in a project that doesn't depend on the package. */
function otherProgramInUse(files: ProjectFiles): string | undefined {
  if (isDependency(files)) return undefined;
  for (const client of clientsInUse(files)) {
    const command = otherProgram(client, files);
    if (command !== undefined) return command[0];
  }
  return undefined;
}

function checkDependency(files: ProjectFiles): Finding[] {
  const outside = dependencyOutside(files);
  const found = outside === undefined ? [] : [outside];
  if (!isInstalled(files.folder))
    return [isWithoutBuild(files.folder) ? WITHOUT_BUILD : NOT_INSTALLED, ...found];
  return found.length > 0 ? found : [INSTALLED];
}

const INSTALLED = ok("package", "The package is installed here.");

const NOT_INSTALLED = warning(
  "package_missing",
  "The package is not installed here, so the entries that init writes cannot start it.",
  "npm install, where package.json has it; else sentinel-memory init --vendor, which needs no npm, or npm install --save-dev with a package file in the repository.",
);
const WITHOUT_BUILD = broken(
  "package_without_build",
  "The package is installed without dist/: from a git address, with scripts ignored, nothing builds it.",
  "npm install --save-dev with a package file in the repository; or sentinel-memory init --vendor",
);
const UNUSED_COPY = note(
  "server_copy_unused",
  "No entry starts the copy of the server in .context/server.",
  "sentinel-memory init --vendor, so that they start it; or git rm -r .context/server",
);

/** Matches a local path, with or without the scheme that npm, pnpm and yarn add. */
const LOCAL = /^(?:(?:file|link|portal):|(?=\.{0,2}[/\\]))(.+)$/;

/** Finds a dependency on a file outside the repository, which teammates don't have. */
function dependencyOutside(files: ProjectFiles): Finding | undefined {
  for (const { folder, wanted } of listingsOf(files)) {
    const [, path] = LOCAL.exec(wanted) ?? [];
    if (path === undefined) continue;
    if (isWithin(files.root, resolve(folder, path))) return undefined;
    return warning(
      "package_outside",
      `package.json takes ${packageJson.name} from ${path}, outside of the repository: a teammate cannot install it.`,
      "Put the package file into the repository and npm install --save-dev it from there; or sentinel-memory init --vendor",
    );
  }
  return undefined;
}
