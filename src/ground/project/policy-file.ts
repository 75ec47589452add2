/** Reads a policy file. A missing file means defaults. An unreadable one is a problem in the policy, not an error. */
import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { consequenceOf, defaultsOf, type Policy, type PolicySchema } from "../core/policy.ts";
import { readPolicy } from "../core/read-policy.ts";
import { fileError } from "../files/file-errors.ts";
import { lookAt, readWhole } from "../files/replace-file.ts";
import { LEADS_OUT, leadsOut } from "./leads-out.ts";

/** A policy is a few lines, so a larger file isn't one. */
const MOST_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** Reads a policy. @param folder of the project that shares it. Links must not leave its repository. Undefined for the user's own policy. */
export async function readPolicyFile<Schema extends PolicySchema>(
  path: string,
  schema: Schema,
  folder?: string,
): Promise<Policy<Schema>> {
  try {
    const info = lookAt(path);
    if (!info) {
      if (lstatSync(path, { throwIfNoEntry: false }))
        return unreadable(schema, "the link leads to no file", "Correct the link, or remove it.");
      return { values: defaultsOf(schema), problems: [], unknown: [] };
    }
    if (folder !== undefined && leadsOut(path, folder))
      return unreadable(schema, LEADS_OUT.why, LEADS_OUT.fix);
    if (info.size > MOST_BYTES)
      return unreadable(schema, "the file is larger than 64 KiB", "Keep a few lines in it.");
    const bytes = (await readWhole(path))?.bytes ?? NOTHING;
    if (!isUtf8(bytes)) return unreadable(schema, "the file is not UTF-8", "Save it as UTF-8.");
    return readPolicy(bytes.toString("utf8"), schema);
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", "the file cannot be read");
    return unreadable(schema, message, fix);
  }
}

function unreadable<Schema extends PolicySchema>(
  schema: Schema,
  why: string,
  fix: string,
): Policy<Schema> {
  const message = `${why}, so ${consequenceOf(schema)}.`;
  return { values: defaultsOf(schema), problems: [{ message, fix }], unknown: [] };
}
