import { join } from "node:path";
import { SERVER_NAME } from "../../ground/clients/client.ts";
import { textBefore } from "../../ground/project/git-history.ts";
import type { Manifest } from "./init-manifest.ts";
import type { Step } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

/** Plans to restore files from git that a teammate's init found, instead of removing them: the manifest of that init isn't in a clone. */
export function keepCommitted(
  steps: readonly Step[],
  files: ProjectFiles,
  manifest: Manifest,
): Promise<Step[]> {
  return Promise.all(
    steps.map(async (step) => {
      if (!mayBeRestored(step, manifest)) return step;
      return { ...step, after: await textBefore(join(files.folder, step.path), SERVER_NAME) };
    }),
  );
}

function mayBeRestored({ edits, path, before, after }: Step, { files }: Manifest): boolean {
  const isRemoved = after === undefined && before !== undefined;
  if (!isRemoved || path in files || edits.some(({ isOurs }) => isOurs)) return false;
  // Every entry and hook of ours has the name.
  return before.includes(SERVER_NAME);
}
