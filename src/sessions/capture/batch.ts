import { readConsent } from "../consent/find-log.ts";
import { type LogManifest, mayRecord } from "../consent/manifest.ts";
import { type EventDraft, eventId, identityFrom, identityIn } from "../kinds/event.ts";
import type { CaptureRequest } from "./capture-request.ts";
import type { Cursor } from "./capture-state.ts";
import type { CaptureReport } from "./report.ts";

/** The most events, or bytes of transcripts, to store together. */
const MOST_EVENTS = 500;
const MOST_BYTES = 4 * 1024 * 1024;

/** Thrown if recording is turned off or the session log is removed during a capture. */
export class TurnedOff extends Error {}

/** Collects events to store, and the positions in their transcripts, which become valid when the events are stored. */
export class Batch {
  /** Positions by path of the transcript. All events before them are stored. */
  readonly cursors: Record<string, Cursor>;
  /** Drafts by origin. Drafts with the same origin are one event, so only the first is written. */
  readonly #events = new Map<string, EventDraft>();
  /** Positions to keep after the next store, undefined for a transcript that no longer exists. */
  readonly #reached = new Map<string, Cursor | undefined>();
  readonly #request: CaptureRequest;
  readonly #report: CaptureReport;
  #consent: LogManifest;
  #mayBeStored = false;
  #bytesStored: number;

  /** @throws TurnedOff */
  constructor(request: CaptureRequest, report: CaptureReport, cursors: Record<string, Cursor>) {
    this.#request = request;
    this.#report = report;
    this.cursors = { ...cursors };
    this.#bytesStored = report.bytes;
    this.#consent = this.#askAgain();
  }

  /** The user's consent, as it was when the last batch was stored. */
  get consent(): LogManifest {
    return this.#consent;
  }

  get isFull(): boolean {
    const bytes = this.#report.bytes - this.#bytesStored;
    return this.#events.size >= MOST_EVENTS || bytes >= MOST_BYTES;
  }

  /** @param mayBeStored whether these events may be stored already, because they were read before. */
  add(drafts: readonly EventDraft[], mayBeStored = false): void {
    if (mayBeStored) this.#mayBeStored = true;
    for (const draft of drafts) {
      const { origin = "" } = draft;
      const first = this.#events.get(origin);
      // An original replaces its copy, which may have to be left out.
      if (first === undefined || this.#report.copies.has(first)) this.#events.set(origin, draft);
    }
  }

  /** Notes how far a transcript has been read. The position becomes valid when the events so far are stored. */
  reach(path: string, cursor: Cursor | undefined): void {
    this.#reached.set(path, cursor);
    if (this.#events.size === 0) this.#settle();
  }

  /** The position in a transcript, whether or not its events are stored. */
  positionIn(path: string): Cursor | undefined {
    return this.#reached.get(path) ?? this.cursors[path];
  }

  /** Stores the events that the user still agrees to record. @throws TurnedOff, and the errors of an append. */
  async store(): Promise<void> {
    this.#consent = this.#askAgain();
    const agreed = [...this.#events.values()].filter(({ ts = "", session }) =>
      mayRecord(this.#consent, { at: Date.parse(ts), session }),
    );
    const kept = await this.#withoutPurged(agreed);
    const missing = this.#mayBeStored ? await this.#notStored(kept) : kept;
    if (missing.length > 0) this.#report.countEvents(await this.#request.store.append(missing));
    this.#events.clear();
    this.#mayBeStored = false;
    this.#bytesStored = this.#report.bytes;
    this.#settle();
  }

  #askAgain(): LogManifest {
    const consent = readConsent(this.#request.record);
    if (!consent) throw new TurnedOff();
    return consent;
  }

  #settle(): void {
    for (const [path, cursor] of this.#reached) {
      if (cursor) this.cursors[path] = cursor;
      else delete this.cursors[path];
    }
    this.#reached.clear();
  }

  /**
   * If anything was ever purged, leaves out copies in a fork whose original doesn't exist here. A fork gives its copies new ids, so there's
   * no way to find out whether the original was purged.
   */
  async #withoutPurged(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    const own = drafts.filter((draft) => !this.#report.copies.has(draft));
    if (own.length === drafts.length || (await this.#request.store.statistics()).purged === 0)
      return drafts;
    return own;
  }

  /** The drafts that aren't stored yet. Appending the others again would only make the files larger. */
  async #notStored(drafts: readonly EventDraft[]): Promise<readonly EventDraft[]> {
    const identityOf = ({ origin = "" }: EventDraft) => identityFrom(origin);
    const ids = drafts.map((draft) => eventId(Date.parse(draft.ts ?? ""), identityOf(draft)));
    const stored = new Set((await this.#request.store.find(ids)).map(({ id }) => identityIn(id)));
    return drafts.filter((draft) => !stored.has(identityOf(draft)));
  }
}
