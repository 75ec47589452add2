import { createRequire } from "node:module";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/errors.ts";

/** Whether an import from the folder finds the package, as Node resolves it from there upward. */
export const isInstalled = (folder: string): boolean => resolves("cli", folder);

/** Whether the package is there without its build, which some ways of installing leave out. */
export function isWithoutBuild(folder: string): boolean {
  return resolves("package.json", folder) && !isInstalled(folder);
}

function resolves(part: string, folder: string): boolean {
  const found = () =>
    createRequire(join(folder, "package.json")).resolve(`${packageJson.name}/${part}`);
  return orElse(found, undefined) !== undefined;
}
