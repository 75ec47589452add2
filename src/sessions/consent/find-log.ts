/** Finds a project's session log and whether recording is on. Writes nothing. */
import { join } from "node:path";
import type { ErrorCode, Problem } from "../../ground/core/errors.ts";
import { isUlid } from "../../ground/core/ulid.ts";
import { isRefused } from "../../ground/files/file-errors.ts";
import { logsFolder, MANIFEST_NAME, placesFile } from "../../ground/project/context-folder.ts";
import { namesProject } from "../../ground/project/repository.ts";
import { type Home, homeOf, readLogId, stillHolds } from "./log-id.ts";
import {
  isOldFormat,
  isOn,
  type LogManifest,
  OLD_FORMAT_FIX,
  RECORD_FORMAT,
  readManifest,
} from "./manifest.ts";
import { type Environment, type ResolvedPlaces, readPlaces } from "./places.ts";

export interface ProjectLog {
  readonly id: string;
  /** Absolute path of `records/<id>`. */
  readonly folder: string;
  /** As read once. `readConsent` reads it again. */
  readonly manifest: LogManifest;
  /** False if a newer release wrote it. */
  readonly isWritable: boolean;
  /** The project's former folder, if it was moved. `noteWriter` records the new one. */
  readonly movedFrom: string | undefined;
}

export interface FoundLog {
  /**
   * - `never`: recording was never turned on here.
   * - `on`, `off`: the user's last choice.
   * - `copy`: the project is a copy of another one and has its id. Nothing is recorded here.
   * - `newer`: a newer release made the session log. It can only be read.
   * - `unclear`: the id or the manifest is invalid, or an earlier build wrote the log. Nothing is recorded.
   */
  readonly status: "never" | "on" | "off" | "copy" | "newer" | "unclear";
  /** Present for `on`, `off` and `newer`. */
  readonly record?: ProjectLog;
  readonly places: ResolvedPlaces;
  readonly home: Home;
  readonly problems: readonly LogProblem[];
}

/** A problem with the code of its error, if that isn't `not_recorded`. */
type LogProblem = Problem & { readonly code?: ErrorCode };

/** Finds the session log of a project. @param folder the project's. */
export async function findLog(folder: string, env: Environment): Promise<FoundLog> {
  const places = readPlaces(env);
  const disagreements = places.disagreements.map(({ variable, says, inUse }) => ({
    what: `${variable} is ${says}, and the session log uses ${inUse}.`,
    fix: `Unset ${variable}, or set it to ${inUse}, which the first sentinel-memory sessions on found.`,
  }));
  const broken = {
    what: `${placesFile()} cannot be read, so what this environment says is used instead.`,
    fix: "Restore it, or remove it and call sentinel-memory sessions on in the shell in which it was called first.",
  };
  const problems = [...(places.isFileBroken ? [broken] : []), ...disagreements];
  const home = homeOf(folder);
  const { problem, ...found } = logOf(home, places);
  return { ...found, places, home, problems: [...problems, ...(problem ? [problem] : [])] };
}

/** The problem that prevents reading a session log. Undefined if recording was never turned on. */
export function obstacleIn({ status, problems }: Pick<FoundLog, "status" | "problems">) {
  return status === "unclear" || status === "copy" ? problems.at(-1) : undefined;
}

/** The user's current consent. Capture reads it before every batch. Undefined if the session log is off, missing, unreadable or newer. */
export function readConsent({
  folder,
  id,
}: Pick<ProjectLog, "folder" | "id">): LogManifest | undefined {
  const manifest = readManifest(folder);
  const isUsable =
    typeof manifest === "object" &&
    manifest.id === id &&
    manifest.format <= RECORD_FORMAT &&
    !isOldFormat(manifest, folder);
  return isUsable && isOn(manifest) ? manifest : undefined;
}

type Found = Pick<FoundLog, "status" | "record"> & { readonly problem?: LogProblem };

function logOf(home: Home, places: ResolvedPlaces): Found {
  const id = readLogId(home.folder);
  if (id === undefined) return { status: "never" };
  const place = home.hasGit
    ? "sentinelMemory.record in the git configuration"
    : ".context/.local/record";
  const unclear = (what: string, fix: string): Found => ({
    status: "unclear",
    problem: { what, fix },
  });
  if (!isUlid(id))
    return unclear(
      `${place} is not the id of a session log; it is ignored.`,
      "Remove it, or turn recording on: sentinel-memory sessions on",
    );
  const folder = join(logsFolder(places), id);
  const manifest = readManifest(folder);
  if (manifest === undefined) return { status: "never" };
  if (manifest === "unreadable" || manifest.id !== id)
    return isRefused(join(folder, MANIFEST_NAME))
      ? unclear(
          `This user may not read the session log, so nothing is recorded: ${folder}`,
          "Give this user the right to read and write that folder and its files. Don't move it away.",
        )
      : unclear(
          `The manifest of the session log cannot be read, so nothing is recorded: ${folder}`,
          "Restore manifest.json there; or move that folder away and call sentinel-memory sessions on.",
        );
  if (isOldFormat(manifest, folder)) {
    const what = `An earlier build wrote the session log, so nothing is read or recorded: ${folder}`;
    return { status: "unclear", problem: { code: "old_format", what, fix: OLD_FORMAT_FIX } };
  }
  const isElsewhere = !namesProject(manifest.project, home.folder);
  if (isElsewhere && stillHolds(manifest.project, id)) {
    const what = `This is a copy of ${manifest.project}, whose session log it does not share: recording is off here.`;
    return {
      status: "copy",
      problem: { what, fix: "To start a separate session log: sentinel-memory sessions on" },
    };
  }
  const { format, project } = manifest;
  const isWritable = format <= RECORD_FORMAT;
  const record = { id, folder, manifest, isWritable, movedFrom: isElsewhere ? project : undefined };
  if (isWritable) return { status: isOn(manifest) ? "on" : "off", record };
  const what = `A newer release made this session log (format ${format}); this one reads it and records nothing.`;
  return {
    status: "newer",
    record,
    problem: { what, fix: "Update sentinel-memory in this project." },
  };
}
