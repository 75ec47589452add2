/**
 * Reads what agents wrote since the last time, and records what belongs to the project and was agreed to (DESIGN.md, "Capture").
 *
 * One capture at a time, and none while events are purged. A capture that is killed is made up for by the next one.
 */
import type { TranscriptReader } from "../clients/transcript.ts";
import type { EventDraft } from "../events/event.ts";
import type { EventStore, RetentionLimits } from "../events/store.ts";
import { type ProjectRecord, readConsent } from "../project/record/find-record.ts";
import { mayRecord, type RecordManifest } from "../project/record/manifest.ts";
import type { Home } from "../project/record/record-id.ts";
import { Folders, isWithin } from "./belonging.ts";
import { type CaptureState, readCaptureState, writeCaptureState } from "./capture-state.ts";
import type { Cursor } from "./cursor.ts";
import { transcriptsWith } from "./passing-sessions.ts";
import { CaptureReport } from "./report.ts";
import { retainDaily } from "./retain-daily.ts";
import { captureTranscript } from "./transcript-capture.ts";

export interface CaptureRequest {
  readonly record: ProjectRecord;
  readonly home: Home;
  readonly store: EventStore;
  /** Ms since 1970. */
  readonly now: number;
  /** Each with the folder in which its client keeps its own files. */
  readonly readers: readonly { readonly reader: TranscriptReader; readonly clientFolder: string }[];
  /** What is dropped afterwards, once a day; nothing without. */
  readonly limits?: RetentionLimits;
  /** A session that has ended, as a hook says. */
  readonly ended?: { readonly session: string; readonly transcript: string; readonly reason: string };
  /** Called with the transcripts that were looked at, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
}

const ANYWHERE = "/";
/** So many events, or bytes of transcripts, are one batch. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
/** What was read since the state was written last is read again after a kill. */
const STATE_INTERVAL_MS = 1_000;

/** @throws SentinelError when the record cannot be written; what was stored until then stays, and the next capture goes on. */
export async function capture(request: CaptureRequest): Promise<CaptureReport> {
  const { store, limits, record, now } = request;
  const report = await store.exclusively(() => new Capture(request).run());
  // A record that was turned off may have been removed.
  const retained = limits && !report.wasTurnedOff ? await retainDaily(store, record.folder, limits, now) : undefined;
  if (retained) report.retained = retained;
  return report;
}

class Capture {
  readonly #request: CaptureRequest;
  readonly #report = new CaptureReport();
  readonly #cursors: Record<string, Cursor>;
  readonly #privateSessions: Set<string>;
  readonly #understood: CaptureState["understood"];
  readonly #looked: Pick<CaptureState, "lookedAt" | "lookedPasts">;
  #worktrees: readonly string[];
  readonly #nestedBefore: readonly string[];
  #folders: Folders | undefined;
  #consent: RecordManifest;
  /** Events that wait to be stored, by their origin, and how far the transcripts are read that gave them. */
  readonly #batch = new Map<string | undefined, EventDraft>();
  readonly #pending = new Map<string, Cursor | undefined>();
  /** Whether some of them were read from the beginning of a transcript, so that they may be stored already. */
  #mayBeStored = false;
  #bytesStored = 0;
  #savedAt = performance.now();

  constructor(request: CaptureRequest) {
    const before = readCaptureState(request.record.folder);
    this.#request = request;
    this.#cursors = { ...before.cursors };
    this.#privateSessions = new Set(before.privateSessions);
    this.#understood = before.understood;
    this.#looked = { lookedAt: before.lookedAt, lookedPasts: before.lookedPasts };
    this.#worktrees = before.worktrees;
    this.#nestedBefore = before.nested;
    this.#consent = request.record.manifest;
  }

  async run(): Promise<CaptureReport> {
    try {
      this.#askAgain();
      await this.#readAll();
    } catch (error) {
      if (!(error instanceof TurnedOff)) throw error;
      this.#report.wasTurnedOff = true;
    }
    await this.#save({ isDone: !this.#report.wasTurnedOff });
    return this.#report;
  }

