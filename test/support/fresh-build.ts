import { isBuildFresh } from "../../scripts/build-stamp.ts";

/** Keeps a run from testing a build that is older than its sources. */
export function failUnlessFresh(folder: string, command: string): void {
  if (isBuildFresh(folder)) {
    return;
  }
  const error = new Error(
    `${folder}/ is missing or older than its sources: run \`${command}\` first.`,
  );
  // The one line is all there is to know; where it was thrown helps nobody.
  error.stack = error.message;
  throw error;
}
