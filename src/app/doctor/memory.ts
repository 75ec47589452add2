/** The memory file: whether its lines are lessons, whether it has outgrown an answer, whether a save can write, and what writers left beside it. */
import { access, constants, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { budgetFor } from "../../ground/clients/answer-budget.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { problemOf } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { fileError, hasCode } from "../../ground/files/file-errors.ts";
import { lockOwner, withLock } from "../../ground/files/lock.ts";
import { isAlive } from "../../ground/files/lock-owner.ts";
import { nameBelow } from "../../ground/files/named-file.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import {
  type FileImage,
  readWhole,
  removeStagingLeftovers,
} from "../../ground/files/replace-file.ts";
import { sidecarsOf } from "../../ground/files/sidecar-names.ts";
import { mustNotBeTracked } from "../../ground/project/not-checked-out.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { examineCopies } from "../../lessons/health/copies.ts";
import { examine, lineRanges } from "../../lessons/health/examine.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { broken, type CheckContext, type Diagnosis, note, ok, warning } from "./diagnosis.ts";

/** A memory that git tracks and this checkout lacks; nothing where there is none, or it is here. */
export async function checkCheckout({ project: { context } }: CheckContext): Promise<Diagnosis[]> {
  if (!(await isMissing(context.memoryFile))) return [];
  try {
    await mustNotBeTracked(context.memoryFile);
    return [];
  } catch (error) {
    const { what, fix } = problemOf(error);
    return [broken(what, fix)];
  }
}

export async function checkMemory({ project }: CheckContext): Promise<Diagnosis[]> {
  const name = nameBelow(project.folder, project.context.memoryFile);
  let image: FileImage | undefined;
  try {
    image = await readWhole(project.context.memoryFile);
  } catch (error) {
    const { message, fix } = fileError(error, "read_failed", `Reading ${name}`);
    return [broken(message, fix)];
  }
  if (!image) {
    const fix = "sentinel-memory init writes an empty one; commit it, so that first lessons merge.";
    return [note(`There is no ${name} yet.`, fix)];
  }
  const measured = CLIENTS.filter(({ answers }) => answers !== undefined);
  const clients = measured.map(({ name }) => ({ client: name, budget: budgetFor(name) }));
  const { compact_threshold: compactThreshold } = (await readMemoryPolicy(project.context)).values;
  const readPrivacy = privacyOf(project);
  const { known: words } = await readPrivacy();
  // A save that adds nothing: it reads through conflict markers and leaves them out.
  const saveOnce = async () =>
    void (await new JsonlLessonStore(project.context.memoryFile, readPrivacy).merge([]));
  const { snapshot, findings } = examine(image.bytes, { clients, compactThreshold, words });
  const copies = examineCopies(name, await namesIn(dirname(project.context.memoryFile)));
  return [
    ok(
      `${name}: ${plural(snapshot.count, "lesson")}, ${image.bytes.length.toLocaleString("en")} bytes`,
    ),
    ...[...findings, ...copies].map(({ code, level: status, what, lines, fix }): Diagnosis => {
      const place =
        lines.length === 0
          ? name
          : `${name}, ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)}`;
      return {
        status,
        what: `${place}: ${what}`,
        fix,
        ...(code === "conflict_marker" && { repair: saveOnce }),
      };
    }),
  ];
}

export async function checkWritable({ project }: CheckContext): Promise<Diagnosis[]> {
  const { folder, context } = project;
  const there = (await isMissing(context.shared)) ? [folder] : [context.shared, context.memoryFile];
  const refused = (
    await Promise.all(there.map((path) => refusal(path, nameBelow(folder, path) || folder)))
  ).flat();
  return refused.length > 0 ? refused : [ok("The memory can be written.")];
}

async function refusal(path: string, name: string): Promise<Diagnosis[]> {
  const error: unknown = await access(path, constants.W_OK).catch((error) => error);
  if (error === undefined || hasCode(error, "ENOENT")) return [];
  const { message, fix } = fileError(error, "write_failed", `Nothing can be saved in ${name}`);
  return [broken(message, fix)];
}

const isMissing = async (path: string): Promise<boolean> =>
  hasCode(await access(path).catch((error) => error), "ENOENT");

export async function checkLeftovers({ project }: CheckContext): Promise<Diagnosis[]> {
  const file = project.context.memoryFile;
  const names = await readdir(dirname(file)).catch(() => []);
  const left = sidecarsOf(file, names);
  if (left.length === 0) return [ok("No lock, nothing left behind by a writer.")];
  const owner = lockOwner(file);
  const alive = owner ? isAlive(owner) : false;
  if (owner && alive) return [note(`Process ${owner.pid} is writing to the memory.`)];
  // The owner may be on another host or in another container, or another program may have reused its process id.
  if (owner && alive === undefined) {
    const what = `Process ${owner.pid} on ${owner.host.split(" ")[0]} holds the lock. Whether it still runs can't be checked from here.`;
    return [
      note(
        what,
        "Nothing to do: its lock is taken over by a save once it has been silent for a minute.",
      ),
    ];
  }
  const what = `A writer that ended early left ${plural(left.length, "file")} in .context: ${left.join(", ")}`;
  const fix =
    "Nothing to do: the next save removes them; sentinel-memory doctor --fix does so now.";
  // As a save does: under the lock, which is taken from a dead owner.
  const repair = () =>
    withLock(file, async () => removeStagingLeftovers(file, await readdir(dirname(file))));
  return [{ ...warning(what, fix), repair }];
}
