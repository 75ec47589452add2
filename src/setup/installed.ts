/** Whether the committed entries, which import the package, find it. */
import { createRequire } from "node:module";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

/** Whether an import from the folder finds the package, as Node resolves it from there upward. */
export function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(`${packageJson.name}/cli`);
    return true;
  } catch {
    return false;
  }
}
