/** The notice at the start of a recorded session. */
import type { Problem } from "../../ground/core/errors.ts";
import type { DaemonLog } from "../consent/manifest.ts";

interface Circumstances {
  /** The daemon that keeps the session log. Absent if it's in files. */
  readonly daemon?: DaemonLog | undefined;
  readonly obstacle?: Problem | undefined;
  readonly failed?: Problem | undefined;
}

/** The hook adapts the commands to this installation. */
export function recordedNotice({ daemon, obstacle, failed }: Circumstances = {}): string {
  if (obstacle)
    return `Sentinel Memory does not record this session, though recording is on. ${obstacle.what} ${obstacle.fix}`;
  const where = daemon ? `at ${daemon.url}, channel ${daemon.channel}` : "on this machine only";
  const trouble = failed
    ? ` But the last capture failed, and nothing new is recorded until one succeeds. ${failed.what} ${failed.fix}`
    : "";
  return `Sentinel Memory records this session, ${where}. sentinel-memory sessions skip leaves it out, sentinel-memory sessions off ends it.${trouble}`;
}
