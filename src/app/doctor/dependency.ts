/** The dependency in package.json: whether every teammate can install it from there, and gets what can run. */
import { dirname, join, relative, resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/or-else.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { type Diagnosis, warning } from "./diagnosis.ts";

const TAKE_IT_IN =
  "Put the package file into the repository and npm install --save-dev it from there; or sentinel-memory init --vendor";
const NAME = packageJson.name;
const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];
/** A path, with or without the scheme that npm, pnpm and yarn write before it. */
const LOCAL = /^(?:(?:file|link|portal):|(?=\.{0,2}[/\\]))(.+)$/;

/** A dependency on a file that lies outside the repository: nobody else has it. */
export function checkDependency(files: ProjectFiles): Diagnosis[] {
  for (let folder = files.folder; ; folder = dirname(folder)) {
    const [, path] = LOCAL.exec(dependencyIn(folder, files)) ?? [];
    if (path !== undefined && isWithin(files.root, resolve(folder, path))) return [];
    if (path !== undefined) {
      const what = `package.json takes ${NAME} from ${path}, outside of the repository: a teammate cannot install it.`;
      return [warning({ what, fix: TAKE_IT_IN })];
    }
    if (folder === files.root) return [];
  }
}

function dependencyIn(folder: string, files: ProjectFiles): string {
  // npm reports a package.json that it cannot read.
  const text = () => files.read(join(relative(files.folder, folder), "package.json")) ?? "{}";
  const manifest = orElse(() => JSON.parse(text()), undefined);
  return KINDS.map((kind) => manifest?.[kind]?.[NAME]).find((wanted) => typeof wanted === "string") ?? "";
}
