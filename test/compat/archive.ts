/**
 * How a release is stored: its bundle in one compressed file, and a project as it left one, in plain files.
 *
 * The dot in front of a name is stored as `dot-`: git, linters and agents would take `.gitignore`, `.mcp.json` or
 * `.cursor/rules` for this repository's own.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** Texts of files, by their path with slashes. */
export type Texts = Readonly<Record<string, string>>;

const RELEASES = resolve("test/compat");
const BUNDLE = "dist.json.gz";
const PROJECT = "project";

/** The versions that are stored. */
export const VERSIONS = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What a folder holds, in order of the paths; files that are not UTF-8 do not belong here. */
export function readTexts(folder: string, isWanted: (path: string) => boolean = () => true): Texts {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const files = paths
    .filter((path) => isWanted(path) && statSync(join(folder, path)).isFile())
    .sort();
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return Object.fromEntries(
    files.map((path) => [path, strict.decode(readFileSync(join(folder, path)))]),
  );
}

export function writeTexts(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Stores a release under its version, which must not be there yet; the same texts make the same bytes. */
export function storeRelease(version: string, bundle: Texts, project: Texts): void {
  const folder = join(RELEASES, version);
  mkdirSync(folder);
  writeTexts(
    join(folder, PROJECT),
    renamed(project, (name) => name.replace(/^\./, "dot-")),
  );
  writeFileSync(join(folder, BUNDLE), gzipSync(JSON.stringify(bundle), { level: 9 }));
}

export function storedBundle(version: string): Texts {
  return JSON.parse(gunzipSync(readFileSync(join(RELEASES, version, BUNDLE))).toString());
}

/** The hook of a bundle. Builds from before the first release have it next to the command line. */
export function hookOf(bundle: string): string {
  const server = join(bundle, "server");
  return join(existsSync(server) ? server : bundle, "hook.cjs");
}

export function storedProject(version: string): Texts {
  return renamed(readTexts(join(RELEASES, version, PROJECT)), (name) => name.replace(/^dot-/, "."));
}

function renamed(texts: Texts, rename: (name: string) => string): Texts {
  const entries = Object.entries(texts).map(([path, text]) => [
    path.split("/").map(rename).join("/"),
    text,
  ]);
  return Object.fromEntries(entries);
}
