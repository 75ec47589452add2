/** Makes the package file from the build as it is: without scripts, so that no installer has anything to run or to warn about. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";

/**
 * @param from the folder of the repository.
 * @returns the path of the file.
 */
export function packRelease(destination: string, from = "."): string {
  const folder = scratchFolder("release");
  try {
    const [{ files }] = npmPack(from, "--dry-run") as [{ files: { path: string }[] }];
    for (const { path } of files) {
      cpSync(join(from, path), join(folder, path), { recursive: true });
    }
    const {
      scripts: _,
      devDependencies: __,
      ...manifest
    } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const [{ filename }] = npmPack(folder, "--pack-destination", destination) as [
      { filename: string },
    ];
    return join(destination, filename);
  } finally {
    removeFolder(folder);
  }
}

function npmPack(folder: string, ...args: string[]): unknown {
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  return JSON.parse(output);
}