  async #readAll(): Promise<void> {
    const { record, home, readers, onProgress } = this.#request;
    const former = [...this.#worktrees, ...(record.movedFrom === undefined ? [] : [record.movedFrom])];
    const folders = new Folders(home, former, this.#nestedBefore);
    this.#folders = folders;
    this.#worktrees = await folders.worktrees();
    for (const { reader, clientFolder } of readers) {
      const paths = await this.#transcriptsOf(reader, clientFolder);
      for (const [index, path] of paths.entries()) {
        await this.#read(path, reader, folders);
        onProgress?.(index + 1, paths.length);
      }
      this.#noteEnd(reader);
    }
    await this.#store();
  }

  /** Those that the client keeps under the project's name, those of sessions that came here, and those that did so once. */
  async #transcriptsOf(reader: TranscriptReader, clientFolder: string): Promise<readonly string[]> {
    const named = await reader.find(clientFolder, this.#worktrees);
    const all = await reader.find(clientFolder, [ANYWHERE]);
    const known = new Set([...named, ...Object.keys(this.#cursors)]);
    const others = all.filter((path) => !known.has(path));
    const { lookedAt, lookedPasts } = this.#looked;
    const since = lookedPasts === pastsOf(this.#consent) ? lookedAt : 0;
    const passing = await transcriptsWith(this.#worktrees.map(reader.markOf), others, since);
    return [...known, ...passing].filter((path) => isWithin(clientFolder, path));
  }

  /** No line says that a session ended. Told twice at the same place in its transcript, it ended once. */
  #noteEnd({ agent }: TranscriptReader): void {
    const { ended } = this.#request;
    if (!ended || this.#privateSessions.has(ended.session)) return;
    const cursor = this.#pending.get(ended.transcript) ?? this.#cursors[ended.transcript];
    if (!cursor?.state.isStarted) return;
    const origin = `${agent}:${ended.session}:end:${cursor.offset}`;
    this.#batch.set(origin, {
      session: ended.session,
      agent,
      actor: { type: "agent", id: agent },
      kind: "session",
      content: { event: "end", reason: ended.reason },
      ts: new Date(this.#request.now).toISOString(),
      origin,
    });
  }

  async #read(path: string, reader: TranscriptReader, folders: Folders): Promise<void> {
    const work = {
      path,
      reader,
      folders,
      consent: () => this.#consent,
      privateSessions: this.#privateSessions,
      report: this.#report,
      emit: (drafts: readonly EventDraft[], cursor: () => Promise<Cursor>, isFromStart: boolean) => {
        this.#mayBeStored ||= isFromStart;
        return this.#add(drafts, path, cursor);
      },
    };
    this.#pending.set(path, await captureTranscript(work, this.#cursors[path]));
    if (this.#batch.size === 0) this.#settle();
    await this.#saveNowAndThen();
  }

  /** What has one origin is one event, so of a batch only the first of each is worth writing. */
  async #add(drafts: readonly EventDraft[], path: string, cursor: () => Promise<Cursor>): Promise<void> {
    for (const draft of drafts) if (!this.#batch.has(draft.origin)) this.#batch.set(draft.origin, draft);
    if (this.#batch.size < BATCH_EVENTS && this.#report.bytes - this.#bytesStored < BATCH_BYTES) return;
    await this.#store();
    this.#cursors[path] = await cursor();
    await this.#saveNowAndThen();
  }

  /** What the person decided since the last batch counts for this one. */
  async #store(): Promise<void> {
    this.#askAgain();
    const agreed = [...this.#batch.values()].filter(({ ts = "", session }) =>
      mayRecord(this.#consent, { at: Date.parse(ts), session }),
    );
    const { store } = this.#request;
    const missing = this.#mayBeStored ? await store.notStored(agreed) : agreed;
    if (missing.length > 0) this.#report.countEvents(await store.append(missing));
    this.#mayBeStored = false;
    this.#batch.clear();
    this.#bytesStored = this.#report.bytes;
    this.#settle();
  }

  /** The transcripts that were read to their end, whose events are stored. */
  #settle(): void {
    for (const [path, cursor] of this.#pending) {
      if (cursor) this.#cursors[path] = cursor;
      else delete this.#cursors[path];
    }
    this.#pending.clear();
  }

  #askAgain(): void {
    const consent = readConsent(this.#request.record);
    if (!consent) throw new TurnedOff();
    this.#consent = consent;
  }

  async #saveNowAndThen(): Promise<void> {
    if (performance.now() - this.#savedAt >= STATE_INTERVAL_MS) await this.#save();
  }

  async #save({ isDone = false } = {}): Promise<void> {
    await writeCaptureState(this.#request.record.folder, {
      cursors: this.#cursors,
      worktrees: this.#worktrees,
      nested: this.#folders?.nested ?? this.#nestedBefore,
      ...(isDone ? { lookedAt: this.#request.now, lookedPasts: pastsOf(this.#consent) } : this.#looked),
      privateSessions: [...this.#privateSessions],
      understood: this.#report.understoodSince(this.#understood),
    });
    this.#savedAt = performance.now();
  }
}

function pastsOf({ intervals }: RecordManifest): string {
  const pasts = intervals.filter(({ past }) => past);
  return pasts.map(({ on, off }) => `${on}/${off}`).join();
}

/** Recording was turned off, or the record removed, while it was written. */
class TurnedOff extends Error {}
