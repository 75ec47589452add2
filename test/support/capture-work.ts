import { Folders } from "../../src/sessions/capture/belonging.ts";
import { CaptureReport } from "../../src/sessions/capture/report.ts";
import type { CaptureWork } from "../../src/sessions/capture/transcript-capture.ts";

const CONSENT = {
  format: 4,
  id: "",
  project: "",
  intervals: [{ on: "2026-01-01T00:00:00.000Z" }],
  skipped: [],
};

/** A capture of a folder without git, recorded since January 2026, that has no time limit. */
export function captureWork(
  folder: string,
  emit: CaptureWork["emit"],
  more: Partial<CaptureWork> = {},
): CaptureWork {
  return {
    folders: new Folders({ path: folder, hasGit: false, folder }, []),
    worktrees: [folder],
    told: {},
    consent: () => CONSENT,
    privateSessions: new Set(),
    report: new CaptureReport(),
    emit,
    isSpent: () => false,
    ...more,
  };
}
