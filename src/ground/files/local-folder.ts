/** A folder like `.context/.local/`, which stays on this machine. A link or device in it is refused, because it would redirect our writes. */

import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { SentinelError, tryOr } from "../core/errors.ts";
import { patiently } from "./file-errors.ts";

/** Hides everything in the folder from git, including this file. */
const IGNORE = { name: ".gitignore", text: "*\n" } as const;

/** Returns the path of a file in a local folder. Neither has to exist. @throws SentinelError `not_a_file` if something else has its name. */
export function localFile(folder: string, name: string): string {
  const path = join(folder, name);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw notOurs(folder);
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw notOurs(path);
  }
  return path;
}

/** Like `localFile`, but creates the folder and hides it from git, regardless of the project's ignore files. */
export function localFileToWrite(folder: string, name: string): string {
  const path = localFile(folder, name);
  const ignore = localFile(folder, IGNORE.name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(ignore)) {
    writeFileSync(ignore, IGNORE.text);
  }
  return path;
}

/** Removes a file from a local folder, then the folder and its parent if they're empty. */
export function removeLocalFile(folder: string, name: string): void {
  rmSync(localFile(folder, name), { force: true });
  if (!existsSync(folder) || readdirSync(folder).some((other) => other !== IGNORE.name)) {
    return;
  }
  rmSync(folder, { recursive: true });
  if (readdirSync(dirname(folder)).length === 0) {
    rmdirSync(dirname(folder));
  }
}

/** Removes the staging files of killed writers. Call it under the lock of the local file. */
export function removeAbandoned(folder: string, name: string): void {
  if (!existsSync(folder)) {
    return;
  }
  for (const other of readdirSync(folder)) {
    if (other.startsWith(`${name}.`) && /^\d+$/.test(other.slice(name.length + 1))) {
      rmSync(join(folder, other), { force: true });
    }
  }
}

function notOurs(path: string): SentinelError {
  return new SentinelError(
    "not_a_file",
    `${path} is a link, or something else that this program did not make.`,
    "Remove it. It contains no lessons and is never shared.",
  );
}

/** Returns the lines, oldest first. Empty if the file can't be read. */
export function readLocalLog(folder: string, name: string): string[] {
  const text = tryOr(() => readFileSync(localFile(folder, name), "utf8"), "");
  return text.split("\n").filter(Boolean);
}

/** Appends a line. @param mostBytes the size at which the older half is dropped first. */
export function appendToLocalLog(
  folder: string,
  name: string,
  line: string,
  mostBytes: number,
): void {
  const path = localFileToWrite(folder, name);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > mostBytes) {
    const lines = readLocalLog(folder, name);
    const newer = lines.slice(Math.floor(lines.length / 2));
    const text = newer.map((kept) => `${kept}\n`).join("");
    patiently(() => writeFileAtomic.sync(path, text, { fsync: false }));
  }
  appendFileSync(path, `${line}\n`);
}
