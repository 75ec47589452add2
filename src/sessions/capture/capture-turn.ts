import { inBothForms } from "../../ground/core/text.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import type { EventDraft } from "../kinds/event.ts";
import { Batch, TurnedOff } from "./batch.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { type CaptureState, readCaptureState, writeCaptureState } from "./capture-state.ts";
import type { CaptureReport } from "./report.ts";
import type { FoundTranscript, Sources } from "./sources.ts";
import { type ToldSessions, withTold } from "./told.ts";
import { captureTranscript, type TranscriptCapture } from "./transcript-capture.ts";

/** One turn of a capture. It continues from the last one. */
interface Turn {
  readonly request: CaptureRequest;
  readonly sources: Sources;
  readonly report: CaptureReport;
  readonly batch: Batch;
  readonly told: ToldSessions;
  readonly privateSessions: Set<string>;
  /** Whether the turn's time or the capture's limit is used up. */
  readonly isSpent: () => boolean;
}

/** Reads the state and continues the capture. Call it under the lock of the session log, because other processes change the state. @returns whether everything is read. */
export async function captureTurn(
  request: CaptureRequest,
  sources: Sources,
  report: CaptureReport,
  isSpent: () => boolean,
): Promise<boolean> {
  const before = readCaptureState(request.record.folder);
  const told = withTold(before.told, request.told ?? {});
  const privateSessions = new Set(before.privateSessions);
  let { cursors } = before;
  try {
    const batch = new Batch(request, report, cursors);
    cursors = batch.cursors;
    const turn = { request, sources, report, batch, told, privateSessions, isSpent };
    await readTranscripts(turn);
    addEnd(turn);
    await batch.store();
  } catch (error) {
    if (!(error instanceof TurnedOff)) throw error;
    report.wasTurnedOff = true;
  }
  const isDone = report.wasTurnedOff || sources.transcripts.length === 0;
  const looked = isDone && !report.wasTurnedOff ? sources.looked : undefined;
  // If the process is killed before this write, the next capture reads the same lines again without duplicating events.
  await writeCaptureState(request.record.folder, {
    ...before,
    ...looked,
    cursors,
    told,
    ...withFolders(before, sources),
    privateSessions: [...privateSessions],
    understood: report.withUnderstood(before.understood),
  });
  return isDone;
}

/** Reads transcripts until the turn is over, and removes completely read ones from the sources. */
async function readTranscripts(turn: Turn): Promise<void> {
  const { sources, request } = turn;
  const { transcripts, total } = sources;
  for (let next = transcripts[0]; next !== undefined && !turn.isSpent(); next = transcripts[0]) {
    if (!(await readTranscript(turn, next))) return;
    transcripts.shift();
    request.onProgress?.(total - transcripts.length, total);
  }
}

/** @returns whether to remove the transcript from the sources: it was read to its end, or can't be read. */
async function readTranscript(turn: Turn, { path, reader }: FoundTranscript): Promise<boolean> {
  const { sources, report, batch, told, privateSessions, isSpent } = turn;
  const named = inBothForms(sources.worktrees);
  const emit: TranscriptCapture["emit"] = async (drafts, isAgain, cursor) => {
    batch.add(drafts, isAgain);
    if (!batch.isFull) return;
    batch.reach(path, cursor());
    await batch.store();
  };
  const work: TranscriptCapture = {
    path,
    reader,
    folders: sources.folders,
    frame: (await reader.frameOf?.(path, named, told)) ?? {},
    consent: () => batch.consent,
    privateSessions,
    report,
    isSpent,
    emit,
  };
  try {
    const cursor = await captureTranscript(work, batch.cursors[path]);
    batch.reach(path, cursor);
    return cursor === undefined || cursor.stamp !== undefined;
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error;
    report.unreadable.push(path);
    return true;
  }
}

/** Adds the end of a session, which only a hook reports. A second report from the same position in its transcript is the same event. */
function addEnd({ request, sources, batch, privateSessions }: Turn): void {
  const { ended, readers, now } = request;
  if (!ended || sources.transcripts.length > 0 || privateSessions.has(ended.session)) return;
  const here = readers.find(({ clientFolder }) => isWithin(clientFolder, ended.transcript));
  const cursor = batch.positionIn(ended.transcript);
  if (!here || !cursor?.state.isStarted) return;
  const { agent } = here.reader;
  const end: EventDraft = {
    session: ended.session,
    agent,
    actor: { type: "agent", id: agent },
    kind: "session",
    content: { event: "end", reason: ended.reason },
    ts: new Date(now).toISOString(),
    origin: `${agent}:${ended.session}:end:${cursor.offset}`,
  };
  batch.add([end]);
}

function withFolders(before: CaptureState, { worktrees, folders }: Sources) {
  return {
    worktrees: [...new Set([...before.worktrees, ...worktrees])],
    nested: [...new Set([...before.nested, ...folders.nested])],
  };
}
