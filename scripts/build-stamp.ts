/** Tells whether a build was made from the sources as they are now, so that no test runs an old one. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** What decides how the sources are bundled. */
const RECIPE = ["package.json", "scripts/build.ts", "scripts/licences.ts"];

interface Stamp {
  /** Paths from the repository's root. */
  readonly sources: readonly string[];
  readonly hash: string;
}

/** Notes in the folder of a build which files went into it, and their hash. */
export function writeBuildStamp(folder: string, bundles: readonly Metafile[]): void {
  const inputs = bundles.flatMap((bundle) => Object.keys(bundle.inputs));
  const sources = [...new Set([...RECIPE, ...inputs])].sort();
  const stamp: Stamp = { sources, hash: hashOf(sources) };
  writeFileSync(stampOf(folder), `${JSON.stringify(stamp)}\n`);
}

/** Whether the files that went into a build are still what they were. */
export function isBuildFresh(folder: string): boolean {
  const path = stampOf(folder);
  if (!existsSync(path)) {
    return false;
  }
  const { sources, hash }: Stamp = JSON.parse(readFileSync(path, "utf8"));
  return sources.every((source) => existsSync(source)) && hashOf(sources) === hash;
}

function stampOf(folder: string): string {
  return join(folder, "build-stamp.json");
}

function hashOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const source of sources) {
    hash.update(`${source}\0`).update(readFileSync(source)).update("\0");
  }
  return hash.digest("hex");
}
