/** Checks the memory: its file, its size, whether it's writable, lessons that need a decision, and the digest. */
import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { fileError, hasCode } from "../../ground/files/file-errors.ts";
import { nameBelow } from "../../ground/files/paths.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { readWhole } from "../../ground/files/replace-file.ts";
import { mustNotBeTracked } from "../../ground/project/not-checked-out.ts";
import { examine, examineCopies, examineSize } from "../../lessons/health/examine.ts";
import { leftOutOfSources } from "../../lessons/history/difference.ts";
import { goneNames, namesGone } from "../../lessons/history/gone-names.ts";
import { knownVersions, lastTexts, returnedSources } from "../../lessons/history/known-versions.ts";
import { carriesDigest } from "../../lessons/hooks/digested.ts";
import type { Snapshot } from "../../lessons/merge/versions.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import { examineDigest } from "../digest/digest.ts";
import { broken, type Context, type Finding, note, ok } from "./finding.ts";

/** Checks for a memory that git tracks but this checkout lacks. Empty if the memory exists here, or the project has no memory. */
export async function checkCheckout({ project: { context } }: Context): Promise<Finding[]> {
  if (await isMissing(context.memoryFile)) {
    await mustNotBeTracked(context.memoryFile);
  }
  return [];
}

/** Checks the lines of the file, and copies of the file. */
export async function checkMemory(context: Context): Promise<Finding[]> {
  const { project, lessons, readPrivacy } = context;
  const file = memoryName(context);
  const bytes = await readMemory(context);
  if (!bytes) {
    const fix = "sentinel-memory init writes an empty one; commit it, so that first lessons merge.";
    return [note("memory_missing", `There is no ${file} yet.`, fix)];
  }
  const { snapshot, findings } = examine(bytes, (await readPrivacy()).known);
  const copies = examineCopies(file, await namesIn(dirname(project.context.memoryFile)));
  const isBroken = findings.some(({ level }) => level === "broken");
  const size = `${plural(snapshot.count, "lesson")}, ${plural(bytes.length, "byte")}`;
  const what = isBroken ? size : `${size}, no secret, no conflict marker`;
  // A save that adds nothing resolves conflict markers and removes them.
  const saveOnce = async (): Promise<void> => {
    await lessons.merge([]);
  };
  const found = [...findings, ...copies].map((finding): Finding => {
    const repair = finding.id === "conflict_marker" ? saveOnce : undefined;
    return { ...finding, file, repair };
  });
  return [{ ...ok("memory", what), file }, ...found];
}

/** Checks whether the memory needs a compaction. */
export async function checkSize(context: Context): Promise<Finding[]> {
  const snapshot = await readableMemory(context);
  if (!snapshot) {
    return [];
  }
  const { values } = await readMemoryPolicy(context.project.context);
  const file = memoryName(context);
  const found = examineSize(snapshot, values.compact_threshold);
  return found.map((finding) => ({ ...finding, file }));
}

/** Returns the path of the file, relative to the project's folder. */
const memoryName = ({ project }: Context): string =>
  nameBelow(project.folder, project.context.memoryFile);

/** Returns the lessons. Undefined if the file is missing or unreadable, which `checkMemory` reports. */
async function readableMemory(context: Context): Promise<Snapshot | undefined> {
  try {
    const bytes = await readMemory(context);
    return bytes && examine(bytes, (await context.readPrivacy()).known).snapshot;
  } catch (error) {
    if (error instanceof SentinelError) {
      return undefined;
    }
    throw error;
  }
}

async function readMemory(context: Context): Promise<Buffer | undefined> {
  try {
    return (await readWhole(context.project.context.memoryFile))?.bytes;
  } catch (error) {
    throw fileError(error, "read_failed", `Reading ${memoryName(context)}`);
  }
}

/** Checks whether a save can write. */
export async function checkWritable({ project: { folder, context } }: Context): Promise<Finding[]> {
  const isNew = await isMissing(context.shared);
  const written = isNew ? [folder] : [context.shared, context.memoryFile];
  const refused: Finding[] = [];
  for (const path of written) {
    const error: unknown = await access(path, constants.W_OK).catch((failure) => failure);
    if (error === undefined || hasCode(error, "ENOENT")) {
      continue;
    }
    const doing = `Nothing can be saved in ${nameBelow(folder, path) || folder}`;
    const { message, fix } = fileError(error, "write_failed", doing);
    refused.push(broken("memory_not_writable", message, fix));
  }
  return refused.length > 0 ? refused : [ok("memory_writable", "The memory can be written.")];
}

const isMissing = async (path: string): Promise<boolean> =>
  hasCode(await access(path).catch((error) => error), "ENOENT");

/** Finds lessons that mention missing files, principles that left something out, and lessons that an old branch brought back. */
export async function checkLessons(context: Context): Promise<Finding[]> {
  const { project, lessons } = context;
  const snapshot = await readableMemory(context);
  if (!snapshot) {
    return [];
  }
  const found: Finding[] = [];
  const shown = snapshot.lessons().map(({ version }) => version);
  for (const [id, names] of await goneNames(shown, project.folder)) {
    found.push(note("aged", `${short(id)} ${namesGone(names)}`, "sentinel-memory review"));
  }

  const known = await knownVersions(lessons.location, snapshot, await lessons.removed());
  for (const { id, leftOut } of leftOutOfSources(snapshot, lastTexts(known))) {
    const fix = `edit it, or bring the sources back: sentinel-memory restore ${short(id)}`;
    found.push(note("left_out", `${short(id)} leaves out of its sources: ${leftOut}`, fix));
  }
  for (const { principle, sources } of returnedSources(snapshot, known)) {
    const ids = sources.map(short);
    const what = `${short(principle)} was made from ${ids.join(", ")}, which an old branch brought back. A principle hides its sources for 180 days only.`;
    const fix = `If the principle still covers them: sentinel-memory forget ${ids.join(" ")}. Otherwise keep them.`;
    found.push(note("returned", what, fix));
  }
  const file = memoryName(context);
  return found.map((finding) => ({ ...finding, file }));
}

const short = (id: string): string => id.slice(0, 8);

/** Checks the digest, if it's on. Agents follow it as instructions, so it may only contain lessons that the team agreed on. */
export async function checkDigest({ project, lessons, files }: Context): Promise<Finding[]> {
  if (!carriesDigest(project.folder)) {
    return [];
  }
  const found: Finding[] = [];
  for (const { path, foreign } of await examineDigest(project, await lessons.read(), files)) {
    const finding = foreign.length === 0 ? BEHIND : differs(foreign);
    found.push({ ...finding, file: path });
  }
  return found;
}

const UPDATE_DIGEST = "sentinel-memory digest";
const BEHIND = note("digest_behind", "The digest differs from the memory.", UPDATE_DIGEST);

function differs(foreign: readonly string[]): Finding {
  const what = `The digest has ${plural(foreign.length, "line")} that no lesson of the default branch contains: ${foreign[0]?.slice(0, 80)}`;
  const fix = `${UPDATE_DIGEST}, which keeps the lines outside of its markers: remove those by hand`;
  return broken("digest_differs", what, fix);
}
