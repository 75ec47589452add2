/** Captures what belongs to this project, for every command that does so. */
import { type CaptureRequest, capture } from "../capture/capture.ts";
import { noteCapture } from "../capture/last-capture.ts";
import type { CaptureReport } from "../capture/report.ts";
import { SentinelError } from "../core/errors.ts";
import { noteMove } from "../project/record/change-record.ts";
import type { FoundRecord, ProjectRecord } from "../project/record/find-record.ts";
import { readRecordLimits } from "../project/record/limits.ts";
import type { Home } from "../project/record/record-id.ts";
import type { CommandContext } from "./command.ts";
import { readersOf } from "./project-record.ts";

/**
 * Captures, and notes beside the record how that ended.
 *
 * @throws SentinelError `not_recorded`, `privacy_unreadable`, and what a capture throws.
 */
export async function captureHere(
  context: CommandContext,
  found: FoundRecord,
  more: Pick<CaptureRequest, "ended" | "onProgress"> = {},
): Promise<CaptureReport> {
  const { record } = mustBeOn(found);
  try {
    const report = await capture({ ...(await captureRequest(context, found)), ...more });
    if (!report.wasTurnedOff) await noteCapture(record.folder, undefined, Date.now());
    return report;
  } catch (error) {
    // What cannot be written down either is for the caller alone.
    if (error instanceof SentinelError) await noteCapture(record.folder, error, Date.now()).catch(() => undefined);
    throw error;
  }
}

async function captureRequest(
  { project, openEvents, readPrivacy }: CommandContext,
  found: FoundRecord,
): Promise<CaptureRequest> {
  const { record, home } = mustBeOn(found);
  const words = (await readPrivacy()).forStoring();
  await noteMove(record, found);
  const { limits } = await readRecordLimits(project.folder);
  const store = openEvents(record.folder, words);
  return { record, home, store, now: Date.now(), readers: readersOf(found.places), ...(limits && { limits }) };
}

/** @throws SentinelError `not_recorded`. */
export function mustBeOn({ status, record, home }: FoundRecord): { record: ProjectRecord; home: Home } {
  if (status === "on" && record && home) return { record, home };
  throw new SentinelError(
    "not_recorded",
    "Recording is not on here, so nothing was read.",
    "sentinel-memory record status says more; sentinel-memory record on turns it on.",
  );
}
