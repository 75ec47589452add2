/** One turn of a capture: it goes on where the last one ended, and ends when its time is over or everything is read. */
import { hasCode } from "../../ground/files/file-errors.ts";
import { isWithin } from "../../ground/files/named-file.ts";
import { readConsent } from "../consent/find-log.ts";
import { type LogManifest, mayRecord } from "../consent/manifest.ts";
import type { EventDraft } from "../kinds/event.ts";
import type { CaptureRequest } from "./capture-request.ts";
import { type CaptureState, readCaptureState, writeCaptureState } from "./capture-state.ts";
import type { Cursor } from "./cursor.ts";
import type { CaptureReport } from "./report.ts";
import type { Sources } from "./sources.ts";
import { captureTranscript } from "./transcript-capture.ts";

/** So many events, or bytes of transcripts, are one batch. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Make it and run it under the lock of captures: others may have changed the state before. */
export class CaptureTurn {
  readonly #request: CaptureRequest;
  readonly #sources: Sources;
  readonly #report: CaptureReport;
  readonly #isSpent: () => boolean;
  readonly #state: CaptureState;
  readonly #privateSessions: Set<string>;
  #consent: LogManifest;
  /** Events that wait to be stored, by their origin, and how far the transcripts are read that gave them. */
  readonly #batch = new Map<string | undefined, EventDraft>();
  readonly #pending = new Map<string, Cursor | undefined>();
  /** Whether some of them may be stored already. */
  #mayBeStored = false;
  #bytesStored: number;

  constructor(request: CaptureRequest, sources: Sources, report: CaptureReport, isSpent: () => boolean) {
    this.#request = request;
    this.#sources = sources;
    this.#report = report;
    this.#isSpent = isSpent;
    this.#state = readCaptureState(request.record.folder);
    this.#privateSessions = new Set(this.#state.privateSessions);
    this.#consent = request.record.manifest;
    this.#bytesStored = report.bytes;
  }

  /** @returns whether the capture is at its end. */
  async run(): Promise<boolean> {
    try {
      this.#askAgain();
      await this.#readOn();
    } catch (error) {
      if (!(error instanceof TurnedOff)) throw error;
      this.#report.wasTurnedOff = true;
    }
    await this.#save();
    return this.#report.wasTurnedOff || this.#isAtEnd;
  }

  get #isAtEnd(): boolean {
    return this.#sources.transcripts.length === 0;
  }

  async #readOn(): Promise<void> {
    const { transcripts, total } = this.#sources;
    for (let next = transcripts[0]; next !== undefined && !this.#isSpent(); next = transcripts[0]) {
      if (!(await this.#read(next))) break;
      transcripts.shift();
      this.#request.onProgress?.(total - transcripts.length, total);
    }
    if (this.#isAtEnd) this.#noteEnd();
    await this.#store();
  }

  /** @returns whether the transcript was read to its end, or cannot be read. */
  async #read({ path, reader }: Sources["transcripts"][number]): Promise<boolean> {
    const { folders, worktrees } = this.#sources;
    const work = {
      path,
      reader,
      folders,
      frame: (await reader.frameOf?.(path, worktrees)) ?? {},
      consent: () => this.#consent,
      privateSessions: this.#privateSessions,
      report: this.#report,
      isSpent: this.#isSpent,
      emit: (drafts: readonly EventDraft[], cursor: () => Promise<Cursor>, mayBeStored: boolean) => {
        this.#mayBeStored ||= mayBeStored;
        return this.#add(drafts, path, cursor);
      },
    };
    try {
      const cursor = await captureTranscript(work, this.#state.cursors[path]);
      this.#pending.set(path, cursor);
      if (this.#batch.size === 0) this.#settle();
      return cursor === undefined || cursor.stamp !== undefined;
    } catch (error) {
      if (!hasCode(error, "EACCES", "EPERM")) throw error;
      this.#report.unreadable.push(path);
      return true;
    }
  }

  /** No line says that a session ended. A second report from the same place in its transcript is the same end. */
  #noteEnd(): void {
    const { ended, readers } = this.#request;
    if (!ended || this.#privateSessions.has(ended.session)) return;
    const here = readers.find(({ clientFolder }) => isWithin(clientFolder, ended.transcript));
    const cursor = this.#pending.get(ended.transcript) ?? this.#state.cursors[ended.transcript];
    if (!here || !cursor?.state.isStarted) return;
    const { agent } = here.reader;
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

  /** What has one origin is one event, so of a batch only the first of each is worth writing. */
  async #add(drafts: readonly EventDraft[], path: string, cursor: () => Promise<Cursor>): Promise<void> {
    for (const draft of drafts) if (!this.#batch.has(draft.origin)) this.#batch.set(draft.origin, draft);
    if (this.#batch.size < BATCH_EVENTS && this.#report.bytes - this.#bytesStored < BATCH_BYTES) return;
    await this.#store();
    this.#state.cursors[path] = await cursor();
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

  /** The transcripts that were read, whose events are stored. */
  #settle(): void {
    const { cursors } = this.#state;
    for (const [path, cursor] of this.#pending) {
      if (cursor) cursors[path] = cursor;
      else delete cursors[path];
    }
    this.#pending.clear();
  }

  #askAgain(): void {
    const consent = readConsent(this.#request.record);
    if (!consent) throw new TurnedOff();
    this.#consent = consent;
  }

  /** What was read in this turn is read again where it is killed before. */
  async #save(): Promise<void> {
    const { folders, worktrees, looked } = this.#sources;
    const { cursors, understood, ...before } = this.#state;
    await writeCaptureState(this.#request.record.folder, {
      ...before,
      ...(this.#isAtEnd && !this.#report.wasTurnedOff && looked),
      cursors,
      worktrees: [...new Set([...before.worktrees, ...worktrees])],
      nested: [...new Set([...before.nested, ...folders.nested])],
      privateSessions: [...this.#privateSessions],
      understood: this.#report.withUnderstood(understood),
    });
  }
}

/** Recording was turned off, or the session log removed, while it was written. */
class TurnedOff extends Error {}
