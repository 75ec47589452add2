/** Reads a small text that people write, such as a policy or a view. */
import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { SentinelError } from "../core/errors.ts";
import { lookAt, readWhole } from "../files/replace-file.ts";
import { LEADS_OUT, leadsOut } from "./leads-out.ts";

/** Far more than such a file needs. */
const MOST_BYTES = 64 * 1024;

/**
 * Undefined if the file doesn't exist. @param folder of the project that shares it. Links must not leave its repository. Undefined for the
 * user's own file. @throws SentinelError `read_failed`, and errors of the file system.
 */
export async function readSmallText(path: string, folder?: string): Promise<string | undefined> {
  const info = lookAt(path);
  if (!info) {
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    throw unreadable("the link leads to no file", "Correct the link, or remove it.");
  }
  if (folder !== undefined && leadsOut(path, folder))
    throw unreadable(LEADS_OUT.why, LEADS_OUT.fix);
  if (info.size > MOST_BYTES)
    throw unreadable("the file is larger than 64 KiB", "Keep less in it.");
  const bytes = (await readWhole(path))?.bytes ?? Buffer.alloc(0);
  if (!isUtf8(bytes)) throw unreadable("the file is not UTF-8", "Save it as UTF-8.");
  return new TextDecoder().decode(bytes);
}

const unreadable = (why: string, fix: string): SentinelError =>
  new SentinelError("read_failed", why, fix);
