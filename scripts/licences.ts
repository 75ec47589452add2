/** The licences of the packages whose code went into the bundles: theirs ask to be passed on with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** One text: each package with its version and the words of its licence. */
export function licencesOf(bundles: readonly Metafile[]): string {
  const inputs = bundles.flatMap((bundle) => Object.keys(bundle.inputs));
  const folders = new Set(inputs.flatMap((input) => PACKAGE.exec(input)?.[0] ?? []));
  return [...folders].sort().map(licenceOf).join("\n\n");
}

/** One package: its name, its version and the words of its licence. */
export function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const words = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  return `== ${name} ${version} (${license}) ==${words}`;
}
