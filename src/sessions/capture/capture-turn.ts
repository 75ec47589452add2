/** One turn of a capture: it goes on where the last one ended, and ends when its time is over or everything is read. */
import { inBothForms } from "../../ground/core/text.ts";
import { hasCode } from "../../ground/files/file-errors.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import { readConsent } from "../consent/find-log.ts";
import { mayRecord } from "../consent/manifest.ts";
import { type EventDraft, eventId, identityFrom, identityIn } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { readCaptureState, writeCaptureState } from "./capture-state.ts";
import type { Cursor } from "./cursor.ts";
import { type CaptureReport, count } from "./report.ts";
import type { Sources } from "./sources.ts";
import { withTold } from "./told-sessions.ts";
import { captureTranscript, type TranscriptCapture } from "./transcript-capture.ts";

/** So many events, or bytes of transcripts, are one batch. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Call it under the lock of captures: others may have changed the state before. @returns whether the capture is at its end. */
export async function captureTurn(
  request: CaptureRequest,
  sources: Sources,
  report: CaptureReport,
  isSpent: () => boolean,
): Promise<boolean> {
  const { record, store } = request;
  const { folders, worktrees, transcripts, total, looked } = sources;
  const { understood, ...before } = readCaptureState(record.folder);
  const { cursors } = before;
  const told = withTold(before.told, request.told ?? {});
  const privateSessions = new Set(before.privateSessions);
  let consent = record.manifest;
  /** Events that wait to be stored, by their origin, and how far the transcripts are read that gave them. */
  const batch = new Map<string | undefined, EventDraft>();
  const pending = new Map<string, Cursor | undefined>();
  /** Whether some of them may be stored already. */
  let mayBeStored = false;
  let bytesStored = report.bytes;
  const isAtEnd = () => transcripts.length === 0;

  const askAgain = () => {
    const now = readConsent(record);
    if (!now) throw new TurnedOff();
    consent = now;
  };

  /** The transcripts that were read, whose events are stored. */
  const settle = () => {
    for (const [path, cursor] of pending) {
      if (cursor) cursors[path] = cursor;
      else delete cursors[path];
    }
    pending.clear();
  };

  /**
   * Of a copy whose original is not here nobody can tell whether a purge took that: each fork gives what it copies new ids. So a session
   * log from which anything was purged takes none.
   */
  const withoutPurged = async (drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> => {
    const own = drafts.filter((draft) => !report.copies.has(draft));
    if (own.length === drafts.length || (await store.statistics()).purged === 0) return drafts;
    for (let left = own.length; left < drafts.length; left++)
      count(report.leftOut, "copy without its original");
    return own;
  };

  /** What the person decided since the last batch counts for this one. */
  const storeBatch = async () => {
    askAgain();
    const agreed = [...batch.values()].filter(({ ts = "", session }) =>
      mayRecord(consent, { at: Date.parse(ts), session }),
    );
    const kept = await withoutPurged(agreed);
    const missing = mayBeStored ? await notStored(store, kept) : kept;
    if (missing.length > 0) report.countEvents(await store.append(missing));
    mayBeStored = false;
    batch.clear();
    bytesStored = report.bytes;
    settle();
  };

  /** @returns whether the transcript was read to its end, or cannot be read. */
  const read = async ({ path, reader }: Sources["transcripts"][number]): Promise<boolean> => {
    const named = inBothForms(worktrees);
    const frame = (await reader.frameOf?.(path, named, (session) => told[session])) ?? {};
    const work = {
      path,
      reader,
      folders,
      frame,
      consent: () => consent,
      privateSessions,
      report,
      isSpent,
    };
    /** What has one origin is one event, so of a batch only the first of each is worth writing. */
    const emit: TranscriptCapture["emit"] = async (drafts, cursor, isAgain) => {
      mayBeStored ||= isAgain;
      for (const draft of drafts) {
        const first = batch.get(draft.origin);
        if (first === undefined || report.copies.has(first)) batch.set(draft.origin, draft);
      }
      if (batch.size < BATCH_EVENTS && report.bytes - bytesStored < BATCH_BYTES) return;
      await storeBatch();
      cursors[path] = await cursor();
    };
    try {
      const cursor = await captureTranscript({ ...work, emit }, cursors[path]);
      pending.set(path, cursor);
      if (batch.size === 0) settle();
      return cursor === undefined || cursor.stamp !== undefined;
    } catch (error) {
      if (!hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error;
      report.unreadable.push(path);
      return true;
    }
  };

  const readOn = async () => {
    for (let next = transcripts[0]; next !== undefined && !isSpent(); next = transcripts[0]) {
      if (!(await read(next))) break;
      transcripts.shift();
      request.onProgress?.(total - transcripts.length, total);
    }
    const { ended } = request;
    const cursor = ended && (pending.get(ended.transcript) ?? cursors[ended.transcript]);
    const end = isAtEnd() && !privateSessions.has(ended?.session ?? "") && endOf(request, cursor);
    if (end) batch.set(end.origin, end);
    await storeBatch();
  };

  try {
    askAgain();
    await readOn();
  } catch (error) {
    if (!(error instanceof TurnedOff)) throw error;
    report.wasTurnedOff = true;
  }
  // What was read in this turn is read again where it is killed before.
  await writeCaptureState(record.folder, {
    ...before,
    ...(isAtEnd() && !report.wasTurnedOff && looked),
    cursors,
    told,
    worktrees: [...new Set([...before.worktrees, ...worktrees])],
    nested: [...new Set([...before.nested, ...folders.nested])],
    privateSessions: [...privateSessions],
    understood: report.withUnderstood(understood),
  });
  return report.wasTurnedOff || isAtEnd();
}

/** The drafts that aren't stored yet. Appending the others again would only make the files larger. */
async function notStored(
  store: EventStore,
  drafts: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  const identityOf = ({ origin = "" }: EventDraft) => identityFrom(origin);
  const ids = drafts.map((draft) => eventId(Date.parse(draft.ts ?? ""), identityOf(draft)));
  const stored = new Set((await store.find(ids)).map(({ id }) => identityIn(id)));
  return drafts.filter((draft) => !stored.has(identityOf(draft)));
}

/** No line says that a session ended. A second report from the same place in its transcript is the same end. */
function endOf(
  { ended, readers, now }: CaptureRequest,
  cursor: Cursor | undefined,
): EventDraft | undefined {
  const here =
    ended && readers.find(({ clientFolder }) => isWithin(clientFolder, ended.transcript));
  if (!here || !cursor?.state.isStarted) return undefined;
  const { agent } = here.reader;
  return {
    session: ended.session,
    agent,
    actor: { type: "agent", id: agent },
    kind: "session",
    content: { event: "end", reason: ended.reason },
    ts: new Date(now).toISOString(),
    origin: `${agent}:${ended.session}:end:${cursor.offset}`,
  };
}

/** Recording was turned off, or the session log removed, while it was written. */
class TurnedOff extends Error {}
