/** What keeps a session log that is on from being written: what says that a session is recorded asks here before. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { type Problem, problemOf } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";

/** Folders that a capture writes into, below the session log's. */
const WRITTEN = [".", "events", "state"];

/** @param record absolute path of its folder. @returns undefined where nothing is in the way. */
export async function obstacleTo(project: Project, record: string): Promise<Problem | undefined> {
  try {
    (await privacyOf(project)()).forStoring();
  } catch (error) {
    return problemOf(error);
  }
  const closed = WRITTEN.map((name) => join(record, name)).find((folder) => !isWritable(folder));
  return closed === undefined
    ? undefined
    : { what: `Nothing can be recorded: ${closed} may not be written.`, fix: "Make it writable." };
}

/** A folder that is not there yet is made. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return hasCode(error, "ENOENT");
  }
}
