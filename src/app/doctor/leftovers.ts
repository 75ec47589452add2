/** What writers left beside the memory file: a lock, or the staging file of one that died. */
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { plural } from "../../ground/core/text.ts";
import { lockOwner, withLock } from "../../ground/files/lock.ts";
import { isAlive } from "../../ground/files/lock-owner.ts";
import { removeStagingLeftovers } from "../../ground/files/replace-file.ts";
import { sidecarsOf } from "../../ground/files/sidecar-names.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkLeftovers({ project }: CheckContext): Promise<Diagnosis[]> {
  const file = project.context.memoryFile;
  const names = await readdir(dirname(file)).catch(() => []);
  const left = sidecarsOf(file, names);
  if (left.length === 0) return [ok("No lock, nothing left behind by a writer.")];
  const owner = lockOwner(file);
  const alive = owner ? isAlive(owner) : false;
  if (owner && alive) return [{ status: "note", what: `Process ${owner.pid} is writing to the memory.` }];
  // The lock of another host or container: this machine cannot see whether its owner is alive.
  if (owner && alive === undefined)
    return [
      {
        status: "note",
        what: `Process ${owner.pid} on ${owner.host.split(" ")[0]} holds the lock; from here nobody can tell whether it still runs.`,
        fix: "Nothing to do: its lock is taken over by a save once it has been silent for a minute.",
      },
    ];
  return [
    {
      status: "warning",
      what: `A writer that ended early left ${plural(left.length, "file")} in .context: ${left.join(", ")}`,
      fix: "Nothing to do: the next save removes them; sentinel-memory doctor --fix does so now.",
      repair: () => removeAll(file),
    },
  ];
}

/** Removes them as a save does: under the lock, which is taken from a dead owner. */
function removeAll(file: string): Promise<void> {
  return withLock(file, async () => removeStagingLeftovers(file, await readdir(dirname(file))));
}
