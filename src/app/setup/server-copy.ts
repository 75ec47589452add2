/** The copy of the server in a repository: the build, its licences, and SHA-256 sums. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { SentinelError } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, SERVER_FILE, SERVER_FOLDER } from "../../ground/project/context-folder.ts";
import { SERVER_ATTRIBUTES } from "../../ground/project/git-files.ts";
import { type Edit, ownLines } from "./edits/edit.ts";
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
/** The names of all files of a copy. @internal */
export const COPY_FILES = [...PROGRAMS, "LICENCES.txt", SUMS];
const PROGRAM = `${SERVER_FOLDER}/${SERVER_FILE}`;
const COPY_AGAIN =
  `git restore ${SERVER_FOLDER} restores the committed copy. ` +
  "Or write a new one with init from a clone of Sentinel Memory: node CLONE/dist/cli.mjs init";
const REPLACE_COPY = `${COPY_AGAIN} --force`;
const OTHER_BUILD = "Replace it by this build: sentinel-memory init";
const OTHER_VERSION = "Check it with that version. Or replace it by this one: sentinel-memory init";

export interface CopyFinding {
  readonly status: "ok" | "note" | "broken";
  readonly what: string;
  readonly fix?: string;
  /** Whether `init` would overwrite files that differ from those of their version. */
  readonly isChanged?: true;
}

/** The path of the step that writes or removes the copy. */
export const COPY_PATH = `${SERVER_FOLDER}/`;
/** A file of the copy that differs whenever another one does. */
export const COPY_SUMS = `${SERVER_FOLDER}/${SUMS}`;

/**
 * Plans to write the copy. A changed copy is kept: the problem has the command that replaces it.
 * @param build the folder of the program that runs.
 * @param force whether to replace a changed copy, too.
 */
export function planCopy(files: ProjectFiles, build: string, force: boolean): Step {
  const texts = COPY_FILES.map((name) => readFileSync(join(build, name), "utf8"));
  const isCurrent = COPY_FILES.every(
    (name, index) => files.readAsItIs(pathOf(name)) === texts[index],
  );
  const after = `version ${packageJson.version}`;
  const before = isCurrent ? after : versionInWords(files);
  const step = { path: COPY_PATH, what: "server copy", before, after } as const;
  const copy = examineCopy(files, build);
  if (copy?.isChanged && !force) {
    const problem = new SentinelError("copy_changed", copy.what, REPLACE_COPY);
    return { ...step, after: before, problem };
  }
  const carryOut = async (): Promise<void> => {
    for (const [index, name] of COPY_FILES.entries()) {
      await files.write(pathOf(name), texts[index] as string);
    }
  };
  return { ...step, carryOut };
}

/** Plans to remove the copy, if there is one. Other files in its folder stay. */
export function planCopyRemoval(files: ProjectFiles): Step[] {
  const existing = COPY_FILES.filter((name) => files.exists(pathOf(name)));
  if (existing.length === 0) {
    return [];
  }
  const carryOut = async (): Promise<void> => {
    for (const name of existing) {
      files.remove(pathOf(name));
    }
    files.removeEmptyAbove(PROGRAM);
  };
  const before = `version ${versionOf(files) ?? "unknown"}`;
  return [{ path: COPY_PATH, what: "server copy", before, after: undefined, carryOut }];
}

const pathOf = (name: string): string => `${SERVER_FOLDER}/${name}`;

/** Describes a copy that isn't from this build, by its version. Undefined without a copy. */
function versionInWords(files: ProjectFiles): string | undefined {
  if (!files.exists(SERVER_FOLDER)) {
    return undefined;
  }
  const version = versionOf(files);
  if (version === undefined) {
    return "no version";
  }
  return version === packageJson.version ? `version ${version}, changed` : `version ${version}`;
}

/** Keeps git from merging or changing the copy's files. */
export function copyAttributes(): Edit {
  return ownLines(`${CONTEXT_FOLDER}/.gitattributes`, SERVER_ATTRIBUTES, "server copy");
}

/** Compares the project's copy with its sums, and with this build if it has its version. Undefined without a copy. */
export function examineCopy(files: ProjectFiles, build: string): CopyFinding | undefined {
  if (!files.exists(SERVER_FOLDER)) {
    return undefined;
  }
  const sums = files.readAsItIs(COPY_SUMS) ?? "";
  const lines = sums.split(/\r?\n/);
  for (const name of PROGRAMS) {
    const path = pathOf(name);
    const program = files.readAsItIs(path);
    if (program === undefined) {
      return missingCopy(path);
    }
    if (!lines.includes(`${hash("sha256", program)}  ${name}`)) {
      return changedCopy(path);
    }
  }
  const version = versionOf(files) ?? "unknown";
  const own = packageJson.version;
  const what = `${PROGRAM}: version ${version}, checksums match`;
  if (version !== own) {
    return { status: "note", what: `${what}; this is ${own}.`, fix: OTHER_VERSION };
  }
  if (sums === readFileSync(join(build, SUMS), "utf8")) {
    return { status: "ok", what: `${what}.` };
  }
  // Until it's released, builds of a version differ.
  return {
    status: "broken",
    what: `${PROGRAM} has version ${version}, but is another build than this one.`,
    fix: OTHER_BUILD,
  };
}

function changedCopy(path: string): CopyFinding {
  const what = `${path} does not have the SHA-256 listed in ${SUMS}: it was changed, damaged or badly merged.`;
  return { status: "broken", what, fix: REPLACE_COPY, isChanged: true };
}

/** The finding for entries that start a missing copy. */
export function missingCopy(path = PROGRAM): CopyFinding {
  return { status: "broken", what: `${path} is missing.`, fix: COPY_AGAIN };
}

/** The version in the first lines of the program. */
function versionOf(files: ProjectFiles): string | undefined {
  const start = files.readAsItIs(PROGRAM)?.slice(0, 200) ?? "";
  return /^\/\/ sentinel-memory (\S+?),? /m.exec(start)?.[1];
}
