/** Whether a save can write: into the folder, where its lock and its staging file stand, and over the memory file. */
import { access, constants } from "node:fs/promises";
import { relative } from "node:path";
import { fileError, hasCode } from "../../ground/files/file-errors.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkWritable({ project }: CheckContext): Promise<Diagnosis[]> {
  const { folder, context } = project;
  const there = (await isMissing(context.shared)) ? [folder] : [context.shared, context.memoryFile];
  const refused = (await Promise.all(there.map((path) => refusal(path, relative(folder, path) || folder)))).flat();
  return refused.length > 0 ? refused : [ok("The memory can be written.")];
}

async function refusal(path: string, name: string): Promise<Diagnosis[]> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    const { message, fix } = fileError(error, "write_failed", `Nothing can be saved in ${name}`);
    return [{ status: "broken", what: message, fix }];
  }
  return [];
}

async function isMissing(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    (error) => hasCode(error, "ENOENT"),
  );
}
