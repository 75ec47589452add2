/** The copy of the server in a repository: the build, its licences, and SHA-256 sums. */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { SentinelError } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, SERVER_FILE, SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { SERVER_ATTRIBUTES } from "../../ground/project/git-files.ts";
import { type Edit, ownFile, ownLines } from "./edits/edit.ts";
import type { Step } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

const SUMS = "SHA256SUMS";
/** The program, its parts and its short names. Each contains its version, so an update changes all. */
const PROGRAMS = [
  SERVER_FILE,
  "program.cjs",
  "hook.cjs",
  "viewer-page.js",
  "viewer-style.css",
  "sm",
  "sm.cmd",
];
const FILES = [...PROGRAMS, "LICENCES.txt", SUMS];
const PROGRAM = `${SERVER_FOLDER}/${SERVER_FILE}`;
const COPY_AGAIN =
  `git restore ${SERVER_FOLDER} restores the committed copy. ` +
  "Or write a new one with init from a clone of Sentinel Memory: node CLONE/dist/cli.mjs init";
const REPLACE_COPY = `${COPY_AGAIN} --force`;

export interface CopyFinding {
  readonly status: "ok" | "note" | "broken";
  readonly what: string;
  readonly fix?: string;
  /** Whether `init` would overwrite files that differ from those of their version. */
  readonly isChanged?: true;
}

/** Writes the files of the copy. @param build the folder of the program that runs. */
export function copyEdits(build: string): Edit[] {
  return FILES.map((name) => {
    const text = readFileSync(join(build, name), "utf8");
    return ownFile(`${SERVER_FOLDER}/${name}`, text, "server copy");
  });
}

/** Keeps a changed copy. The first step's problem contains the command that replaces the copy. */
export function keepChangedCopy(steps: readonly Step[], copy: CopyFinding | undefined): Step[] {
  const first = steps.find(({ path, before, after }) => isInCopy(path) && before !== after);
  if (!copy?.isChanged || !first) return [...steps];
  const problem = new SentinelError("copy_changed", copy.what, copy.fix ?? REPLACE_COPY);
  return steps.map((step) => {
    if (!isInCopy(step.path)) return step;
    const kept = { ...step, after: step.before };
    return step === first ? { ...kept, problem } : kept;
  });
}

/** Removes the files of the copy that exist. */
export function copyRemovals(files: ProjectFiles): Edit[] {
  const paths = FILES.map((name) => `${SERVER_FOLDER}/${name}`);
  const existing = paths.filter((path) => files.exists(path));
  return existing.map((path) => ownFile(path, "", "server copy"));
}

/** Keeps git from merging or changing the copy's files. */
export function copyAttributes(): Edit {
  return ownLines(`${CONTEXT_FOLDER}/.gitattributes`, SERVER_ATTRIBUTES, "server copy");
}

/** Whether a path, from the project's folder, is in the copy. */
export const isInCopy = (path: string): boolean => path.startsWith(`${SERVER_FOLDER}/`);

/** Compares the project's copy with its sums and with the releases. Undefined without a copy. */
export function examineCopy(files: ProjectFiles, build: string): CopyFinding | undefined {
  if (!files.exists(SERVER_FOLDER)) return undefined;
  const sums = files.readAsItIs(`${SERVER_FOLDER}/${SUMS}`) ?? "";
  const lines = sums.split(/\r?\n/);
  for (const name of PROGRAMS) {
    const path = `${SERVER_FOLDER}/${name}`;
    const program = files.readAsItIs(path);
    if (program === undefined) return missingCopy(path);
    const sum = hash("sha256", program);
    if (!lines.includes(`${sum}  ${name}`)) return changedCopy(path);
  }
  const version = versionOf(files.readAsItIs(PROGRAM) ?? "") ?? "unknown";
  return compared(hash("sha256", sums), version, releasesOf(build));
}

function changedCopy(path: string): CopyFinding {
  const what = `${path} does not have the SHA-256 listed in ${SUMS}: it was changed, damaged or badly merged.`;
  return { status: "broken", what, fix: REPLACE_COPY, isChanged: true };
}

/** The finding for entries that start a missing copy. */
export function missingCopy(path = PROGRAM): CopyFinding {
  return { status: "broken", what: `${path} is missing.`, fix: COPY_AGAIN };
}

/** The version in the first lines of a file of a copy. */
export function versionOf(program: string): string | undefined {
  return /^(?:\/\/|==|#|@rem) sentinel-memory (\S+?),? /m.exec(program.slice(0, 200))?.[1];
}

function compared(
  sum: string,
  version: string,
  releases: Readonly<Record<string, string>>,
): CopyFinding {
  const known = Object.keys(releases).find((release) => releases[release] === sum);
  const own = packageJson.version;
  if (known === own)
    return { status: "ok", what: `${PROGRAM} is version ${own}, as it was released.` };
  if (known !== undefined) {
    const what = `${PROGRAM} is version ${known}, as it was released; this is ${own}.`;
    return { status: "note", what, fix: "sentinel-memory init" };
  }
  if (version in releases) {
    const what = `${PROGRAM} calls itself version ${version}, and is not the file that was released under it.`;
    return { status: "broken", what, fix: REPLACE_COPY, isChanged: true };
  }
  const what = `${PROGRAM} is whole and calls itself version ${version}`;
  if (version === own) return { status: "ok", what: `${what}.` };
  const fix = "Check it with that version.";
  return { status: "note", what: `${what}, which this version, ${own}, does not know.`, fix };
}

/** The SHA-256 of each release's sums, by version. A copy has no such list. */
function releasesOf(build: string): Readonly<Record<string, string>> {
  const list = join(dirname(build), "releases.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
}
