/** A folder like `.context/.local/`, of this machine alone. Only we make it: a link or a device in it would lead our writes elsewhere. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SentinelError } from "../core/errors.ts";

/** Lets git see nothing in the folder, this file included. */
export const IGNORE = { name: ".gitignore", text: "*\n" } as const;

/** The path of a file in a local folder; neither need exist. @throws SentinelError `not_a_file` when something else has its name. */
export function localFile(folder: string, name: string): string {
  const path = join(folder, name);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) throw notOurs(folder);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notOurs(path);
  return path;
}

/** Like `localFile`, but makes the folder and hides it from git, whatever the project's own files say. */
export function localFileToWrite(folder: string, name: string): string {
  const path = localFile(folder, name);
  const ignore = localFile(folder, IGNORE.name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(ignore)) writeFileSync(ignore, IGNORE.text);
  return path;
}

/** Removes a file of a local folder, and the folder and the one above it where nothing else is left in them. */
export function removeLocalFile(folder: string, name: string): void {
  rmSync(localFile(folder, name), { force: true });
  if (!existsSync(folder) || readdirSync(folder).some((other) => other !== IGNORE.name)) return;
  rmSync(folder, { recursive: true });
  if (readdirSync(dirname(folder)).length === 0) rmdirSync(dirname(folder));
}

/** Removes the staging files of writers that were killed; call it under the lock of the local file. */
export function removeAbandoned(folder: string, name: string): void {
  if (!existsSync(folder)) return;
  for (const other of readdirSync(folder))
    if (other.startsWith(`${name}.`) && /^\d+$/.test(other.slice(name.length + 1)))
      rmSync(join(folder, other), { force: true });
}

function notOurs(path: string): SentinelError {
  return new SentinelError(
    "not_a_file",
    `${path} is a link, or something else that this program did not make.`,
    "Remove it. It contains no lessons and is never shared.",
  );
}
