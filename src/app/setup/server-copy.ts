/**
 * The server as one file, which a project can keep in its repository: no package manager has to install it.
 *
 * The build has a folder with that file, its licences and its SHA-256; `init --vendor` copies the folder as it is, so a copy can
 * be copied again. `releases.json` beside the build says which file each version was released as.
 */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { SentinelError } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, SERVER_FILE, SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { SERVER_ATTRIBUTES } from "../../ground/project/git-files.ts";
import { type Edit, ownFile, ownLines } from "./edits/edit.ts";
import type { ProjectFiles } from "./project-files.ts";

const SUMS = "SHA256SUMS";
const FILES = [SERVER_FILE, "LICENCES.txt", SUMS];
const PROGRAM = `${SERVER_FOLDER}/${SERVER_FILE}`;
const COPY_AGAIN = `sentinel-memory init --vendor writes it again; git restore ${SERVER_FOLDER} gives back what was committed.`;

export interface CopyFinding {
  readonly status: "ok" | "note" | "broken";
  readonly what: string;
  readonly fix?: string;
}

/**
 * The files of the copy, as edits.
 * @param build the folder of the program that runs: of the package's build, or of a copy.
 * @throws SentinelError `not_found` where it has no server in one file.
 */
export function copyEdits(build: string): Edit[] {
  const source = [join(build, "server"), build].find((folder) => existsSync(join(folder, SERVER_FILE)));
  if (source === undefined) {
    const fix = "Run npm run build, then this again.";
    throw new SentinelError("not_found", `${build} holds no ${SERVER_FILE} to copy.`, fix);
  }
  const textOf = (name: string) => readFileSync(join(source, name), "utf8");
  return FILES.map((name) => ownFile(`${SERVER_FOLDER}/${name}`, textOf(name), "server copy"));
}

/** Takes the files of the copy out, as far as they are there. */
export function copyRemovals(files: ProjectFiles): Edit[] {
  const paths = FILES.map((name) => `${SERVER_FOLDER}/${name}`);
  return paths.filter((path) => files.exists(path)).map((path) => ownFile(path, "", "server copy"));
}

/** Tells git what the copy is, in the file that also says how the memory merges. */
export function copyAttributes(): Edit {
  return { ...ownLines(`${CONTEXT_FOLDER}/.gitattributes`, [SERVER_ATTRIBUTES], "server copy"), isPart: true };
}

/** Whether the project's copy is whole, and what was released; undefined where there is none. */
export function examineCopy(files: ProjectFiles, build: string): CopyFinding | undefined {
  if (!files.exists(SERVER_FOLDER)) return undefined;
  const program = files.readAsItIs(PROGRAM);
  if (program === undefined) return missingCopy();
  const sum = hash("sha256", program);
  const sums = files.readAsItIs(`${SERVER_FOLDER}/${SUMS}`) ?? "";
  const [noted = ""] = /^[0-9a-f]{64}(?= [ *]sentinel-memory\.cjs\r?$)/m.exec(sums) ?? [];
  if (noted !== sum) {
    const what = `${PROGRAM} does not have the SHA-256 that stands in ${SUMS}: it was changed, damaged or badly merged.`;
    return { status: "broken", what, fix: COPY_AGAIN };
  }
  return compared(sum, versionOf(program) ?? "unknown", releasesOf(build));
}

/** For entries that start a copy which is not there. */
export function missingCopy(): CopyFinding {
  return { status: "broken", what: `${PROGRAM} is missing.`, fix: COPY_AGAIN };
}

/** The version that a file of a copy names. */
export function versionOf(program: string): string | undefined {
  return /^(?:\/\/|==) sentinel-memory (\S+?),? /m.exec(program.slice(0, 200))?.[1];
}

function compared(sum: string, version: string, releases: Readonly<Record<string, string>>): CopyFinding {
  const known = Object.keys(releases).find((release) => releases[release] === sum);
  const own = packageJson.version;
  if (known === own) return { status: "ok", what: `${PROGRAM} is version ${own}, as it was released.` };
  if (known !== undefined) {
    const what = `${PROGRAM} is version ${known}, as it was released; this is ${own}.`;
    return { status: "note", what, fix: "sentinel-memory init --vendor" };
  }
  if (version in releases) {
    const what = `${PROGRAM} calls itself version ${version}, and is not the file that was released under it.`;
    return { status: "broken", what, fix: COPY_AGAIN };
  }
  const what = `${PROGRAM} is whole and calls itself version ${version}`;
  if (version === own) return { status: "ok", what: `${what}.` };
  const fix = "Check it with that version.";
  return { status: "note", what: `${what}, which this version, ${own}, does not know.`, fix };
}

/** The SHA-256 of each release, by version; a copy brings no list along. */
function releasesOf(build: string): Readonly<Record<string, string>> {
  const list = join(build, "releases.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
}
