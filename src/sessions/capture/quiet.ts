/** Recording that is on and records nothing looks like a quiet project, so it is reported after some days. */
import type { Problem } from "../../ground/core/errors.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import { readLastCapture } from "../consent/last-capture.ts";
import type { Places } from "../consent/places.ts";
import { readCaptureState } from "./capture-state.ts";
import { changedAt } from "./cursor.ts";
import { spoolReader } from "./readers.ts";

const QUIET_DAYS = 3;

interface Circumstances {
  readonly places: Places;
  /** Whether the hooks that start captures are in place. */
  readonly hasHooks: boolean;
  /** In ms since 1970. */
  readonly now: number;
}

/** Reports that no transcript of the project was found for days, though hooks are in place or captures ran. Undefined while recording is off. */
export function quietProblem(
  { folder, manifest }: ProjectLog,
  circumstances: Circumstances,
): Problem | undefined {
  const { places, hasHooks, now } = circumstances;
  const on = manifest.intervals.find(({ off }) => off === undefined)?.on;
  if (on === undefined) return undefined;
  const { cursors, understood } = readCaptureState(folder);
  const { succeeded, failed } = readLastCapture(folder);
  // A spool leaves no cursor behind, and a capture that fails is reported with its own fix.
  if (
    failed ||
    Object.keys(understood).some((client) =>
      client.startsWith(`${spoolReader(folder).reader.name} `),
    )
  )
    return undefined;
  const ours = Object.values(cursors).filter(({ state }) => state.isStarted);
  const lastMs = Math.max(Date.parse(on), ...ours.map((cursor) => changedAt(cursor) ?? now));
  // Without a session for days no hook runs either, so only captures that ran since show that one is missing.
  const untilMs = ours.length === 0 && hasHooks ? now : Date.parse(succeeded ?? on);
  if (untilMs - lastMs < QUIET_DAYS * DAY_MS) return undefined;
  return {
    what: `No transcript of this project was found since ${dateOf(new Date(lastMs).toISOString())}, though recording is on.`,
    fix: `After a session in this folder, call sentinel-memory sessions capture. If it reads none, the client writes elsewhere than ${places.claude} or ${places.codex}: set CLAUDE_CONFIG_DIR or CODEX_HOME to its folder, then sentinel-memory sessions on.`,
  };
}
