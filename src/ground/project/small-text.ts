/** Reads small texts that people write, such as policies and views. */
import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { relative, sep } from "node:path";
import { SentinelError } from "../core/errors.ts";
import { type Policy, type PolicySchema, readPolicy, unreadablePolicy } from "../core/policy.ts";
import { fileError } from "../files/file-errors.ts";
import { lookAt, readWhole, realTarget } from "../files/replace-file.ts";
import { gitRootOf } from "./repository.ts";

/** Far more than such a file needs. */
const MOST_BYTES = 64 * 1024;

/**
 * Undefined if the file doesn't exist. @param folder of the project that shares it. Links must not leave its repository. Undefined for the
 * user's own file. @throws SentinelError `read_failed`, and errors of the file system.
 */
export async function readSmallText(path: string, folder?: string): Promise<string | undefined> {
  const info = lookAt(path);
  if (!info) {
    if (!lstatSync(path, { throwIfNoEntry: false })) {
      return undefined;
    }
    throw unreadable("the link leads to no file", "Correct the link, or remove it.");
  }
  if (folder !== undefined && leadsOut(path, folder)) {
    throw unreadable(LEADS_OUT.why, LEADS_OUT.fix);
  }
  if (info.size > MOST_BYTES) {
    throw unreadable("the file is larger than 64 KiB", "Keep less in it.");
  }
  const bytes = (await readWhole(path))?.bytes ?? Buffer.alloc(0);
  if (!isUtf8(bytes)) {
    throw unreadable("the file is not UTF-8", "Save it as UTF-8.");
  }
  return new TextDecoder().decode(bytes);
}

const unreadable = (why: string, fix: string): SentinelError =>
  new SentinelError("read_failed", why, fix);

/** The problem with a link out of the repository, and its fix. */
export const LEADS_OUT = {
  why: "a link leads out of the repository",
  fix: "Make it a file or folder of the repository.",
} as const;

/** Whether a path leads out of the repository or into `.git`. Anyone who can push could commit such a link. */
export function leadsOut(path: string, folder: string): boolean {
  const root = gitRootOf(folder) ?? folder;
  const [first, ...rest] = relative(realTarget(root), realTarget(path)).split(sep);
  return first === ".." || [first, ...rest].includes(".git");
}

/** Reads a policy. A missing file means defaults. An unreadable one is a problem in the policy, not an error. @param folder of the project that shares it. Links must not leave its repository. Undefined for the user's own policy. */
export async function readPolicyFile<Schema extends PolicySchema>(
  path: string,
  schema: Schema,
  folder?: string,
): Promise<Policy<Schema>> {
  const file = folder === undefined ? path : relative(folder, path);
  try {
    return readPolicy((await readSmallText(path, folder)) ?? "", schema, file);
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", "the file cannot be read");
    return unreadablePolicy(schema, file, message, fix);
  }
}
