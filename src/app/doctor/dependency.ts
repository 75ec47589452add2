/** The dependency in package.json: whether every teammate can install it from there, and gets what can run. */
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/or-else.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import type { Diagnosis } from "./diagnosis.ts";

const NAME = packageJson.name;
const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];
/** A path, with or without the scheme that npm, pnpm and yarn write before it. */
const LOCAL = /^(?:(?:file|link|portal):|(?=\.{0,2}[/\\]))(.+)$/;

/** A dependency on a file that lies outside the repository: nobody else has it. */
export function checkDependency(files: ProjectFiles): Diagnosis[] {
  for (let folder = files.folder; ; folder = dirname(folder)) {
    const [, path] = LOCAL.exec(dependencyIn(folder, files)) ?? [];
    if (path !== undefined && isInside(files.root, resolve(folder, path))) return [];
    if (path !== undefined)
      return [
        {
          status: "warning",
          what: `package.json takes ${NAME} from ${path}, outside of the repository: a teammate cannot install it.`,
          fix: "Put the package file into the repository and npm install --save-dev it from there; or sentinel-memory init --vendor",
        },
      ];
    if (folder === files.root) return [];
  }
}

function dependencyIn(folder: string, files: ProjectFiles): string {
  // npm reports a package.json that it cannot read.
  const text = () => files.read(join(relative(files.folder, folder), "package.json")) ?? "{}";
  const manifest = orElse(() => JSON.parse(text()), undefined);
  return KINDS.map((kind) => manifest?.[kind]?.[NAME]).find((wanted) => typeof wanted === "string") ?? "";
}

function isInside(root: string, path: string): boolean {
  const inside = relative(root, path);
  return !isAbsolute(inside) && inside.split(sep)[0] !== "..";
}
