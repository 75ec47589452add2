/** Whether the project has our package, installed or listed in a package.json. */
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { tryOr } from "../../ground/core/errors.ts";
import type { ProjectFiles } from "./project-files.ts";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];

/** A package.json that lists our package. */
interface Listing {
  readonly folder: string;
  /** A version, a path or an address. */
  readonly wanted: string;
}

/** Whether an import from the folder finds the package, as Node resolves it from there upward. */
export const isInstalled = (folder: string): boolean => resolves("cli", folder);

/** Whether the package is there without its build, which some ways of installing leave out. */
export function isWithoutBuild(folder: string): boolean {
  return resolves("package.json", folder) && !isInstalled(folder);
}

/** Whether the project depends on the package. A clone lists it before `npm install` has run. */
export function isDependency(files: ProjectFiles): boolean {
  return isInstalled(files.folder) || listingsOf(files).length > 0;
}

/** The package.json files that list the package, from the project's folder up to its git root. */
export function listingsOf(files: ProjectFiles): Listing[] {
  const found: Listing[] = [];
  for (let folder = files.folder; ; folder = dirname(folder)) {
    const wanted = wantedIn(folder, files);
    if (wanted !== undefined) found.push({ folder, wanted });
    if (folder === files.root) return found;
  }
}

/** How a folder's package.json lists the package. npm reports a file that it can't read. */
function wantedIn(folder: string, files: ProjectFiles): string | undefined {
  const path = join(relative(files.folder, folder), "package.json");
  const manifest = tryOr(() => JSON.parse(files.read(path) ?? "{}"), undefined);
  const listed = KINDS.map((kind) => manifest?.[kind]?.[packageJson.name]);
  return listed.find((wanted) => typeof wanted === "string");
}

function resolves(part: string, folder: string): boolean {
  const require = createRequire(join(folder, "package.json"));
  return tryOr(() => require.resolve(`${packageJson.name}/${part}`), undefined) !== undefined;
}
