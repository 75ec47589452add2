/** Reads a policy file. A missing file means defaults. An unreadable one is a problem in the policy, not an error. */
import { relative } from "node:path";
import { type Policy, type PolicySchema, readPolicy, unreadablePolicy } from "../core/policy.ts";
import { fileError } from "../files/file-errors.ts";
import { readSmallText } from "./small-text.ts";

/** Reads a policy. @param folder of the project that shares it. Links must not leave its repository. Undefined for the user's own policy. */
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
