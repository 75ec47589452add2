/** Checks whether the session log can be written. Call it before telling the user that a session is recorded. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { type Problem, problemOf } from "../../ground/core/errors.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";

/** The folders that a capture writes to. */
const WRITTEN = [".", "events", "state"];

/** @param record absolute path of the log's folder. @returns undefined if it can be written. */
export async function obstacleTo(project: Project, record: string): Promise<Problem | undefined> {
  try {
    (await privacyOf(project)()).forStoring();
  } catch (error) {
    return problemOf(error);
  }
  const folders = WRITTEN.map((name) => join(record, name));
  const closed = folders.find((folder) => !isWritable(folder));
  return closed === undefined
    ? undefined
    : { what: `Nothing can be recorded: ${closed} may not be written.`, fix: "Make it writable." };
}

/** A missing folder counts as writable because it will be created. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return hasCode(error, "ENOENT");
  }
}
