/** Captures the sessions of a project. A command, a hook and an agent that waits for its context all capture through here. */
import { SentinelError } from "../../ground/core/errors.ts";
import type { Project } from "../../ground/project/find-project.ts";
import type { ReadPrivacy } from "../../ground/project/privacy.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { noteWriter } from "../consent/change-log.ts";
import type { FoundLog, ProjectLog } from "../consent/find-log.ts";
import { noteCapture } from "../consent/last-capture.ts";
import { readLogLimits } from "../consent/limits.ts";
import type { Home } from "../consent/log-id.ts";
import type { EventStore } from "../store.ts";
import { capture } from "./capture.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { readersOf, spoolReader } from "./readers.ts";
import type { CaptureReport } from "./report.ts";
import { emptySpool } from "./spool.ts";

/** What a capture needs of whoever asks for it. */
export interface CaptureParts {
  readonly project: Project;
  /** Opens the events of a session log. @param folder the session log's. @param words what is never stored, where events are appended. */
  readonly openEvents: (folder: string, words?: OwnWords) => EventStore;
  readonly readPrivacy: ReadPrivacy;
}

type Manner = Pick<
  CaptureRequest,
  "again" | "ended" | "told" | "only" | "limit" | "stop" | "onProgress"
>;

/** Captures, indexes and notes how it ended. @throws SentinelError `not_recorded`, `privacy_unreadable`, and what a capture throws. */
export async function captureHere(
  { project, openEvents, readPrivacy }: CaptureParts,
  found: FoundLog,
  how: Manner = {},
): Promise<CaptureReport> {
  const { record, home } = mustBeOn(found);
  try {
    const words = (await readPrivacy()).forStoring();
    await noteWriter(record, found);
    const { limits } = await readLogLimits(project.folder);
    const store = openEvents(record.folder, words);
    const readers = [...readersOf(found.places), spoolReader(record.folder)];
    const report = await capture({
      record,
      home,
      store,
      now: Date.now(),
      readers,
      ...(limits && { limits }),
      ...how,
    });
    emptySpool(record.folder);
    if (report.wasTurnedOff) return report;
    while (!how.limit && !how.stop?.aborted && (await store.prepareSearch()));
    report.wasStopped ||= how.stop?.aborted ?? false;
    await noteCapture(record.folder, undefined, Date.now());
    return report;
  } catch (error) {
    // What cannot be written down either is for the caller alone.
    if (error instanceof SentinelError)
      await noteCapture(record.folder, error, Date.now()).catch(() => undefined);
    throw error;
  }
}

/** @throws SentinelError `not_recorded`. */
export function mustBeOn({ status, record, home }: FoundLog): { record: ProjectLog; home: Home } {
  if (status === "on" && record && home) return { record, home };
  throw new SentinelError(
    "not_recorded",
    "Recording is not on here, so nothing was read or stored.",
    "For details: sentinel-memory sessions status. To turn it on: sentinel-memory sessions on",
  );
}
