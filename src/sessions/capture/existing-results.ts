/** Reads the results of tool calls from a project's existing transcripts, without a session log. Writes nothing. */
import { inBothForms } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { homeOf } from "../consent/log-id.ts";
import { type LogManifest, RECORD_FORMAT } from "../consent/manifest.ts";
import { type Environment, readPlaces } from "../consent/places.ts";
import { type Event, type EventDraft, inTime } from "../kinds/event.ts";
import { prepare } from "../storing/prepare.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { Folders } from "./belonging.ts";
import { CaptureReport } from "./report.ts";
import { readersOf, transcriptsIn } from "./sources.ts";
import { captureTranscript, type LineEvents } from "./transcript-capture.ts";

interface ExistingResults {
  /** Redacted, in order of time. */
  readonly events: readonly Event[];
  /** The number of transcripts read. */
  readonly transcripts: number;
}

/**
 * Leaves out other projects, private sessions and copies of other transcripts.
 * @param words to redact in addition to secrets and private passages. @param onProgress called after each transcript.
 */
export async function existingResults(
  projectFolder: string,
  env: Environment,
  words: OwnWords,
  onProgress: (done: number, total: number) => void,
): Promise<ExistingResults> {
  const home = homeOf(projectFolder);
  const folders = new Folders(home, []);
  const worktrees = inBothForms(folders.worktrees());
  const report = new CaptureReport();
  const privateSessions = new Set<string>();
  const drafts = new Map<string | undefined, EventDraft>();
  const emit = async ({ drafts: found }: LineEvents) => {
    for (const draft of found) {
      const known = drafts.get(draft.origin);
      // A fork copies events, so the original replaces the copy.
      const isBetter = known === undefined || report.copies.has(known);
      if (draft.kind === "tool_result" && isBetter) drafts.set(draft.origin, draft);
    }
  };
  const consent = () => consentToAll(home.path);
  const isSpent = () => false;
  const work = { folders, worktrees, told: {}, consent, privateSessions, report, emit, isSpent };
  const transcripts = await transcriptsIn(worktrees, readersOf(readPlaces(env)));
  for (const [index, found] of transcripts.entries()) {
    await captureTranscript(found, work, undefined);
    onProgress(index + 1, transcripts.length);
  }
  const redactor = eventRedactor(words);
  const events = [...drafts.values()]
    .filter(({ session }) => !privateSessions.has(session))
    .map((draft) => prepare(draft, redactor, Date.now()).event);
  return { events: inTime(events), transcripts: report.transcripts.read };
}

/** A manifest in memory, because the transcripts are only read. */
const consentToAll = (project: string): LogManifest => ({
  format: RECORD_FORMAT,
  id: "",
  project,
  intervals: [{ on: new Date(0).toISOString() }],
  skipped: [],
});
