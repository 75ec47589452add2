import { inBothForms } from "../../ground/core/text.ts";
import { isWithin } from "../../ground/files/paths.ts";
import { type LogManifest, mayRecord, type ProjectLog, readConsent } from "../consent/find-log.ts";
import type { Home } from "../consent/log-id.ts";
import type { EventDraft } from "../kinds/event.ts";
import type { EventStore, RetentionLimits } from "../store.ts";
import { notStored } from "../storing/prepare.ts";
import { type Cursor, readCaptureState, writeCaptureState } from "./capture-state.ts";
import type { CaptureReport } from "./report.ts";
import type { ReaderHere, Sources } from "./sources.ts";
import { type ToldSessions, withTold } from "./told.ts";
import { type CaptureWork, captureTranscript, type LineEvents } from "./transcript-capture.ts";

/** How to capture. By default, a capture reads all transcripts from the position at which the last one ended. */
export interface CaptureOptions {
  /** Reads transcripts from their beginnings, to recover events that were lost or dropped. */
  readonly again?: boolean | undefined;
  /** A session that has ended, as a hook reports. */
  readonly ended?: EndedSession | undefined;
  /** The sessions reported by the hook that started the capture. */
  readonly told?: ToldSessions | undefined;
  /** The only transcript to read, for a session that waits. */
  readonly only?: string | undefined;
  /** How long to read while an agent waits. The line being read is still read to its end. */
  readonly patienceMs?: number | undefined;
  /** Stops the capture after the current line. The next one continues. */
  readonly stop?: Pick<AbortSignal, "aborted"> | undefined;
  /** Called with the number of transcripts done and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A time that an agent doesn't notice. */
export const QUICKLY_MS = 500;

interface EndedSession {
  readonly session: string;
  readonly transcript: string;
  readonly reason: string;
}

export interface CaptureRequest extends CaptureOptions {
  readonly record: ProjectLog;
  readonly home: Home;
  readonly store: EventStore;
  /** In ms since 1970. */
  readonly now: number;
  readonly readers: readonly ReaderHere[];
  /** Limits of retention, which runs once a day. Without limits, nothing is removed. */
  readonly limits?: RetentionLimits | undefined;
}

/** The most events, or bytes of transcripts, to store together. */
const MOST_EVENTS = 500;
const MOST_BYTES = 4 * 1024 * 1024;

/** Thrown if recording is turned off or the session log is removed during a capture. */
class TurnedOff extends Error {}

/**
 * One turn of a capture. Reads the state and continues from the last one. Call it under the lock of the session log, because other processes
 * change the state. @param isSpent whether the turn's time is used up. @returns whether nothing is left to do: all is read, or recording was turned off.
 */
export async function captureTurn(
  request: CaptureRequest,
  sources: Sources,
  report: CaptureReport,
  isSpent: () => boolean,
): Promise<boolean> {
  const { folder } = request.record;
  const before = readCaptureState(folder);
  const { transcripts, folders, worktrees } = sources;
  const told = withTold(before.told, request.told ?? {});
  const privateSessions = new Set(before.privateSessions);
  const cursors = { ...before.cursors };
  report.understood = { ...before.understood };
  try {
    const batch = startBatch(request, report, cursors);
    const { consent, emit } = batch;
    const named = { folders, worktrees: inBothForms(worktrees) };
    const work = { ...named, told, consent, privateSessions, report, emit, isSpent };
    await readTranscripts(request, sources, work, cursors, batch.reached);
    await batch.store();
    const end = transcripts.length === 0 ? endOf(request, cursors, privateSessions) : undefined;
    if (end) {
      await batch.store([end]);
    }
  } catch (error) {
    if (!(error instanceof TurnedOff)) {
      throw error;
    }
    report.wasTurnedOff = true;
  }
  const isAllRead = transcripts.length === 0;
  const looked = isAllRead && !report.wasTurnedOff ? sources.looked : undefined;
  // If the process is killed before this write, the next capture reads the same lines again without duplicating events.
  await writeCaptureState(folder, {
    ...before,
    ...looked,
    cursors,
    told,
    worktrees: [...new Set([...before.worktrees, ...worktrees])],
    nested: [...new Set([...before.nested, ...folders.nested])],
    privateSessions: [...privateSessions],
    understood: report.understood,
  });
  return isAllRead || report.wasTurnedOff;
}

/** Reads transcripts until the turn is over, and removes those from the sources that were read to their ends or can't be read. */
async function readTranscripts(
  { onProgress }: CaptureRequest,
  { transcripts, total }: Sources,
  work: CaptureWork,
  cursors: Cursors,
  reached: Map<string, Cursor | undefined>,
): Promise<void> {
  for (let next = transcripts[0]; next !== undefined && !work.isSpent(); next = transcripts[0]) {
    const cursor = await captureTranscript(next, work, cursors[next.path]);
    reached.set(next.path, cursor);
    const isAtEnd = cursor === undefined || cursor.stamp !== undefined;
    if (!isAtEnd && work.isSpent()) {
      return;
    }
    transcripts.shift();
    onProgress?.(total - transcripts.length, total);
  }
}

/** The end of a session, which only a hook reports. A second report from the same position in its transcript is the same event. */
function endOf(
  { ended, readers, now }: CaptureRequest,
  cursors: Readonly<Cursors>,
  privateSessions: ReadonlySet<string>,
): EventDraft | undefined {
  if (!ended || privateSessions.has(ended.session)) {
    return undefined;
  }
  const here = readers.find(({ clientFolder }) => isWithin(clientFolder, ended.transcript));
  const cursor = cursors[ended.transcript];
  if (!here || !cursor?.state.isStarted) {
    return undefined;
  }
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

/** Positions by path of the transcript. All events before them are stored. */
type Cursors = Record<string, Cursor>;

/** Collects events to store. @param cursors become valid, and are updated, when the events before them are stored. @throws TurnedOff */
function startBatch(
  { record, store: events }: CaptureRequest,
  report: CaptureReport,
  cursors: Cursors,
) {
  /** Positions to keep after the next store, undefined for a transcript that no longer exists. */
  const reached = new Map<string, Cursor | undefined>();
  // Drafts with the same origin are one event, so only the first is written.
  const drafts = new Map<string, EventDraft>();
  /** As it was when the last batch was stored. */
  let consent = agreed(record);
  let bytesStored = report.bytes;
  function add(more: readonly EventDraft[]): void {
    for (const draft of more) {
      const { origin = "" } = draft;
      const first = drafts.get(origin);
      // An original replaces its copy, which may have to be left out.
      if (first === undefined || report.copies.has(first)) {
        drafts.set(origin, draft);
      }
    }
  }
  /** Stores the events that the user still agrees to record. @throws TurnedOff, and the errors of an append. */
  async function store(more: readonly EventDraft[] = []): Promise<void> {
    add(more);
    consent = agreed(record);
    const allowed = [...drafts.values()].filter(({ ts = "", session }) =>
      mayRecord(consent, { at: Date.parse(ts), session }),
    );
    const kept = await withoutPurged(allowed, report, events);
    // After a kill, and with `--again`, stored events are read again.
    const missing = await notStored(kept, events);
    if (missing.length > 0) {
      report.countEvents(await events.append(missing));
    }
    drafts.clear();
    bytesStored = report.bytes;
    for (const [path, cursor] of reached) {
      if (cursor) {
        cursors[path] = cursor;
      } else {
        delete cursors[path];
      }
    }
    reached.clear();
  }
  async function emit({ path, drafts: more, cursor }: LineEvents): Promise<void> {
    add(more);
    const isFull = drafts.size >= MOST_EVENTS || report.bytes - bytesStored >= MOST_BYTES;
    if (!isFull) {
      return;
    }
    reached.set(path, cursor());
    await store();
  }
  return { reached, consent: () => consent, emit, store };
}

function agreed(record: ProjectLog): LogManifest {
  const consent = readConsent(record);
  if (!consent) {
    throw new TurnedOff();
  }
  return consent;
}

/**
 * If anything was ever purged, leaves out copies in a fork whose original doesn't exist here. A fork gives its copies new ids, so there's no
 * way to find out whether the original was purged.
 */
async function withoutPurged(
  drafts: readonly EventDraft[],
  { copies }: CaptureReport,
  store: EventStore,
): Promise<readonly EventDraft[]> {
  const own = drafts.filter((draft) => !copies.has(draft));
  if (own.length === drafts.length || (await store.statistics()).purged === 0) {
    return drafts;
  }
  return own;
}
