/** Changes a project's session log: turns recording on or off, skips a session, allows a past span, or removes the log. */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SentinelError } from "../../ground/core/errors.ts";
import { isUlid, ulid } from "../../ground/core/ulid.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { patientlySync } from "../../ground/files/patiently.ts";
import { alone, changeUserFile } from "../../ground/files/user-folder.ts";
import { logsFolder, MANIFEST_NAME } from "../../ground/project/context-folder.ts";
import { type FoundLog, findLog, type ProjectLog } from "./find-log.ts";
import { homeOf, pathToNote, readLogId, writeLogId } from "./log-id.ts";
import {
  type DaemonLog,
  firstOn,
  formatOf,
  isOn,
  type LogManifest,
  manifestText,
  parseManifest,
  RECORD_FORMAT,
  withPast,
} from "./manifest.ts";
import { type Environment, readPlaces, writePlaces } from "./places.ts";

/**
 * Turns recording on, if it isn't already. Creates the session log if there is none, and a separate one for a copy of a project.
 * @param now in ms since 1970. @param daemon where to keep the session log. Without it, that stays the same.
 * @throws SentinelError `newer_format`, `not_recorded`, or the reason a file can't be written.
 */
export async function turnOn(
  folder: string,
  env: Environment,
  now: number,
  daemon?: DaemonLog,
): Promise<ProjectLog> {
  await writePlaces(env);
  return alone(join(logsFolder(readPlaces(env)), "record-on"), async () => {
    const found = await findLog(folder, env);
    if (found.record)
      await change(found.record, (manifest) => ({
        ...manifest,
        ...(daemon && { daemon, format: formatOf(daemon) }),
        intervals: withOn(manifest, now),
        project: pathToNote(manifest.project, found.home),
      }));
    else await makeLog(found, folder, now, daemon);
    const { record, problems } = await findLog(folder, env);
    if (record) return record;
    throw notMade(problems.at(-1));
  });
}

/** Turns recording off. Recorded events stay. @throws SentinelError `newer_format`. */
export async function turnOff(record: Named, now: number): Promise<void> {
  const off = new Date(now).toISOString();
  await change(record, (manifest) => ({
    ...manifest,
    intervals: manifest.intervals.map((interval) =>
      interval.off === undefined ? { ...interval, off } : interval,
    ),
  }));
}

type Named = Pick<ProjectLog, "folder" | "id">;

/** Excludes a session from recording, permanently. */
export async function skipSession(record: ProjectLog, session: string): Promise<void> {
  await change(record, (manifest) => ({
    ...manifest,
    skipped: [...new Set([...manifest.skipped, session])],
  }));
}

/** Allows importing a past span: up to the first `on`, or with `alsoWhileOff` up to now. @param from in ms since 1970. */
export async function agreeToPast(
  record: ProjectLog,
  {
    from,
    now,
    alsoWhileOff,
  }: { readonly from: number; readonly now: number; readonly alsoWhileOff: boolean },
): Promise<void> {
  await change(record, (manifest) => {
    const to = alsoWhileOff ? now : (firstOn(manifest) ?? now);
    if (from >= to) return manifest;
    const past = {
      on: new Date(from).toISOString(),
      off: new Date(to).toISOString(),
      past: true,
    } as const;
    return { ...manifest, intervals: withPast(manifest.intervals, past) };
  });
}

/** Updates the project's path and the format in the manifest. Call it before writing to the log. */
export async function noteWriter(record: ProjectLog, { home }: FoundLog): Promise<void> {
  const format = ({ format, daemon }: LogManifest) => Math.max(format, formatOf(daemon));
  const { manifest } = record;
  if (
    pathToNote(manifest.project, home) === manifest.project &&
    format(manifest) === manifest.format
  )
    return;
  await change(record, (manifest) => ({
    ...manifest,
    format: format(manifest),
    project: pathToNote(manifest.project, home),
  }));
}

/** Removes a session log with all files. It disappears at once and is deleted when this returns. */
export function removeLog(folder: string): void {
  const doomed = `${folder}.deleted`;
  try {
    rmSync(doomed, { recursive: true, force: true });
    if (existsSync(folder)) patientlySync(() => renameSync(folder, doomed));
    rmSync(doomed, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw fileError(error, "write_failed", `Removing ${folder}`);
  }
}

async function makeLog(
  found: FoundLog,
  folder: string,
  now: number,
  daemon: DaemonLog | undefined,
): Promise<void> {
  const home = homeOf(folder);
  const present = readLogId(folder);
  if (found.status === "unclear" && present !== undefined && isUlid(present))
    throw notMade(found.problems.at(-1));
  // Keeps an id without a session log on this machine, because the folder may be in use elsewhere, such as in a container.
  const isFree = present !== undefined && isUlid(present) && found.status === "never";
  const id = isFree ? present : ulid(now, randomBytes(10));
  const path = join(logsFolder(found.places), id);
  const empty = { format: formatOf(daemon), id, project: home.path, intervals: [], skipped: [] };
  const manifest: LogManifest = {
    ...empty,
    intervals: withOn(empty, now),
    ...(daemon && { daemon }),
  };
  // Writes the id first. An id without a log has no effect and the next call repairs it, but a log without an id would stay forever.
  if (id !== present) await writeLogId(home, id);
  await changeUserFile(join(path, MANIFEST_NAME), () => manifestText(manifest));
}

/** Changes the current manifest under a lock, so changes by other processes are kept. */
async function change(
  { folder, id }: Named,
  work: (manifest: LogManifest) => LogManifest,
): Promise<void> {
  // The lock would create the folder of a removed session log.
  if (!existsSync(folder)) throw gone(folder);
  await changeUserFile(join(folder, MANIFEST_NAME), (text) => {
    const manifest = parseManifest(text ?? "");
    if (manifest?.id !== id) throw gone(folder);
    if (manifest.format > RECORD_FORMAT)
      throw new SentinelError(
        "newer_format",
        `A newer release made this session log (format ${manifest.format}); nothing was changed.`,
        "Update sentinel-memory in this project.",
      );
    const after = manifestText(work(manifest));
    return after === text ? undefined : after;
  });
}

function withOn(manifest: Pick<LogManifest, "intervals">, now: number): LogManifest["intervals"] {
  return isOn(manifest)
    ? manifest.intervals
    : [...manifest.intervals, { on: new Date(now).toISOString() }];
}

function notMade(problem: FoundLog["problems"][number] | undefined): SentinelError {
  return new SentinelError(
    problem?.code ?? "not_recorded",
    problem?.what ?? "The session log was made, and cannot be found.",
    problem?.fix ?? "sentinel-memory sessions status shows the expected folder.",
  );
}

function gone(folder: string): SentinelError {
  return new SentinelError(
    "not_recorded",
    `There is no manifest in ${folder} any more; nothing was changed.`,
    "sentinel-memory sessions on starts a session log.",
  );
}
