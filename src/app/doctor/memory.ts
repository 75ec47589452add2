/** The memory file: whether its lines are lessons, whether it has outgrown an answer, whether a save can write, and what writers left beside it. */
import { access, constants, readdir } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { budgetFor } from "../../ground/clients/answer-budget.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { plural } from "../../ground/core/text.ts";
import { fileError, hasCode } from "../../ground/files/file-errors.ts";
import { lockOwner, withLock } from "../../ground/files/lock.ts";
import { isAlive } from "../../ground/files/lock-owner.ts";
import { type FileImage, readWhole, removeStagingLeftovers } from "../../ground/files/replace-file.ts";
import { sidecarsOf } from "../../ground/files/sidecar-names.ts";
import { privacyOf, type ReadPrivacy } from "../../ground/project/privacy.ts";
import { examine, lineRanges } from "../../lessons/health/examine.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkMemory({ project }: CheckContext): Promise<Diagnosis[]> {
  const name = relative(project.folder, project.context.memoryFile);
  let image: FileImage | undefined;
  try {
    image = await readWhole(project.context.memoryFile);
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", `Reading ${name}`);
    return [{ status: "broken", what: message, fix }];
  }
  if (!image) {
    const what = `There is no ${name} yet.`;
    return [
      {
        status: "note",
        what,
        fix: "sentinel-memory init writes an empty one; commit it, so that first lessons merge.",
      },
    ];
  }
  const measured = CLIENTS.filter(({ answers }) => answers !== undefined);
  const clients = measured.map(({ name }) => ({ client: name, budget: budgetFor(name) }));
  const { compact_threshold: compactThreshold } = (await readMemoryPolicy(project.context)).values;
  const readPrivacy = privacyOf(project);
  const { known: words } = await readPrivacy();
  const { snapshot, findings } = examine(image.bytes, { clients, compactThreshold, words });
  return [
    ok(`${name}: ${plural(snapshot.count, "lesson")}, ${image.bytes.length.toLocaleString("en")} bytes`),
    ...findings.map(({ code, level, what, lines, fix }): Diagnosis => {
      const place =
        lines.length === 0 ? name : `${name}, ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)}`;
      const diagnosis = { status: level, what: `${place}: ${what}`, fix };
      return code === "conflict_marker"
        ? { ...diagnosis, repair: () => saveOnce(project.context.memoryFile, readPrivacy) }
        : diagnosis;
    }),
  ];
}

/** A save that adds nothing: it reads through conflict markers and leaves them out. */
async function saveOnce(memoryFile: string, readPrivacy: ReadPrivacy): Promise<void> {
  await new JsonlLessonStore(memoryFile, readPrivacy).merge([]);
}

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
